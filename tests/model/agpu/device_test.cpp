#include <fstream>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim {
namespace {

TEST_CASE("a phase is charged by hand-counted rules", "[model][device]") {
  // b = 8: lanes read a[0..7], a[1..8], a[0], write column-wise; all numbers by R7-R9.
  SimulatedDevice device(small_machine(8, 1, 2));
  const auto a = device.allocate<I32>(64, "a");
  device.launch(3, TestKernel{[](auto& mp, auto x) {
                  const auto lane = mp.lane();
                  (void)x.read(lane);          // 1 block
                  (void)x.from(1).read(lane);  // 2 blocks
                  const auto zero = lane * 0;  // 1
                  (void)x.read(zero);          // 1 block, a broadcast
                  const auto tile = mp.template shared<I32>(64, "tile");
                  tile.write(lane * 8, lane);      // 1, then 8 lanes in one bank: 8
                  tile.write(lane * 8 + 1, lane);  // 2, then 8
                  mp.sync();
                  (void)tile.read(zero);                                  // a broadcast: 1
                  mp.when(lane < 2, [&] { (void)tile.read(lane * 8); });  // 1, 1, then 2
                }},
                a);
  const RunReport report = device.report();
  REQUIRE(report.phases.size() == 1);
  const PhaseReport& phase = report.phases[0];
  const Counts& all = phase.counts;
  REQUIRE(all.alu % 3 == 0);
  CHECK(all.alu == 3 * (1 + 1 + 2 + 1 + 1));
  CHECK(all.global_read == GlobalCounts{9, 12, 12});
  CHECK(all.shared_write == SharedCounts{6, 48, 42});
  CHECK(all.shared_read == SharedCounts{6, 9, 3});
  CHECK(all.time() == 3 * (6 + 4 + 16 + 3));
  CHECK(phase.max_task_time == 29);
  CHECK(phase.time == 58);  // tasks 0 and 2 share a multiprocessor
  CHECK(phase.io_max == 8);
  CHECK(phase.shared_words == 64);
  CHECK(report.time() == 58);
  CHECK(report.time_total_max == 58);
  CHECK(report.shared_bits() == 64 * 32);
  CHECK(report.global_bits() == 64 * 32);
  check_invariants(report);
}

TEST_CASE("strict banks serialise a broadcast", "[model][device]") {
  AgpuSpec spec = small_machine();
  spec.bank_mode = BankMode::strict;
  SimulatedDevice device(spec);
  device.launch(1, TestKernel{[](auto& mp) {
                  const auto tile = mp.template shared<I32>(8, "tile");
                  tile.write(mp.lane(), mp.lane());
                  mp.sync();
                  (void)tile.read(mp.lane() * 0);
                }});
  CHECK(device.report().total().shared_read.wavefronts == 8);
}

TEST_CASE("shared atomics of one word serialise", "[model][device]") {
  SimulatedDevice device(small_machine());
  const auto out = device.allocate<I32>(1, "out");
  device.launch(1, TestKernel{[](auto& mp, auto to) {
                  const auto bins = mp.template shared<I32>(8, "bins");
                  bins.write(mp.lane(), mp.lane() * 0);
                  mp.sync();
                  bins.atomic_add(mp.lane() * 0 + 3, mp.varying(I32{2}));
                  mp.sync();
                  mp.when(mp.lane() == 3, [&] { to.write(mp.lane() * 0, bins.read(mp.lane())); });
                }},
                out);
  CHECK(device.download(out)[0] == 16);
  CHECK(device.report().total().shared_atomic == SharedCounts{1, 8, 7});
}

TEST_CASE("global memory in use at once is reported, freed arrays do not count",
          "[model][device]") {
  SimulatedDevice device(small_machine());
  (void)device.allocate<I32>(100, "gone at once");
  const auto a = device.allocate<std::uint64_t>(10, "two words each");
  CHECK(device.report().global_words_peak == 100);
  const auto b = device.allocate<I32>(200, "b");
  CHECK(device.report().global_words_peak == 220);
  device.upload<I32>(b, std::vector<I32>(200));
  (void)device.download(a);
  CHECK(device.report().host_words_in == 200);
  CHECK(device.report().host_words_out == 20);
}

TEST_CASE("a launch without tasks is no phase", "[model][device]") {
  SimulatedDevice device(small_machine());
  device.launch(0, TestKernel{[](auto&) {}});
  CHECK(device.report().phases.empty());
  CHECK(device.report().time() == 0);
}

TEST_CASE("an upload of the wrong size is refused", "[model][device]") {
  SimulatedDevice device(small_machine());
  const auto a = device.allocate<I32>(4, "a");
  CHECK_THROWS_AS(device.upload<I32>(a, std::vector<I32>(5)), UsageError);
}

TEST_CASE("origins beyond 2^31 elements work with 32-bit lane indices", "[model][device]") {
  AgpuSpec spec = small_machine();
  spec.word_bits = 64;
  SimulatedDevice device(spec, {1, false, true, {}});
  constexpr std::int64_t size = (std::int64_t{1} << 31) + 64;
  const auto a = device.allocate<std::uint8_t>(size, "large");
  device.launch(1, TestKernel{[](auto& mp, auto x) {
                  const auto tail = x.from(size - 8);
                  tail.write(mp.lane(), cast<std::uint8_t>(mp.lane() + 1));
                  (void)tail.read(mp.lane());
                }},
                a);
  CHECK(device.report().total().global_write == GlobalCounts{1, 1, 1});  // 8 bytes are a word
}

TEST_CASE("counts and results do not depend on the host threads", "[model][device][threads]") {
  const auto run = [](int threads) {
    SimulatedDevice device(small_machine(8, 2, 3), {threads, true, true, {}});
    const auto in = device.allocate<I32>(4096, "in");
    const auto bins = device.allocate<I32>(16, "bins");
    std::vector<I32> values(4096);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<I32>(i * i % 13);
    device.upload<I32>(in, values);
    for (int phase = 0; phase < 3; ++phase) {
      device.launch(256, TestKernel{[](auto& mp, auto x, auto h) {
                      const auto key = x.from(mp.task() * 16).read(mp.lane());
                      mp.when((key & 1) == 0, [&] { h.atomic_add(key, mp.varying(I32{1})); });
                    }},
                    in, bins);
    }
    return std::pair(device.report(), device.download(bins));
  };
  const auto [report, bins] = run(1);
  for (const int threads : {2, 3, 0}) {
    const auto [other, other_bins] = run(threads);
    CHECK(other.phases == report.phases);
    CHECK(other.time_total_max == report.time_total_max);
    CHECK(other_bins == bins);
  }
  CHECK(report.phases[0].contention > 1);
}

TEST_CASE("progress tells the tasks of each phase", "[model][device]") {
  for (const int threads : {1, 3}) {
    std::vector<SimulationProgress> seen;
    SimulationOptions options{.threads = threads};
    options.progress = [&](const SimulationProgress& progress) { seen.push_back(progress); };
    SimulatedDevice device(small_machine(), options);
    for (const std::int64_t tasks : {100, 1}) {
      device.launch(tasks, TestKernel{[](auto& mp) { (void)(mp.lane() + 1); }});
    }
    REQUIRE(seen.size() > 2);
    std::int64_t before = 0;
    for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
      CHECK(seen[i].phases == 0);
      CHECK(seen[i].tasks == 100);
      CHECK(seen[i].tasks_done > before);
      before = seen[i].tasks_done;
    }
    CHECK(before == 100);
    CHECK(seen.back().phases == 1);
    CHECK(seen.back().tasks_done == 1);
  }
}

TEST_CASE("arrays that the host cannot hold are refused before they take memory",
          "[model][device]") {
  AgpuSpec spec = small_machine();
  spec.word_bits = 64;
  SimulatedDevice device(spec);
  std::vector<GlobalArray<I32>> arrays;
  const auto fill = [&] {
    for (int i = 0; i < 1 << 16; ++i) {  // 2^16 x 16 GiB
      arrays.push_back(device.allocate<I32>(std::int64_t{1} << 32, "table"));
    }
  };
  CHECK_THROWS_AS(fill(), UsageError);
  const std::size_t most = arrays.size();
  CHECK(most < 1 << 16);
  // What is given back can be had again.
  arrays.clear();
  for (std::size_t i = 0; i < most; ++i) {
    arrays.push_back(device.allocate<I32>(std::int64_t{1} << 32, "table"));
  }
  CHECK_THROWS_AS(device.allocate<I32>(std::int64_t{1} << 32, "table"), UsageError);
}

TEST_CASE("M and what tasks reserve of it may be far larger than what they touch",
          "[model][device]") {
  // The most kilobytes of the host that this process had since the last call.
  const auto peak = [] {
    std::ifstream status("/proc/self/status");
    std::int64_t kilobytes = 0;
    for (std::string word; status >> word;) {
      if (word == "VmHWM:") status >> kilobytes;
    }
    std::ofstream("/proc/self/clear_refs") << 5;
    return kilobytes;
  };
  AgpuSpec spec = small_machine(8, 1, 2);
  spec.shared_words = std::int64_t{1} << 26;  // 805 MB with the shadows of the words
  (void)peak();
  const std::int64_t before = peak();
  SimulatedDevice device(spec, {1, true, true, {}});
  const auto out = device.allocate<I32>(16, "out");
  device.launch(2, TestKernel{[](auto& mp, auto x) {
                  const auto first = mp.template shared<I32>(8, "first");
                  first.write(mp.lane(), mp.lane());
                  const auto second = mp.template shared<I32>(60'000'000, "second");
                  second.write(mp.lane() + 99'992, mp.lane());
                  mp.sync();
                  x.from(mp.task() * 8)
                      .write(mp.lane(), first.read(mp.lane()) + second.read(mp.lane() + 99'992));
                }},
                out);
  CHECK(device.download(out) ==
        std::vector<I32>{0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14});
  CHECK(peak() - before < 50'000);
}

TEST_CASE("changing k leaves the I/O unchanged", "[model][device]") {  // Lemma 2.2
  const auto io = [](std::int64_t k) {
    SimulatedDevice device(small_machine(8, 1, k));
    const auto a = device.allocate<I32>(1000, "a");
    device.launch(
        125, TestKernel{[](auto& mp, auto x) { (void)x.from(mp.task() * 8).read(mp.lane()); }}, a);
    return device.report().total().io();
  };
  CHECK(io(1) == 125);
  CHECK(io(7) == 125);
  CHECK(io(1000) == 125);
}

}  // namespace
}  // namespace agpusim
