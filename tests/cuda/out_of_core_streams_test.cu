// What CudaStreams promises beyond the results of the programs.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/model/transfer/planned_streams.hpp"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/cuda/out_of_core_inputs.cuh"

namespace agpusim::out_of_core {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::AddThree;
using test::budget;
using test::HostValues;
using test::random_values;

TEST_CASE("a scatter reaches places beyond 2^31 of its window", "[gpu]") {
  AGPUSIM_NEED_GPU();
  constexpr std::int64_t size = (std::int64_t{1} << 31) + 1000;
  constexpr std::int64_t place = size - 7;
  CudaStreams streams(AgpuSpec{}, std::int64_t{3} << 30);
  const auto window = streams.allocate<std::uint8_t>(size, "window");
  const auto in = streams.allocate<std::uint8_t>(1, "in");
  const auto index = streams.allocate<std::int64_t>(1, "index");
  const auto bad = streams.allocate<std::int32_t>(1, "bad");
  streams.set(0, window, std::uint8_t{1});
  streams.set(0, in, std::uint8_t{42});
  streams.set(0, index, place);
  streams.set(0, bad, std::int32_t{0});
  streams.run(0, ScatterStep<std::uint8_t>{1, 0, size, size}, index, in, window, bad);
  streams.finish();
  std::uint8_t written = 0;
  AGPUSIM_CUDA_CHECK(cudaMemcpy(&written, window.data() + place, 1, cudaMemcpyDeviceToHost));
  CHECK(written == 42);
  std::int32_t outside = -1;
  AGPUSIM_CUDA_CHECK(cudaMemcpy(&outside, bad.data(), sizeof outside, cudaMemcpyDeviceToHost));
  CHECK(outside == 0);
}

TEST_CASE("CUDA streams ask for what the plan predicted and tell when it ran", "[gpu]") {
  AGPUSIM_NEED_GPU();
  // More operations than events are kept of.
  const Chunks chunks{100000, 100, 3};
  for (const bool pinned : {true, false}) {
    HostValues<double> in(random_values<double>(chunks.n, 1), pinned);
    HostValues<double> out(chunks.n, pinned);
    CudaStreams streams(AgpuSpec{}, budget, true);
    transform(streams, in.piece(), out.piece(), chunks, AddThree<double>{});
    PlannedStreams plan(AgpuSpec{}, budget, [](const KernelWork&) { return 0.0; });
    transform(plan, HostPiece<const double>(chunks.n), HostPiece<double>(chunks.n), chunks,
              AddThree<double>{});
    const transfer::Pipeline& ran = streams.pipeline();
    REQUIRE(ran.size() == plan.pipeline().size());
    const std::vector<transfer::Interval> intervals = streams.intervals();
    REQUIRE(std::ssize(intervals) == ran.size());
    std::int64_t wrong = 0;
    for (transfer::OperationId id = 0; id < ran.size(); ++id) {
      const transfer::Operation& planned = plan.pipeline()[id];
      wrong += ran[id].engine != planned.engine || ran[id].name != planned.name ||
               ran[id].bytes != planned.bytes || ran[id].stream != planned.stream;
      const auto& interval = intervals[static_cast<std::size_t>(id)];
      wrong += interval.begin < 0 || interval.end < interval.begin;
      for (const transfer::OperationId before : ran.before(id)) {
        // Events are exact to about a microsecond.
        wrong += interval.begin < intervals[static_cast<std::size_t>(before)].end - 5e-6;
      }
    }
    CHECK(wrong == 0);
    const auto memory = pinned ? transfer::HostMemory::pinned : transfer::HostMemory::pageable;
    CHECK(ran[0].memory == memory);
  }
}

TEST_CASE("an out-of-core program on CUDA can be stopped, and run again", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const Chunks chunks{100000, 1000, 3};
  for (const bool pinned : {true, false}) {
    const std::vector<double> input = random_values<double>(chunks.n, 1);
    HostValues<double> in(input, pinned);
    std::atomic<bool> stop{false};
    Control control;
    control.cancel = &stop;
    control.progress = [&](std::int64_t done, std::int64_t) { stop = done == 50; };
    {
      HostValues<double> out(chunks.n, pinned);
      CudaStreams streams(AgpuSpec{}, budget);
      CHECK_THROWS_AS(
          transform(streams, in.piece(), out.piece(), chunks, AddThree<double>{}, control),
          Cancelled);
    }
    CHECK(in.values() == input);
    HostValues<double> out(chunks.n, pinned);
    CudaStreams streams(AgpuSpec{}, budget);
    transform(streams, in.piece(), out.piece(), chunks, AddThree<double>{});
    std::vector<double> expected = input;
    for (double& x : expected) x += 3;
    CHECK(out.values() == expected);
  }
}

TEST_CASE("CUDA streams refuse what exceeds the budget or the device", "[gpu]") {
  AGPUSIM_NEED_GPU();
  CHECK_THROWS_WITH(CudaStreams(AgpuSpec{}, std::int64_t{1} << 50),
                    ContainsSubstring("1125899906842624 bytes") && ContainsSubstring("free"));
  CudaStreams streams(AgpuSpec{}, 1000);
  CHECK_THROWS_AS(streams.allocate<double>(1000, "in"), UsageError);
  HostValues<double> in(1000, false);
  const auto array = streams.allocate<double>(10, "array");
  CHECK_THROWS_AS(streams.copy_in<double>(0, in.piece(), array), std::out_of_range);
}

TEST_CASE("pinned memory is pinned and 0, other memory is not", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{5000}, std::int64_t{9} << 20}) {
    const PinnedMemory memory(bytes, "memory");
    CHECK(is_pinned(memory.data(), bytes));
    const auto* const first = static_cast<const unsigned char*>(memory.data());
    CHECK(std::count(first, first + bytes, 0) == bytes);
  }
  const std::vector<double> values(1000);
  CHECK_FALSE(is_pinned(values.data(), 8000));
}

}  // namespace
}  // namespace agpusim::out_of_core
