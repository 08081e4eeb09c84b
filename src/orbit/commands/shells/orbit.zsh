
# The program as it was typed, when that is a path.
_orbit_call() {
    local program=orbit
    [[ $_orbit_program == */* ]] && program=${~_orbit_program}
    command $program complete "$@" 2>/dev/null
}

_orbit_values() {
    local -a found left
    left=("${(@Q)words[2,CURRENT-1]}")
    found=("${(@f)$(_orbit_call zsh "$(_orbit_shape ${words[1]})" "${(@)left}" "${(Q)IPREFIX}")}")
    case $found[1] in
        '') return 1 ;;
        $'\tfile') _files ;;
        $'\tdir') _files -/ ;;
        *) compadd -a found ;;
    esac
}

_orbit() {
    local _orbit_program=${(Q)words[1]}
    local -a specs
    if (( CURRENT == 2 )); then
        if [[ $PREFIX == -* ]]; then
            compadd -- --help --version
        else
            _orbit_verbs
            specs+=('help:explain a command or a topic')
            _describe -t commands command specs
        fi
        return
    fi
    shift words
    (( CURRENT-- ))
    if [[ $words[1] == help ]]; then
        (( CURRENT == 2 )) || return 1
        _orbit_verbs
        _orbit_topics
        _describe -t topics topic specs
        return
    fi
    _orbit_specs $words[1]
    _arguments -S : $specs '(-h --help)'{-h,--help}'[explain this command]' '*: :_orbit_values'
}

if [[ $funcstack[1] == _orbit ]]; then
    _orbit "$@"
elif (( $+functions[compdef] )); then
    compdef _orbit orbit
fi
