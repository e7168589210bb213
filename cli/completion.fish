# Completion of agpusim in fish: what `agpusim complete` prints.
function __agpusim_names
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete -- $words[2..] 2>/dev/null
end
complete -c agpusim -a '(__agpusim_names)'
