# Completion of agpusim in bash: commands, topics, algorithms and options, as `agpusim help` names them.
_agpusim_names() { # of a line of `agpusim help`
  "$1" help 2>/dev/null | sed -n "s/^  $2  *//p" | tr -d ,
}

_agpusim() {
  local program=$1 word=$2 command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_agpusim_names "$program" commands) --help --version" -- "$word")
    return
  fi
  if [[ $word == -* ]]; then
    local options
    options=$("$program" help "$command" 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  local names=""
  if [ "${COMP_WORDS[COMP_CWORD - 1]}" = --machine ]; then
    command=--machine
  fi
  case $command in
    --machine) names=$("$program" help machines 2>/dev/null | awk '$2 ~ /^[0-9]+$/ && NF > 8 { print $1 }') ;;
    help) names="$(_agpusim_names "$program" commands) $(_agpusim_names "$program" algorithms) $(_agpusim_names "$program" PRAM) $(_agpusim_names "$program" general)" ;;
    pram) names=$(_agpusim_names "$program" PRAM) ;;
    run | step | compare | sweep) names=$(_agpusim_names "$program" algorithms) ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
}
complete -o default -F _agpusim agpusim
