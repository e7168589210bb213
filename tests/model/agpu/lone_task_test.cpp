#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

// How often a lone task waits for memory: the time by which it grows with the latency.
namespace agpusim {
namespace {

constexpr I32 reads = 8;
constexpr I32 line_words = 32;  // a read of each line misses

/// Every read says where the next one is.
const TestKernel chain{[](auto& mp, auto in, auto out) {
  auto at = mp.varying(I32{0});
  for (I32 i = 0; i < reads; ++i) at = in.read(at);
  out.write(mp.lane(), at);
}};

/// Where a read is does not depend on those before it.
const TestKernel stream{[](auto& mp, auto in, auto out) {
  auto sum = mp.varying(I32{0});
  for (I32 i = 0; i < reads; ++i) sum = sum + in.read(mp.varying(i * line_words));
  out.write(mp.lane(), sum);
}};

/// `stream` under a guard, which parts the turns: four are put together.
const TestKernel guarded{[](auto& mp, auto in, auto out) {
  auto sum = mp.varying(I32{0});
  for (I32 i = 0; i < reads; ++i) {
    mp.when(mp.lane() < 3, [&] { sum = sum + in.read(mp.varying(i * line_words)); });
  }
  out.write(mp.lane(), sum);
}};

/// Every read stands under the value of the one before.
const TestKernel branching{[](auto& mp, auto in, auto out) {
  auto value = mp.varying(I32{1});
  for (I32 i = 0; i < reads; ++i) {
    mp.when(value > 0, [&] { value = in.read(mp.varying(i * line_words)); });
  }
  out.write(mp.lane(), value);
}};

/// A store between the reads may be to where the next one reads.
const TestKernel stores{[](auto& mp, auto in, auto out) {
  for (I32 i = 0; i < reads; ++i) out.write(mp.lane(), in.read(mp.varying(i * line_words)));
}};

/// A loop of lanes reads as many words at once as the compiler keeps in flight: half of these.
const TestKernel loop{[](auto& mp, auto in, auto out) {
  auto sum = mp.varying(I32{0});
  auto i = mp.varying(I32{0});
  mp.while_any([&] { return i < 2 * static_cast<I32>(words_in_flight); },
               [&] {
                 sum = sum + in.read(i * (line_words / 4));
                 i = i + 1;
               });
  out.write(mp.lane(), sum);
}};

/// Every read says where the next one is, by a value on which all lanes agree.
const TestKernel uniform_chain{[](auto& mp, auto in, auto out) {
  I32 at = 0;
  for (I32 i = 0; i < reads; ++i) at = mp.uniform(in.read(mp.varying(at)));
  out.write(mp.lane(), mp.varying(at));
}};

/// Cycles of a task of so many stores.
double cycles_of_stores(I32 rows) {
  const AgpuSpec spec = small_machine(32, 1);
  SimulatedDevice device(spec, SimulationOptions{.execution = true});
  device.launch(1, TestKernel{[rows](auto& mp, auto out) {
                  const auto words = mp.template shared<I32>(mp.width());
                  for (I32 row = 0; row < rows; ++row) words.write(mp.lane(), mp.lane());
                  out.write(mp.lane(), mp.lane());
                }},
                device.allocate<I32>(spec.width, "out"));
  const Execution executed = device.report().phases.front().execution.total;
  return static_cast<double>(executed.lone.front()) / lone_units;
}

template <class Kernel>
std::int64_t waits(const Kernel& kernel) {
  const AgpuSpec spec = small_machine(4, 1);
  SimulatedDevice device(spec, SimulationOptions{.execution = true});
  const auto in = device.allocate<I32>((reads + 1) * line_words, "in");
  const auto out = device.allocate<I32>(spec.width, "out");
  std::vector<I32> next(static_cast<std::size_t>((reads + 1) * line_words));
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = static_cast<I32>(i) + line_words;
  device.upload<I32>(in, next);
  device.launch(1, kernel, in, out);
  const Moments lone = device.report().phases.front().execution.total.lone;
  const std::int64_t once = (lone_latencies.back() - lone_latencies.front()) * lone_units;
  CHECK((lone.back() - lone.front()) % once == 0);
  return (lone.back() - lone.front()) / once;
}

TEST_CASE("reads are under way together unless one needs another", "[model][execution]") {
  CHECK(waits(chain) == reads);
  CHECK(waits(stream) == 1);
  CHECK(waits(guarded) == reads / turns_together);
  CHECK(waits(stores) == reads);
  CHECK(waits(loop) == 2);
  CHECK(waits(branching) == reads);
  CHECK(waits(uniform_chain) == reads);
}

TEST_CASE("host threads put together what they counted of a phase", "[model][execution]") {
  PhaseExecution phase{.total = {.syncs = 2}, .longest = {1, 8, 3, 9}, .live_values = 4};
  phase.merge(PhaseExecution{.total = {.syncs = 3}, .longest = {5, 6, 7, 8}, .live_values = 6});
  CHECK(phase.total.syncs == 5);
  CHECK(phase.longest == Moments{5, 8, 7, 9});
  CHECK(phase.live_values == 6);
}

TEST_CASE("scattered reads are those of one sector of each block", "[model][execution]") {
  for (const I32 stride : {1, 32}) {
    CAPTURE(stride);
    SimulatedDevice device(small_machine(32, 1, 1), {1, true, true, true});
    const auto in = device.allocate<I32>(1024, "in");
    device.upload<I32>(in, std::vector<I32>(1024));
    device.launch(
        1, TestKernel{[stride](auto& mp, auto from) { (void)from.read(mp.lane() * stride); }}, in);
    const Execution total = device.report().phases[0].execution.total;
    CHECK(total.read_sectors[0] == (stride == 1 ? 4 : 32));
    CHECK(total.scattered_reads == (stride == 1 ? 0 : 32));
  }
}

TEST_CASE("a warp alone stores to shared memory every fourth cycle", "[model][execution]") {
  // 16 stores took one warp of an H200 64.0 cycles (bench/lone_warp.cu).
  CHECK_THAT(cycles_of_stores(17) - cycles_of_stores(1), Catch::Matchers::WithinAbs(64.0, 0.1));
}

}  // namespace
}  // namespace agpusim
