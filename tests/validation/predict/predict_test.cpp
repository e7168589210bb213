#include "agpusim/validation/predict/predict.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/predict/residency.hpp"

using namespace agpusim;
using agpusim::test::fake_device;

// The fake device has 10 multiprocessors at 1 cycle/ns; 500 ns of memory and 200 ns of L2 latency;
// 3 us for the first launch, 0.5 us more of it where every multiprocessor has a CTA, and 2 us for
// each further one; terms add up (exponent 1). Expectations are worked out by hand, in nanoseconds.
namespace {

AgpuSpec spec_of(std::int32_t width) {
  AgpuSpec spec = test::fake_config(32).spec;
  spec.width = width;
  return spec;
}

PhaseReport tasks(std::int64_t count) {
  return PhaseReport{.tasks = count, .execution = {.counted = true}};
}

PhaseReport with(PhaseReport phase, Op op, std::int64_t count, bool wide = false) {
  phase.execution.total.operations[static_cast<std::size_t>(op) + (wide ? op_kinds : 0)] = count;
  return phase;
}

/// `read` and `written` sectors of two arrays of that size, each sector once.
PhaseReport transfer(std::int64_t read, std::int64_t written) {
  PhaseReport phase = tasks(10);
  Execution& total = phase.execution.total;
  total.misses = read;
  total.read_sectors[0] = read;
  total.written_sectors[1] = written;
  phase.execution.array_sectors[0] = read;
  phase.execution.array_sectors[1] = written;
  return phase;
}

PhaseTerms terms(const PhaseReport& phase, std::int32_t width = 32) {
  const DeviceFile device = fake_device();
  return terms_of(spec_of(width), {phase}, device, FittedConstants::of(device)).front();
}

/// Terms of the second of two equal phases.
PhaseTerms later_terms(const PhaseReport& phase) {
  const DeviceFile device = fake_device();
  return terms_of(spec_of(32), {phase, phase}, device, FittedConstants::of(device)).back();
}

Prediction prediction(const std::vector<PhaseReport>& phases) {
  return predict(spec_of(32), phases, fake_device());
}

}  // namespace

TEST_CASE("launches follow each other, the first one with its cold start",
          "[validation][predict]") {
  CHECK(1e6 * prediction({tasks(1)}).milliseconds == Approx(3000 + 50));  // 1 of 10 SMs
  CHECK(1e6 * prediction({tasks(10)}).milliseconds == Approx(3500));
  CHECK(1e6 * prediction({tasks(1000)}).milliseconds == Approx(3500));
  const Prediction three = prediction({tasks(10), tasks(10), tasks(10)});
  CHECK(1e6 * three.milliseconds == Approx(3500 + 2 * 2000));
  CHECK(three.limit == "launch");
  FittedConstants fitted = FittedConstants::of(fake_device());
  fitted.second_launch = 0.7;
  const auto of = [&](std::size_t phases) {
    return 1e6 * combine(std::vector<PhaseTerms>(phases), fitted).milliseconds;
  };
  CHECK(of(2) == Approx(3500 + 700));
  CHECK(of(4) == Approx(3500 + 700 + 2 * 2000));
}

TEST_CASE("of atomics and bandwidth the slower one counts", "[validation][predict]") {
  const FittedConstants fitted = FittedConstants::of(fake_device());
  PhaseTerms both{.bandwidth = 200, .atomics = 300};
  const double none = combine({PhaseTerms{}}, fitted).milliseconds;
  CHECK(1e6 * (combine({both}, fitted).milliseconds - none) == Approx(300));
  CHECK(combine({both}, fitted).parts.count("bandwidth") == 0);
}

TEST_CASE("scattered accesses are slow though their execution was not counted",
          "[validation][predict]") {
  PhaseReport phase{.tasks = 10};
  const GlobalCounts scattered = {100, 4000, 4000};
  phase.counts.global_write = scattered;
  CHECK(terms(phase).bandwidth == Approx(4000 / 4.0));  // all in L2: the rate of blocks
  phase.counts.global_write = {};
  phase.counts.global_read = scattered;
  CHECK(terms(phase).bandwidth == Approx(4000 / 5.0));
}

TEST_CASE("instructions issue on four schedulers and on the pipes of their kind",
          "[validation][predict]") {
  CHECK(terms(with(tasks(1), Op::add, 1000)).issue == Approx(1000));     // one warp, one scheduler
  CHECK(terms(with(tasks(20), Op::add, 20'000)).issue == Approx(1000));  // two on each SM
  CHECK(terms(with(tasks(80), Op::add, 80'000)).issue == Approx(2000));  // eight on four
  CHECK(terms(with(tasks(81), Op::add, 81'000)).issue == Approx(4000));  // sixteen on one SM
  CHECK(terms(with(tasks(1), Op::logic, 1000)).issue == Approx(2000));   // every second cycle
  CHECK(terms(with(tasks(1), Op::multiply, 1000)).issue == Approx(2000));
  CHECK(terms(with(tasks(1), Op::add, 1000, true)).issue == Approx(2000));  // two instructions
  PhaseReport phase = tasks(1);
  phase.execution.total.views = 100;
  phase.execution.total.guards = 50;
  phase.execution.total.rounds = 25;
  phase.counts.global_read.requests = 30;
  phase.counts.shared_write.requests = 10;
  CHECK(terms(phase).issue == Approx(550 + 50 + 50 + 60 + 13));
  PhaseReport stages = tasks(1);
  stages.execution.total.syncs = 7;  // each with ten scalar instructions, of 32 warps on 4
  CHECK(terms(stages, 1024).issue == Approx(7 * 11 * 32 / 4));
}

TEST_CASE("scalar instructions are those of every warp", "[validation][predict]") {
  DeviceFile device = fake_device();
  for (Constant& constant : device.constants) {
    if (constant.name == "prologue_instructions") constant.value = 100;
  }
  FittedConstants fitted = FittedConstants::of(device);
  fitted.prologue_cycles = 5;
  const auto of = [&](std::int32_t width, std::int64_t count, std::int64_t executed) {
    PhaseReport phase = tasks(count);
    phase.instructions = executed;
    phase.execution.total.operations[static_cast<std::size_t>(Op::add)] = 40;
    phase.execution.total.views = 1;  // takes 5.5 instructions
    return terms_of(spec_of(width), {phase}, device, fitted).front();
  };
  CHECK(of(32, 1, 0).issue == Approx(145.5));
  CHECK(of(1024, 1, 0).issue == Approx(45.5 / 4 + 800));  // 32 warps on 4 schedulers
  // The latency of the first task of a slot is part of its launch.
  CHECK(of(32, 1, 0).latency == 0);
  CHECK(of(32, 641, 0).latency == Approx(500));   // 64 slots on each of 10 SMs
  CHECK(of(1024, 21, 0).latency == Approx(800));  // more than 5 cycles each
  // Instructions of compiled kernels take their place.
  CHECK(of(32, 1, 60).issue == Approx(60));
  CHECK(of(32, 641, 46 + 641 * 20).latency == Approx(5 * (641 * 20 + 0.5) / 641));
  CHECK(of(32, 641, 30).latency == 0);
  CHECK(of(32, 641, 10'000'000).latency == Approx(5 * 300));  // long loops are no prologue
}

TEST_CASE("a phase of its own width costs what it costs a machine of that width",
          "[validation][predict]") {
  DeviceFile device = fake_device();
  device.set({"prologue_instructions", 100, "1", "test", "", "2026-11-20"});
  PhaseReport phase = with(tasks(81), Op::add, 81'000);
  phase.shared_words = 5000;
  phase.counts.rounds = 81;
  phase.execution.total.syncs = 7;
  phase.execution.live_values = 13;
  phase.execution.total.lone.fill(81 * 100 * lone_units);
  phase.execution.longest.fill(150 * lone_units);
  PhaseReport wide = phase;
  wide.width = 128;
  const double milliseconds = predict(spec_of(128), {phase}, device).milliseconds;
  CHECK(milliseconds != Approx(predict(spec_of(32), {phase}, device).milliseconds));
  CHECK(predict(spec_of(32), {wide}, device).milliseconds == Approx(milliseconds));
  CHECK(predict(spec_of(1024), {wide}, device).milliseconds == Approx(milliseconds));
  CHECK(warps_of(spec_of(32), wide) == 81 * 4);
}

TEST_CASE("a phase that knows its instructions executes these", "[validation][predict]") {
  DeviceFile device = fake_device();
  device.set({"prologue_instructions", 100, "1", "test", "", "2026-11-20"});
  const auto of = [&](const PhaseReport& phase) {
    return terms_of(spec_of(32), {phase}, device, FittedConstants::of(device)).front();
  };
  PhaseReport phase = with(tasks(1), Op::add, 40);
  CHECK(of(phase).issue == Approx(40 + 13));  // it computes no view
  phase.execution.total.views = 1;
  CHECK(of(phase).issue == Approx(40 + 5.5 + 100));
  phase.instructions = 60;
  CHECK(of(phase).issue == Approx(60));
  CHECK(of(phase).chain.prologue == Approx(60 - 45.5));
}

TEST_CASE("phases with equal terms are predicted together as one by one", "[validation][predict]") {
  const DeviceFile device = fake_device();
  const FittedConstants fitted = FittedConstants::of(device);
  PhaseReport pass = with(tasks(81), Op::add, 81'000);
  PhaseReport other = pass;
  other.counts.rounds = 81;
  const auto all = terms_of(spec_of(32), {pass, other, pass, other, pass}, device, fitted);
  const auto few = merged(all);
  CHECK(few.size() == 3);  // the first one fetches the code
  CHECK(combine(few, fitted).milliseconds == Approx(combine(all, fitted).milliseconds));
}

TEST_CASE("code is fetched by the first phase that runs it", "[validation][predict]") {
  const DeviceFile device = fake_device();
  const auto codes = [&](const std::vector<std::pair<std::string, std::int64_t>>& kernels) {
    std::vector<PhaseReport> phases;
    for (const auto& [kernel, instructions] : kernels) {
      phases.push_back(with(tasks(5), Op::add, 5 * instructions));
      phases.back().kernel = kernel;
    }
    std::vector<double> result;
    for (const PhaseTerms& terms :
         terms_of(spec_of(32), phases, device, FittedConstants::of(device))) {
      result.push_back(terms.code);
    }
    return result;
  };
  const std::vector<double> code =
      codes({{"short", 100}, {"long", 5000}, {"short", 100}, {"none", 0}});
  CHECK(code.at(0) == Approx(210));
  CHECK(code.at(1) == Approx(2.1 * 700));
  CHECK(code.at(2) == 0);
  CHECK(code.at(3) == 0);
}

TEST_CASE("nothing overlaps the first read of a phase, and it is part of the latency",
          "[validation][predict]") {
  FittedConstants fitted = FittedConstants::of(fake_device());
  fitted.overlap = 2;
  fitted.overlap_growth = 0;
  const auto milliseconds = [&](double bandwidth, double latency, double fill) {
    PhaseTerms phase{.bandwidth = bandwidth, .latency = latency, .fill = fill};
    return 1e6 * combine({phase}, fitted).milliseconds -
           1e6 * combine({PhaseTerms{}}, fitted).milliseconds;
  };
  CHECK(milliseconds(3000, 4000, 0) == Approx(5000));
  CHECK(milliseconds(3000, 5000, 1000) == Approx(1000 + 5000));
  CHECK(milliseconds(3000, 500, 1000) == Approx(500 + 3000));
  PhaseReport phase = tasks(10);
  CHECK(terms(phase).fill == 0);
  phase.counts.rounds = 10;
  CHECK(terms(phase).fill > 0);
}

TEST_CASE("a multiprocessor takes a wavefront or a block of reads in a cycle, one of writes in two",
          "[validation][predict]") {
  PhaseReport phase = tasks(10);
  phase.counts.shared_read = {3000, 5000, 2000};
  phase.counts.global_write = {1000, 1000, 4000};
  CHECK(terms(phase).shared == Approx(500 + 200));
  phase.counts.global_read = {100, 3200, 3200};
  phase.counts.global_atomic = {700, 900, 900};
  CHECK(terms(phase).shared == Approx(500 + 200 + 320 + 70));
}

TEST_CASE("memory moves copies, reads and writes, the L2 cache what fits",
          "[validation][predict]") {
  // 2 x 0.5 GB at 1000 bytes/ns and 0.85 GB more, read at 1100 or written at 1200.
  CHECK(terms(transfer(42'187'500, 15'625'000)).bandwidth == Approx(1e6 + 0.85e9 / 1100));
  CHECK(terms(transfer(15'625'000, 42'187'500)).bandwidth == Approx(1e6 + 0.85e9 / 1200));
  // 2^20 bytes fit: the first phase reads memory, the second one the cache at 4000 bytes/ns.
  const PhaseReport small = transfer((1 << 20) / 32, 0);
  CHECK(terms(small).bandwidth == Approx((1 << 20) / 1100.0));
  CHECK(later_terms(small).bandwidth == Approx((1 << 20) / 4000.0));
  CHECK(later_terms(transfer(0, (1 << 20) / 32)).bandwidth == Approx(1.7 * (1 << 20) / 4000.0));
  // Half of a footprint of 1.1 x 2^20 is served.
  const double bytes = std::floor(1.1 * (1 << 20) / 32) * 32;
  const PhaseReport larger = transfer(static_cast<std::int64_t>(bytes / 32), 0);
  CHECK(later_terms(larger).bandwidth == Approx(bytes / 2 / 1100).epsilon(1e-3));
}

TEST_CASE("what is read again comes from the L2 cache where it fits", "[validation][predict]") {
  PhaseReport phase = transfer(1000, 0);
  phase.execution.total.misses = 100'000;
  CHECK(terms(phase).bandwidth == Approx(3.2e6 / 4000));
}

TEST_CASE("accesses that spread over blocks take the rate of blocks", "[validation][predict]") {
  PhaseReport phase = transfer(100, 100);
  phase.execution.total.scattered_reads = 60'000;
  phase.execution.total.misses = 50'000;  // 5 per ns; the L1 cache serves the others
  CHECK(terms(phase).bandwidth == Approx(10'000));
  phase.execution.total.scattered_writes = 80'000;  // 4 per ns
  CHECK(terms(phase, 64).bandwidth == Approx(20'000));
  CHECK(terms(phase, 32).bandwidth == Approx(20'000));
  PhaseReport atomic = phase;  // half of its writes are atomic operations
  atomic.counts.global_atomic = {40'000, 1, 40'000};
  CHECK(terms(atomic, 64).bandwidth == Approx(10'000));
  PhaseReport large = transfer(20'000, 20'000);  // more than the L2 cache holds
  large.execution.total.scattered_writes = 80'000;
  CHECK(terms(large, 64).bandwidth == Approx(20'000));
  CHECK(terms(large, 32).bandwidth == Approx(40'000));  // single warps write 2 per ns
}

TEST_CASE("atomics take the rate of their footprint, and one word serialises",
          "[validation][predict]") {
  const auto atomics = [](std::int64_t requests, std::int64_t sectors, std::int64_t footprint) {
    PhaseReport phase = tasks(10);
    phase.counts.global_atomic = {requests, 1, sectors};
    phase.contention = 1;
    phase.atomic_blocks = footprint / 128;
    return phase;
  };
  const auto time = [](const PhaseReport& phase) { return terms(phase).atomics; };
  CHECK(time(atomics(2'000, 64'000, 1 << 20)) == Approx(1000));  // 64 per ns
  CHECK(time(atomics(2'000, 64'000, 1 << 26)) == Approx(4000));  // 16 per ns
  CHECK(time(atomics(2'000, 64'000, 1LL << 40)) == Approx(4000));
  // Halfway between 2^25 and 2^26 bytes on a logarithmic scale: sqrt(64 * 16) per ns.
  CHECK(time(atomics(2'000, 64'000, 47'453'133)) == Approx(2000).epsilon(1e-4));
  CHECK(time(atomics(2'000, 4'000, 128)) == Approx(1000));  // 4 per ns, in one block
  PhaseReport phase = atomics(2'000, 4'000, 1 << 20);
  phase.counts.serialised = 6'000;  // 4 lanes on a word on average: 16000 operations
  CHECK(time(phase) == Approx(250));
  phase.counts.serialised = 2'000'000;  // never more than the lanes there are: 64000
  CHECK(time(phase) == Approx(1000));
  phase.contention = 5'000;  // 1 per ns
  CHECK(time(phase) == Approx(5000));
  CHECK(terms(tasks(1)).atomics == 0);
}

TEST_CASE("a lone task waits as long as its reads' latency says", "[validation][predict]") {
  // 280, 560, 900 and 1500 cycles were counted as 1000, 2000, 4000 and 8000.
  PhaseReport phase = transfer(1000, 0);
  phase.tasks = 1;
  for (Moments* const lone : {&phase.execution.total.lone, &phase.execution.longest}) {
    *lone = {1000 * lone_units, 2000 * lone_units, 4000 * lone_units, 8000 * lone_units};
  }
  CHECK(terms(phase).latency == Approx(1000 + 1000.0 * 220 / 280));       // memory: 500
  CHECK(later_terms(phase).latency == Approx(1000 - 1000.0 * 80 / 280));  // L2: 200
}

TEST_CASE("tasks beyond the resident ones wait for their turn", "[validation][predict]") {
  const auto latency = [](std::int64_t count, std::int64_t shared_words, std::int32_t width,
                          std::int64_t live = 0) {
    PhaseReport phase = tasks(count);
    phase.shared_words = shared_words;
    phase.execution.live_values = live;
    phase.execution.total.lone.fill(100 * lone_units * count);
    phase.execution.longest.fill(150 * lone_units);
    return terms(phase, width).latency;
  };
  CHECK(latency(1, 0, 32) == Approx(150));
  CHECK(latency(640, 0, 32) == Approx(150));  // 10 SMs of 64 warps
  CHECK(latency(641, 0, 32) == Approx(250));
  CHECK(latency(30, 14528, 32) == Approx(150));  // three tasks of 58112 bytes in 200000
  CHECK(latency(31, 14528, 32) == Approx(250));
  CHECK(latency(20, 0, 1024) == Approx(150));  // two of 32 warps
  // 13 values and 20 scalars in 40 registers of 32 lanes: of 65536, those of 51 warps.
  CHECK(latency(510, 0, 32, 13) == Approx(150));
  CHECK(latency(511, 0, 32, 13) == Approx(250));
  CHECK(latency(21, 0, 1024) == Approx(250));
  CHECK(latency(10, 0, 1024, 40) == Approx(150));  // 64 registers of 65536: one CTA
  CHECK(latency(11, 0, 1024, 40) == Approx(250));
}

TEST_CASE("the device's file says how many tasks reside and how many warps issue",
          "[validation][predict]") {
  const auto with = [](const char* constant, double value) {
    DeviceFile device = fake_device();
    device.set({constant, value, "1", "test", "", "2026-11-20"});
    return device;
  };
  const auto of = [](const DeviceFile& device, PhaseReport phase) {
    phase.execution.total.operations[static_cast<std::size_t>(Op::add)] = 8 * phase.tasks;
    phase.execution.total.lone.fill(100 * lone_units * phase.tasks);
    phase.execution.longest.fill(150 * lone_units);
    return terms_of(spec_of(32), {phase}, device, FittedConstants::of(device)).front();
  };
  PhaseReport registers = tasks(161);
  registers.execution.live_values = 40;                        // 64 registers of each lane
  CHECK(of(fake_device(), registers).latency == Approx(150));  // 32 warps on each of 10 SMs
  const DeviceFile half = with("registers_per_multiprocessor", 32'768);
  CHECK(of(half, registers).latency == Approx(250));  // 16 warps
  registers.tasks = 160;
  CHECK(of(half, registers).latency == Approx(150));
  registers.tasks = 640;
  CHECK(of(fake_device(), registers).tasks == 32);
  CHECK(of(with("registers_per_thread", 32), registers).tasks == 64);
  registers.registers = 121;  // 128 of each lane, whatever values live
  CHECK(of(fake_device(), registers).tasks == 16);

  PhaseReport shared = tasks(30);
  shared.shared_words = 14'528;  // 58112 bytes of 200000
  CHECK(of(fake_device(), shared).tasks == 3);
  const DeviceFile reserving = with("reserved_shared_bytes_per_cta", 30'000);
  CHECK(of(reserving, shared).tasks == 2);
  const RunConfig config = test::fake_config(32);
  shared.shared_words = 42'500;  // 170000 bytes
  CHECK(why_not_resident(config, {shared}, reserving).empty());
  shared.shared_words = 42'501;
  CHECK(why_not_resident(config, {shared}, fake_device()).empty());
  CHECK_THAT(why_not_resident(config, {shared}, reserving), says("needs 200,004 bytes"));
  PhaseReport wide = tasks(1);
  wide.width = 512;
  wide.registers = 128;  // 65536
  CHECK(why_not_resident(config, {wide}, fake_device()).empty());
  wide.width = 544;
  CHECK_THAT(why_not_resident(config, {wide}, fake_device()), says("needs 69,632 registers"));

  const PhaseTerms four = of(fake_device(), tasks(80));  // eight warps on each SM
  const PhaseTerms two = of(with("schedulers_per_multiprocessor", 2), tasks(80));
  CHECK(four.issuing == 4);
  CHECK(two.issuing == 2);
  CHECK(two.issue == Approx(2 * four.issue));
}

TEST_CASE("terms combine by a norm and keep their shares", "[validation][predict]") {
  const DeviceFile device = fake_device();
  FittedConstants fitted = FittedConstants::of(device);
  PhaseTerms phase;
  phase.issue = 4000;  // 16 warps on 4 schedulers; a quarter is in the latency of each
  phase.latency = 4000;
  phase.bandwidth = 12'000;
  phase.warps = 16;
  phase.issuing = 4;
  phase.filled = 1 / device.value("multiprocessors");
  Prediction added = combine({phase}, fitted);
  CHECK(1e6 * added.milliseconds == Approx(3050 + 19'000));
  CHECK(1e6 * added.parts.at("bandwidth") == Approx(12'000));
  CHECK(added.limit == "bandwidth");
  fitted.overlap = 2;  // 5000 in the core, 13000 with memory
  const Prediction squares = combine({phase}, fitted);
  CHECK(1e6 * squares.milliseconds == Approx(3050 + 13'000));
  CHECK(1e6 * squares.parts.at("bandwidth") == Approx(144.0 / 169 * 13'000));
  CHECK(1e6 * squares.parts.at("issue") == Approx(9.0 / 25 * 25 / 169 * 13'000));
  double sum = 0;
  for (const auto& [limit, milliseconds] : squares.parts) sum += milliseconds;
  CHECK(sum == Approx(squares.milliseconds));
  fitted.overlap = 1;
  fitted.overlap_growth = 0.5;
  phase.tasks = 4;  // exponent 2 for the core and 3 with memory
  CHECK(1e6 * combine({phase}, fitted).milliseconds ==
        Approx(3050 + std::cbrt(std::pow(5000, 3) + std::pow(12'000, 3))));
  phase.issue = 0;
  phase.latency = 0;
  phase.bandwidth = 0;
  phase.shared = 1600;  // a sixteenth is the warp's own
  CHECK(1e6 * combine({phase}, fitted).milliseconds == Approx(3050 + 1500));
  phase.atomics = 13'000;
  CHECK(combine({phase}, fitted).parts.contains("atomics"));
  CHECK_FALSE(combine({phase}, fitted).parts.contains("bandwidth"));
}

TEST_CASE("phases whose execution was not counted are predicted from their counts",
          "[validation][predict]") {
  PhaseReport phase{.tasks = 10,
                    .counts = {.alu = 10'000, .global_read = {20, 20, 80}, .rounds = 20},
                    .max_task_time = 1002};
  const PhaseTerms of_counts = terms(phase);
  CHECK(of_counts.issue == Approx(1000 + 2 * 2));
  CHECK(of_counts.latency == Approx(4 * 1002 + 2 * 500));
}

TEST_CASE("a prediction needs phases and every constant", "[validation][predict][bad_input]") {
  CHECK_THROWS_AS(prediction({}), std::invalid_argument);
  PhaseReport phase = transfer(100'000, 100'000);
  phase.counts.global_atomic = {1, 1, 1};
  std::istringstream names(
      "multiprocessors clock block_read_rate block_write_rate warp_write_rate bandwidth_copy "
      "bandwidth_read bandwidth_write l2_bandwidth l2_bytes memory_latency l2_latency "
      "shared_bytes_per_multiprocessor warps_per_multiprocessor max_ctas first_launch "
      "second_launch further_launch cold_start prologue_instructions prologue_cycles line_latency "
      "overlap overlap_growth");
  for (std::string name; names >> name;) {
    auto device = fake_device();
    std::erase_if(device.constants, [&](const auto& entry) { return entry.name == name; });
    const std::string message = test::message_of<FileError>([&] {
      return predict(spec_of(32), {phase, phase, phase}, device);
    });
    CHECK_THAT(message, says("'" + name + "' is missing"));
  }
}
