#compdef agpusim
# Completion of agpusim in zsh: what `agpusim complete` prints.
local -a names=(${(f)"$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
if (( $#names )); then compadd -- $names; else _files; fi
