#include "agpusim/cli/agpusim.hpp"

#ifdef AGPUSIM_PROGRAMS  // a package: the program for every processor, beside those for newer ones
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

/// Goes on as the program that was built for this processor, where there is one and AGPUSIM_ARCH,
/// if it is set, names it.
void start_for_processor(char** argv) {
  const struct {
    const char* arch;
    bool supported;
  } programs[] = {{"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0},
                  {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0}};
  const char* const wanted = std::getenv("AGPUSIM_ARCH");
  for (const auto& [arch, supported] : programs) {
    if (!supported || (wanted != nullptr && std::string(wanted) != arch)) continue;
    execv((std::string(AGPUSIM_PROGRAMS "/") + arch + "/agpusim").c_str(), argv);
  }
}

}  // namespace
#endif

int main(int argc, char** argv) {
#ifdef AGPUSIM_PROGRAMS
  start_for_processor(argv);
#endif
  return agpusim::main(argc, argv);
}
