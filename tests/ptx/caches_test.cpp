#include "agpusim/ptx/run/caches.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include "agpusim/ptx/lower/special_functions.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::ptx;

// One line in 16 is simulated, chosen by its hash: sums are near what a cache of all lines has.
namespace {

constexpr std::uint64_t kib = 1 << 10;
// 4 multiprocessors of 256 KiB, 228 of them for shared memory; 1 MiB of L2.
constexpr CacheSizes sizes{4, 256 * kib, 228 * kib, 1024 * kib};
constexpr double tolerance = 0.1;

Allocation allocation(std::uint64_t number) {
  Allocation result;
  result.number = number;
  result.begin = 4096 * kib * number;
  result.bytes = 4096 * kib;
  return result;
}

/// CTAs that touch so many bytes of an allocation `times` times, from `step` times their number on.
PhaseExecution run(Caches& caches, std::uint64_t ctas, std::uint64_t bytes, std::uint64_t step,
                   LineTrace::Kind kind, int times = 1, std::uint64_t number = 1) {
  const Allocation array = allocation(number);
  std::vector<std::vector<LineTrace::Use>> traces;
  for (std::uint64_t c = 0; c < ctas; ++c) {
    LineTrace trace;
    for (int t = 0; t < times; ++t) {
      const std::uint64_t first = array.begin + c * step;
      for (std::uint64_t at = 0; at < bytes; at += 128) {
        trace.use(array, kind, first + at, first + at + 128);
      }
    }
    traces.push_back(trace.take());
  }
  caches.begin_launch(0, 8, 32);
  caches.run(traces);
  PhaseExecution result;
  caches.add_to(result);
  return result;
}

double sectors(std::uint64_t bytes) { return static_cast<double>(bytes) / 32; }

}  // namespace

TEST_CASE("CTAs of one multiprocessor share its L1 cache, those of others L2", "[ptx][caches]") {
  Caches caches(sizes);
  const PhaseExecution shared = run(caches, 16, 64 * kib, 0, LineTrace::read, 2);
  CHECK(static_cast<double>(shared.l2_read) == Approx(sectors(4 * 64 * kib)).epsilon(tolerance));
  CHECK(static_cast<double>(shared.memory_read) == Approx(sectors(64 * kib)).epsilon(tolerance));
  CHECK(shared.has_caches == 1);

  // Each of 4 has 512 KiB of its own, which L1 does not hold until they come again.
  const PhaseExecution apart = run(caches, 4, 512 * kib, 512 * kib, LineTrace::read, 2, 2);
  CHECK(static_cast<double>(apart.l2_read) ==
        Approx(sectors(2 * 4 * 512 * kib)).epsilon(tolerance));
}

TEST_CASE("L2 outlives a launch, L1 does not", "[ptx][caches]") {
  Caches caches(sizes);
  const auto launch = [&] { return run(caches, 4, 128 * kib, 128 * kib, LineTrace::read); };
  const double all = sectors(512 * kib);
  CHECK(static_cast<double>(launch().memory_read) == Approx(all).epsilon(tolerance));
  const PhaseExecution again = launch();
  CHECK(again.memory_read == 0);
  CHECK(static_cast<double>(again.l2_read) == Approx(all).epsilon(tolerance));
  // 4 MiB pass through, and nothing of it is left.
  run(caches, 4, 1024 * kib, 1024 * kib, LineTrace::read, 1, 2);
  CHECK(static_cast<double>(launch().memory_read) == Approx(all).epsilon(tolerance));
}

TEST_CASE("What the host copies is in memory, what the device fills in L2", "[ptx][caches]") {
  Caches caches(sizes);
  const auto read = [&] { return run(caches, 4, 64 * kib, 64 * kib, LineTrace::read).memory_read; };
  const Allocation array = allocation(1);
  caches.fill(array, array.begin, 256 * kib, false);
  CHECK(read() == 0);
  caches.fill(array, array.begin, 256 * kib, true);
  CHECK(static_cast<double>(read()) == Approx(sectors(256 * kib)).epsilon(tolerance));
}

TEST_CASE("What is written goes to memory when others need its place", "[ptx][caches]") {
  Caches caches(sizes);
  const PhaseExecution write = run(caches, 4, 128 * kib, 128 * kib, LineTrace::write);
  CHECK(write.l2_read == 0);
  CHECK(write.memory_read == 0);
  CHECK(write.memory_written == 0);
  const PhaseExecution next = run(caches, 4, 1024 * kib, 1024 * kib, LineTrace::read, 1, 2);
  CHECK(static_cast<double>(next.memory_written) == Approx(sectors(512 * kib)).epsilon(tolerance));
  // Atomic operations read what they change.
  const PhaseExecution atomic = run(caches, 4, 64 * kib, 64 * kib, LineTrace::atomic, 1, 3);
  CHECK(static_cast<double>(atomic.memory_read) == Approx(sectors(256 * kib)).epsilon(tolerance));
}

TEST_CASE("Memory of the host passes the link, and L1 holds it", "[ptx][caches]") {
  Caches caches(sizes);
  const PhaseExecution read = run(caches, 4, 64 * kib, 64 * kib, LineTrace::host_read, 2);
  CHECK(static_cast<double>(read.link_read) == Approx(sectors(256 * kib)).epsilon(tolerance));
  CHECK(read.memory_read == 0);
  const PhaseExecution write = run(caches, 4, 64 * kib, 64 * kib, LineTrace::host_write);
  CHECK(static_cast<double>(write.link_written) == Approx(sectors(256 * kib)).epsilon(tolerance));
}

TEST_CASE("Shared memory leaves less to L1, and fewer CTAs to a wave", "[ptx][caches]") {
  Caches caches(sizes);
  caches.begin_launch(0, 8, 32);
  CHECK(caches.wave() == 4 * 8);  // 64 warps
  caches.begin_launch(113 * kib, 8, 32);
  CHECK(caches.wave() == 4 * 2);
  caches.begin_launch(0, 8, 128);
  CHECK(caches.wave() == 4 * 2);  // 65,536 registers
}

TEST_CASE("Slow units take special functions, conversions to integers and f64", "[ptx]") {
  const auto turns = [](std::string_view opcode) {
    const SpecialFunction* const known = special_function_of(opcode);
    return known == nullptr ? 0.0 : known->turns;
  };
  CHECK(turns("ex2.approx.ftz.f32") == 2);
  CHECK(turns("div.rn.f64") == 6);
  CHECK(turns("shfl.sync.idx.b32") == 1);
  for (const char* const slow : {"cvt.rzi.s32.f32", "cvt.f64.f32", "cvt.rn.f64.s32",
                                 "cvt.rn.f32.s64", "cvt.rni.f32.f32", "cvt.rzi.u64.f64"}) {
    CHECK(turns(slow) == 2);
  }
  for (const char* const quick :
       {"cvt.rn.f32.s32", "cvt.u64.u32", "cvt.rn.f16.f32", "cvt.f32.f16", "add.f32", "mul.f64"}) {
    CHECK(turns(quick) == 0);
  }
}

TEST_CASE("Tensor units take as long as an H200's", "[ptx]") {
  std::ifstream rates(AGPUSIM_TEST_DIR "/../validation/data/h200/tensor_rates.csv");
  int products = 0;
  for (std::string line; std::getline(rates, line);) {
    const std::size_t comma = line.find(',');
    const std::string opcode = line.substr(0, comma);
    if (!opcode.starts_with("mma.") && !opcode.starts_with("movmatrix.")) continue;
    CAPTURE(line);
    const SpecialFunction* const known = special_function_of(opcode);
    REQUIRE(known != nullptr);
    char* end = nullptr;
    const double cycles = std::strtod(line.c_str() + comma + 1, &end);
    CHECK(4 * known->turns == Approx(cycles).epsilon(0.03));
    CHECK(known->latency == Approx(std::strtod(end + 1, nullptr)).margin(1));
    ++products;
  }
  CHECK(products == 16);
}
