# Completion of agpusim in bash: what `agpusim complete` prints.
_agpusim() {
  mapfile -t COMPREPLY < <("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _agpusim agpusim
