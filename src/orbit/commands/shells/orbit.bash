
# The program as it was typed, when that is a path.
_orbit_call() {
    local program=${COMP_WORDS[0]}
    case $program in
        '~/'*) program=$HOME/${program#'~/'} ;;
        */*) ;;
        *) program=orbit ;;
    esac
    command "$program" complete "$@" 2>/dev/null
}

_orbit_fixed() {
    COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_orbit() {
    local IFS=$' \t\n' current=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} word ended=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        case $current in
            -*) _orbit_fixed '--help --version' "$current" ;;
            *) _orbit_fixed "$_orbit_verbs help" "$current" ;;
        esac
        return 0
    fi
    if [ "$verb" = help ]; then
        [ "$COMP_CWORD" -eq 2 ] && _orbit_fixed "$_orbit_verbs $_orbit_topics" "$current"
        return 0
    fi
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        [ "$word" = -- ] && ended=1
    done
    if [ -z "$ended" ] && [ "${current:0:1}" = - ]; then
        _orbit_fixed "$(_orbit_options "$verb") --help" "$current"
        return 0
    fi
    while IFS= read -r word; do
        case $word in
            $'\tfile') compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$current")) ;;
            $'\tdir') compopt -o dirnames 2>/dev/null || COMPREPLY=($(compgen -d -- "$current")) ;;
            *) COMPREPLY+=("$word") ;;
        esac
    done < <(_orbit_call bash "$(_orbit_shape "$verb")" "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS")
}

complete -F _orbit orbit
