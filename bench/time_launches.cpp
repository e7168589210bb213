// A library to preload: CPU seconds of each launch of an agpusim program of any commit, one per
// line. Launches are all that it does in task arenas. dev/compare_speed.py uses it.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <vector>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Launches {
  std::vector<double> seconds;
  ~Launches() {
    const char* const path = std::getenv("AGPUSIM_LAUNCH_TIMES");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    for (const double launch : seconds) std::fprintf(file, "%.9f\n", launch);
    std::fclose(file);
  }
} launches;

}  // namespace

// tbb::detail::r1::execute(task_arena_base&, delegate_base&)
extern "C" void _ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE(
    void* arena, void* work) {
  using Execute = void (*)(void*, void*);
  static const auto execute = reinterpret_cast<Execute>(dlsym(
      RTLD_NEXT, "_ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE"));
  const double start = cpu_seconds();
  execute(arena, work);
  launches.seconds.push_back(cpu_seconds() - start);
}
