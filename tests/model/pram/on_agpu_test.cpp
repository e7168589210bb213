#include "agpusim/model/pram/on_agpu.hpp"

#include <numeric>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/pram.hpp"
#include "agpusim/tests/support/pricing_reference.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

using I64 = std::int64_t;

std::vector<I64> numbers(I64 size) {
  std::vector<I64> result(static_cast<std::size_t>(size));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// The phases under one name, so that they compare.
std::vector<PhaseReport> unnamed(RunReport report) {
  for (PhaseReport& phase : report.phases) phase.kernel.clear();
  return report.phases;
}

TEST_CASE("a prefix-sum step costs what the kernel costs on the simulator",
          "[model][pram][on_agpu]") {
  // Hillis and Steele: cell i+d receives y[i+d] + y[i]; V divides the processors.
  for (const Assignment assignment : {Assignment::static_cyclic, Assignment::list}) {
    for (const auto& [b, d] : {std::pair{8, 1}, {8, 3}, {8, 8}, {8, 16}, {2, 1}, {2, 2}}) {
      AgpuSpec spec = small_machine(b, 2, 3);
      spec.assignment = assignment;
      const I64 tasks = 5;
      const I64 n = tasks * spec.width + d;
      CAPTURE(b, d, to_string(assignment));

      Pram pram = test::recording(PramAccess::crew);
      const PramArray y = pram.array(numbers(n), "y");
      const PramArray z = pram.array(n, "z");
      for (int repeat = 0; repeat < 2; ++repeat) {
        pram.step("add", n - d, [&, d = d](PramProcessor& p) {
          p.write(z, p.id() + d, p.read(y, p.id() + d) + p.read(y, p.id()));
        });
      }
      const RunReport priced = price_on_agpu(pram.trace(), spec);

      SimulatedDevice device(spec);
      const auto in = device.allocate<I32>(n, "y");
      const auto out = device.allocate<I32>(n, "z");
      device.upload<I32>(in, std::vector<I32>(static_cast<std::size_t>(n)));
      for (int repeat = 0; repeat < 2; ++repeat) {
        device.launch(tasks, TestKernel{[d = d](auto& mp, auto from, auto to) {
                        const I64 first = mp.task() * mp.width();
                        const auto right = from.from(first + d).read(mp.lane());
                        const auto left = from.from(first).read(mp.lane());
                        to.from(first + d).write(mp.lane(), right + left);
                      }},
                      in, out);
      }
      const RunReport simulated = device.report();
      CHECK(unnamed(priced) == unnamed(simulated));
      CHECK(priced.phases[0].kernel == "add");
      CHECK(priced.time() == simulated.time());
      CHECK(priced.time_total_max == simulated.time_total_max);
      CHECK(priced.global_words_peak == simulated.global_words_peak);
      CHECK(priced.host_words_in == simulated.host_words_in);
    }
  }
}

TEST_CASE("a concurrent sum costs what atomics cost on the simulator", "[model][pram][on_agpu]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (const I64 range : {1, 5, 100}) {
    const AgpuSpec spec = small_machine(8, 2, 3);
    const I64 tasks = 7;
    const I64 n = tasks * spec.width;
    CAPTURE(range);
    std::vector<I32> keys;
    for (I64 i = 0; i < n; ++i) keys.push_back(1 + static_cast<I32>(below(random, range)));

    Pram pram = test::recording(PramAccess::sum);
    const PramArray x = pram.array(std::vector<I64>(keys.begin(), keys.end()), "x");
    const PramArray h = pram.array(range, "h");
    pram.step("count", n, [&](PramProcessor& p) { p.write(h, p.read(x, p.id()) - 1, 1); });
    const RunReport priced = price_on_agpu(pram.trace(), spec);

    SimulatedDevice device(spec);
    const auto in = device.allocate<I32>(n, "x");
    const auto bins = device.allocate<I32>(range, "h");
    device.upload<I32>(in, keys);
    device.launch(tasks, TestKernel{[](auto& mp, auto from, auto to) {
                    const auto key = from.from(mp.task() * mp.width()).read(mp.lane());
                    to.atomic_add(key - 1, mp.varying(I32{1}));
                  }},
                  in, bins);
    const RunReport simulated = device.report();
    CHECK(unnamed(priced) == unnamed(simulated));
    CHECK(priced.phases[0].counts.global_write == GlobalCounts{});
    CHECK(priced.phases[0].contention == pram.report().steps[0].write_contention);
    CHECK(priced.phases[0].atomic_blocks == (range + 7) / 8);
  }
}

TEST_CASE("programs of equal PRAM time differ by their blocks", "[model][pram][on_agpu]") {
  // 64 processors copy a cell each: b = 32, two tasks on two multiprocessors.
  const auto copy = [](I64 stride) {
    Pram pram = test::recording(PramAccess::erew);
    const PramArray from = pram.array(numbers(64 * stride), "from");
    const PramArray to = pram.array(64, "to");
    pram.step("copy", 64,
              [&](PramProcessor& p) { p.write(to, p.id(), p.read(from, p.id() * stride)); });
    CHECK(pram.report().time() == 1);
    return price_on_agpu(pram.trace(), small_machine(32, 1, 2));
  };
  const RunReport contiguous = copy(1);
  CHECK(contiguous.total().io() == 2 + 2);
  CHECK(contiguous.time() == 1 + 1 + 1);
  CHECK(contiguous.total().sectors() == 8 + 8);
  const RunReport strided = copy(32);
  CHECK(strided.total().io() == 64 + 2);
  CHECK(strided.time() == 32 + 1 + 1);
  CHECK(strided.total().sectors() == 64 + 8);
}

TEST_CASE("accumulating is atomic, also where no two processors meet", "[model][pram][on_agpu]") {
  Pram pram = test::recording(PramAccess::sum);
  const PramArray a = pram.array(numbers(20), "a");
  pram.step("accumulate", 20, [&](PramProcessor& p) { p.accumulate(a, p.id(), 1); });
  pram.step("write", 20, [&](PramProcessor& p) { p.write(a, p.id(), 1); });
  const RunReport report = price_on_agpu(pram.trace(), small_machine(8, 1, 4));
  REQUIRE(report.phases.size() == 2);
  CHECK(report.phases[0].counts.global_atomic == GlobalCounts{3, 3, 3});
  CHECK(report.phases[0].counts.serialised == 0);
  CHECK(report.phases[0].contention == 1);
  CHECK(report.phases[0].atomic_blocks == 3);
  CHECK(report.phases[1].counts.global_write == GlobalCounts{3, 3, 3});
  CHECK(report.phases[1].contention == 0);
  CHECK(report.phases[1].atomic_blocks == 0);
}

TEST_CASE("processors without an access are inactive lanes", "[model][pram][on_agpu]") {
  // b = 8, V = 16, 20 processors: warps 0, 1 and a half-full warp 2. Only the first three read, and
  // the last five write; the others compute.
  Pram pram = test::recording(PramAccess::erew);
  const PramArray a = pram.array(numbers(20), "a");
  const PramArray z = pram.array(20, "z");
  pram.step("few", 20, [&](PramProcessor& p) {
    if (p.id() < 3) (void)p.read(a, p.id());
    if (p.id() >= 15) p.write(z, p.id(), 1);
  });
  AgpuSpec spec = small_machine(8, 2, 1);
  const RunReport report = price_on_agpu(pram.trace(), spec);
  REQUIRE(report.phases.size() == 1);
  const PhaseReport& phase = report.phases[0];
  CHECK(phase.tasks == 2);
  CHECK(phase.counts.alu == 3);
  CHECK(phase.counts.idle == 0);
  CHECK(phase.counts.global_read == GlobalCounts{1, 1, 1});
  CHECK(phase.counts.global_write == GlobalCounts{2, 2, 2});
  CHECK(phase.counts.active_lanes == 20 + 3 + 5);
  CHECK(phase.counts.lane_slots == 6 * 8);
  CHECK(phase.counts.rounds == 1);
  CHECK(phase.time == 6);
  spec.skip_empty = false;  // the fourth warp and idle lanes issue too: 3 instructions of 4 warps
  const RunReport literal = price_on_agpu(pram.trace(), spec);
  CHECK(literal.phases[0].counts.alu == 4);
  CHECK(literal.phases[0].counts.idle == 3 + 2);
  CHECK(literal.time() == 12);
}

TEST_CASE("one instruction may touch several arrays, each block-aligned",
          "[model][pram][on_agpu]") {
  Pram pram = test::recording(PramAccess::erew);
  const PramArray odd = pram.array(numbers(3), "odd");
  const PramArray x = pram.array(numbers(8), "x");
  const PramArray y = pram.array(numbers(8), "y");
  pram.step("choose", 8, [&](PramProcessor& p) {
    (void)p.read(p.id() % 2 == 0 ? x : y, p.id());
    if (p.id() < 3) (void)p.read(odd, p.id());
  });
  const RunReport report = price_on_agpu(pram.trace(), small_machine(8, 1, 1));
  CHECK(report.total().global_read == GlobalCounts{2, 2 + 1, 2 + 1});
  CHECK(report.total().rounds == 1);
  CHECK(report.global_words_peak == 19);
  CHECK(report.host_words_in == 19);
}

TEST_CASE("every read instruction is priced by the definition",
          "[model][pram][on_agpu][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 200; ++repeat) {
    const I32 b = static_cast<I32>(I64{1} << below(random, 6));
    const AgpuSpec spec =
        small_machine(b, static_cast<I32>(1 + below(random, 3)), 1 + below(random, 4), 64);
    const I64 size = 1 + below(random, 300);
    const I64 processors = 1 + below(random, 100);
    Pram pram = test::recording(PramAccess::crew);
    const PramArray a = pram.array(numbers(size), "a");
    std::vector<I64> cells(static_cast<std::size_t>(2 * processors));
    for (I64& cell : cells) cell = below(random, size);
    std::map<std::pair<I64, I64>, std::vector<I64>> requests;  // (warp, turn) -> cells
    for (I64 i = 0; i < processors; ++i) {
      for (I64 turn = 0; turn < i % 3; ++turn) {
        requests[{i / b, turn}].push_back(cells[static_cast<std::size_t>(2 * i + turn)]);
      }
    }
    pram.step("read", processors, [&](PramProcessor& p) {
      for (I64 turn = 0; turn < p.id() % 3; ++turn) {
        (void)p.read(a, cells[static_cast<std::size_t>(2 * p.id() + turn)]);
      }
    });
    GlobalCounts wanted;
    for (const auto& [key, elements] : requests) {
      wanted += GlobalCounts{1, reference::units(elements, 1, b),
                             reference::units(elements, 1, spec.sector_words())};
    }
    CAPTURE(repeat, b, spec.width, size, processors);
    const RunReport report = price_on_agpu(pram.trace(), spec);
    REQUIRE(report.total().global_read == wanted);
    REQUIRE(report.total().alu == (processors + b - 1) / b);
    REQUIRE(report.phases[0].tasks == (processors + spec.width - 1) / spec.width);
  }
}

TEST_CASE("an impossible machine is refused, a run without steps is free",
          "[model][pram][on_agpu]") {
  AgpuSpec spec = small_machine();
  CHECK(price_on_agpu(PramTrace{}, spec).time() == 0);
  spec.block_words = 0;
  CHECK_THROWS_AS(price_on_agpu(PramTrace{}, spec), UsageError);
}

}  // namespace
}  // namespace agpusim
