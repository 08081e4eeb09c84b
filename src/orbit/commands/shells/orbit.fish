
# The program as it was typed, when that is a path.
function __orbit_call
    set -l program (commandline -opc)[1]
    string match -q '*/*' -- $program; or set program orbit
    set program (string replace -r '^~/' "$HOME/" -- $program)
    command $program complete $argv 2>/dev/null
end

function __orbit_values
    set -l words (commandline -opc)
    set -l front (string match -r -- '^--[a-z-]+=' (commandline -ct))
    set -l found (__orbit_call fish (__orbit_shape $words[2] | string collect --allow-empty) $words[3..-1] "$front")
    switch "$found[1]"
        case \tfile
            __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
        case \tdir
            __fish_complete_directories (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
        case '*'
            string join -- \n $found
    end
end

function __orbit_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"
end

function __orbit_alone
    test (count (commandline -opc)) -eq 1
end

function __orbit_asks_help
    set -l words (commandline -opc)
    test (count $words) -eq 2; and test "$words[2]" = help
end

complete -c orbit -e
complete -c orbit -f
complete -c orbit -n __orbit_alone -l help -d 'explain a command or a topic'
complete -c orbit -n __orbit_alone -l version -d 'print the version'
complete -c orbit -n __orbit_alone -a help -d 'explain a command or a topic'
complete -c orbit -n 'not __orbit_alone; and not __orbit_asks_help' -s h -l help -d 'explain this command'
complete -c orbit -n 'not __orbit_alone; and not __orbit_asks_help' -a '(__orbit_values)'
__orbit_offer
functions -e __orbit_offer
