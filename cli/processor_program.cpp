#include "agpusim/cli/processor_program.hpp"

#include <cstdlib>
#include <unistd.h>

namespace agpusim {

void start_for_processor([[maybe_unused]] const std::string& folder, [[maybe_unused]] char** argv) {
#ifdef __x86_64__
  const struct {
    const char* arch;
    bool supported;
  } programs[] = {{"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0},
                  {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0}};
  const char* const wanted = std::getenv("AGPUSIM_ARCH");
  for (const auto& [arch, supported] : programs) {
    if (!supported || (wanted != nullptr && std::string(wanted) != arch)) continue;
    execv((folder + "/" + arch + "/agpusim").c_str(), argv);
  }
#endif
}

}  // namespace agpusim
