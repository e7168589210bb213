#pragma once

#include <string>

namespace agpusim {

/// Goes on as the program FOLDER/ARCH/agpusim, where ARCH is the newest of x86-64-v4 and x86-64-v3
/// that this processor runs, or the one that the environment variable AGPUSIM_ARCH names if it
/// runs that. Returns where there is no such program.
void start_for_processor(const std::string& folder, char** argv);

}  // namespace agpusim
