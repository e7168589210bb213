// A library to preload: CPU seconds of each launch of an agpusim program of any commit, one per
// line; with AGPUSIM_LAUNCH_WALL seconds that passed. Launches are all that it does in task arenas.
// dev/compare_speed.py uses it. Arrays take their pages before a launch: commits that cleared them
// when they were made did so, others ask for large pages then and would take each in the launch
// that first uses it.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <sys/mman.h>
#include <vector>

namespace {

double seconds_now() {
  static const clockid_t clock =
      std::getenv("AGPUSIM_LAUNCH_WALL") == nullptr ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  timespec now{};
  clock_gettime(clock, &now);
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
  const double start = seconds_now();
  execute(arena, work);
  launches.seconds.push_back(seconds_now() - start);
}

extern "C" int madvise(void* memory, std::size_t bytes, int advice) {
  using Advise = int (*)(void*, std::size_t, int);
  static const auto advise = reinterpret_cast<Advise>(dlsym(RTLD_NEXT, "madvise"));
  const int result = advise(memory, bytes, advice);
  constexpr std::size_t page = 4096;
  auto* const begin = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; advice == MADV_HUGEPAGE && i < bytes; i += page) begin[i] = begin[i];
  return result;
}
