#pragma once

#include <random>

#include "agpusim/model/transfer/planned_streams.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/simulated_streams.hpp"
#include "agpusim/tests/support/catch.hpp"

// What the tests of out-of-core programs run them on.
namespace agpusim::out_of_core {

inline constexpr std::int64_t budget = std::int64_t{1} << 30;

inline AgpuSpec small_machine() {
  return AgpuSpec{.cores = 8 * 3, .block_words = 8, .shared_words = 4096, .width = 16};
}

/// A second per time unit.
inline double clock_of(const KernelWork& work) {
  double sum = 0;
  for (const PhaseReport& phase : work.phases) sum += static_cast<double>(phase.counts.io());
  return sum;
}

inline SimulatedStreams simulated() {
  return {small_machine(), budget, clock_of, {1, true, true, {}}};
}
inline PlannedStreams planned() { return {small_machine(), budget, clock_of}; }

template <class T>
std::vector<T> random_values(std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = static_cast<T>(random() % 1000);
  return values;
}

template <class T>
HostPiece<const T> reading(const std::vector<T>& values) {
  return {values.data(), std::ssize(values)};
}
template <class T>
HostPiece<T> writing(std::vector<T>& values) {
  return {values.data(), std::ssize(values)};
}

/// Notes in `seen` what is reported as done.
inline Control watched(std::vector<std::int64_t>& seen) {
  Control control;
  control.progress = [&seen](std::int64_t done, std::int64_t of) {
    CHECK(done <= of);
    seen.push_back(done);
  };
  return control;
}

/// The plan asks for what the run asked for, and predicted every kernel's counts.
inline void check_plan(const SimulatedStreams& run, const PlannedStreams& plan) {
  const transfer::Pipeline& a = run.pipeline();
  const transfer::Pipeline& b = plan.pipeline();
  REQUIRE(a.size() == b.size());
  for (transfer::OperationId id = 0; id < a.size(); ++id) {
    CAPTURE(id, a[id].name, b[id].name);
    CHECK(a[id].engine == b[id].engine);
    CHECK(a[id].stream == b[id].stream);
    CHECK(a[id].chunk == b[id].chunk);
    CHECK(a[id].bytes == b[id].bytes);
    CHECK(a[id].seconds == b[id].seconds);
    CHECK(a.before(id) == b.before(id));
  }
  CHECK(run.budget().used() == plan.budget().used());
}

struct Size {
  std::int64_t n, chunk;
  std::int32_t streams;
};
inline const std::vector<Size> sizes{{0, 10, 3},     {1, 10, 3},      {16, 16, 1},
                                     {33, 16, 2},    {100, 7, 4},     {1000, 250, 3},
                                     {1001, 250, 3}, {1024, 2000, 2}, {2305, 577, 2}};

struct AddThree {
  using input_type = std::uint32_t;
  using output_type = std::uint64_t;
  template <class V>
  AGPUSIM_FN auto operator()(const V& x) const {
    return cast<std::uint64_t>(x + 3U);
  }
};

/// Bytes that a run copied in and out.
struct Copied {
  std::int64_t in, out;
  bool operator==(const Copied&) const = default;
};
inline Copied copied(const SimulatedStreams& run) {
  return {run.pipeline().bytes(transfer::Engine::copy_in),
          run.pipeline().bytes(transfer::Engine::copy_out)};
}

}  // namespace agpusim::out_of_core
