#include "agpusim/algorithms/out_of_core/segmented.hpp"

#include <functional>
#include <string>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/segmented_sort.hpp"
#include "agpusim/tests/algorithms/out_of_core/runs.hpp"

// Segmented primitives whose segments lie anywhere beside the chunks.
namespace agpusim::out_of_core {
namespace {

using Heads = std::vector<std::uint32_t>;

/// Where segments begin, beside element 0, which always does.
struct Spread {
  std::string name;
  std::function<bool(std::int64_t i, const Size& size)> is_head;
};

const std::vector<Spread>& spreads() {
  static const std::vector<Spread> all = {
      {"one segment", [](std::int64_t, const Size&) { return false; }},
      {"every element", [](std::int64_t, const Size&) { return true; }},
      {"at the chunks' borders",
       [](std::int64_t i, const Size& size) { return i % size.chunk == 0; }},
      {"one before the borders",
       [](std::int64_t i, const Size& size) { return (i + 1) % size.chunk == 0; }},
      {"one behind the borders",
       [](std::int64_t i, const Size& size) { return i % size.chunk == 1; }},
      {"over two and a half chunks",
       [](std::int64_t i, const Size& size) { return 2 * i % (5 * size.chunk) == 0; }},
      {"at random", [](std::int64_t i, const Size&) {
         return random_bits(16, static_cast<std::uint64_t>(i)) % 11 == 0;
       }}};
  return all;
}

Heads heads_of(const Spread& spread, const Size& size) {
  Heads heads(static_cast<std::size_t>(size.n));
  for (std::int64_t i = 0; i < size.n; ++i) {
    // Any flag but 0 is one.
    if (i == 0 || spread.is_head(i, size)) {
      heads[static_cast<std::size_t>(i)] = 1U + static_cast<std::uint32_t>(i) % 3U;
    }
  }
  return heads;
}

/// Prefixes and folds of every segment, by a loop over its elements.
template <class Operator>
struct ByLoop {
  using T = typename Operator::value_type;
  std::vector<T> prefixes;
  std::vector<T> folds;

  ByLoop(const std::vector<T>& in, const Heads& heads) {
    for (std::size_t first = 0; first < in.size();) {
      T fold = in[first];
      prefixes.push_back(fold);
      std::size_t i = first + 1;
      for (; i < in.size() && heads[i] == 0; ++i)
        prefixes.push_back(fold = Operator{}(fold, in[i]));
      folds.push_back(fold);
      first = i;
    }
  }
};

/// Calls check(size, heads) for all sizes and spreads.
template <class Check>
void for_segments(Check check) {
  for (const Size& size : sizes) {
    for (const Spread& spread : spreads()) {
      CAPTURE(size.n, size.chunk, size.streams, spread.name);
      check(size, heads_of(spread, size));
    }
  }
}

template <class Operator>
void check_segmented_scan() {
  using T = typename Operator::value_type;
  for_segments([](const Size& size, const Heads& heads) {
    const auto in = random_values<T>(size.n, 13);
    const Chunks chunks{size.n, size.chunk, size.streams};
    std::vector<T> out(in.size());
    SimulatedStreams run = simulated();
    segmented_scan<Operator>(run, reading(in), reading(heads), writing(out), chunks);
    CHECK(out == ByLoop<Operator>(in, heads).prefixes);
    constexpr std::int64_t bytes{sizeof(T)};
    CHECK(copied(run) == Copied{(bytes + 4) * size.n, bytes * size.n});
    PlannedStreams plan = planned();
    segmented_scan<Operator>(plan, HostPiece<const T>(size.n),
                             HostPiece<const std::uint32_t>(size.n), HostPiece<T>(size.n), chunks);
    check_plan(run, plan);
  });
}

TEST_CASE("out-of-core segmented scan equals a loop over every segment", "[out_of_core]") {
  check_segmented_scan<operators::Sum<std::uint64_t>>();
  check_segmented_scan<operators::Sum<double>>();
  check_segmented_scan<operators::ComposeAffine>();
}

template <class Operator>
void check_segmented_reduce() {
  using T = typename Operator::value_type;
  for_segments([](const Size& size, const Heads& heads) {
    const auto in = random_values<T>(size.n, 14);
    const std::vector<T> folds = ByLoop<Operator>(in, heads).folds;
    std::vector<T> out(folds.size());
    SimulatedStreams run = simulated();
    const Chunks chunks{size.n, size.chunk, size.streams};
    CHECK(segmented_reduce<Operator>(run, reading(in), reading(heads), writing(out), chunks) ==
          std::ssize(folds));
    CHECK(out == folds);
    constexpr std::int64_t bytes{sizeof(T)};
    // A chunk's number of segments comes out beside their folds.
    CHECK(copied(run) ==
          Copied{(bytes + 4) * size.n, bytes * std::ssize(folds) + 4 * chunks.count()});
  });
}

TEST_CASE("out-of-core segmented reduction equals a loop over every segment", "[out_of_core]") {
  check_segmented_reduce<operators::Sum<std::uint64_t>>();
  check_segmented_reduce<operators::Sum<double>>();
  check_segmented_reduce<operators::ComposeAffine>();
}

TEST_CASE("out-of-core segmented sort equals a sort of every segment", "[out_of_core]") {
  for_segments([](const Size& size, const Heads& heads) {
    const auto in = random_values<double>(size.n, 16);
    std::vector<double> expected = in;
    std::int64_t crossing = 0;  // elements of segments in several chunks
    for (std::int64_t first = 0; first < size.n;) {
      std::int64_t end = first + 1;
      while (end < size.n && heads[static_cast<std::size_t>(end)] == 0) ++end;
      std::sort(expected.begin() + first, expected.begin() + end);
      if (first / size.chunk != (end - 1) / size.chunk) crossing += end - first;
      first = end;
    }
    const Chunks chunks{size.n, size.chunk, size.streams};
    std::vector<double> out(in.size());
    std::vector<double> scratch(in.size());
    std::vector<std::int64_t> seen{0};
    const Control control = watched(seen);
    SimulatedStreams run = simulated();
    segmented_sort<double>(run, reading(in), reading(heads), writing(out), writing(scratch), chunks,
                           control);
    CHECK(out == expected);
    CHECK(copied(run) == Copied{12 * size.n + 8 * crossing, 8 * size.n + 8 * crossing});
    CHECK(std::is_sorted(seen.begin(), seen.end()));
  });
}

TEST_CASE("a plan of a segmented sort is one whose every 16th element is a head", "[out_of_core]") {
  for (const Size& size : std::vector<Size>{{1, 16, 2}, {4000, 1600, 2}, {4001, 700, 3}}) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<double>(size.n, 17);
    Heads heads(in.size());
    for (std::size_t i = 0; i < heads.size(); i += 16) heads[i] = 1;
    std::vector<double> out(in.size());
    std::vector<double> scratch(in.size());
    const Chunks chunks{size.n, size.chunk, size.streams};
    SimulatedStreams run = simulated();
    segmented_sort<double>(run, reading(in), reading(heads), writing(out), writing(scratch),
                           chunks);
    PlannedStreams plan = planned();
    segmented_sort<double>(plan, HostPiece<const double>(size.n),
                           HostPiece<const std::uint32_t>(size.n), HostPiece<double>(size.n),
                           HostPiece<double>(size.n), chunks);
    check_plan(run, plan);
  }
}

TEST_CASE("element 0 begins a segment of a segmented scan whatever its flag", "[out_of_core]") {
  const std::vector<std::uint64_t> in{1, 2, 3, 4};
  const Heads heads{0, 0, 1, 0};
  std::vector<std::uint64_t> out(in.size());
  SimulatedStreams run = simulated();
  segmented_scan<operators::Sum<std::uint64_t>>(run, reading(in), reading(heads), writing(out),
                                                {4, 3, 2});
  CHECK(out == std::vector<std::uint64_t>{1, 3, 3, 7});
}

TEST_CASE("a plan of a segmented reduction is one whose every 16th element is a head",
          "[out_of_core]") {
  using Operator = operators::Sum<std::uint64_t>;
  for (const Size& size : std::vector<Size>{{1, 16, 2}, {4000, 1600, 2}, {4001, 800, 3}}) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<std::uint64_t>(size.n, 15);
    Heads heads(in.size());
    for (std::size_t i = 0; i < heads.size(); i += 16) heads[i] = 1;
    std::vector<std::uint64_t> out(in.size());
    const Chunks chunks{size.n, size.chunk, size.streams};
    SimulatedStreams run = simulated();
    const std::int64_t segments =
        segmented_reduce<Operator>(run, reading(in), reading(heads), writing(out), chunks);
    CHECK(segments == (size.n + 15) / 16);
    PlannedStreams plan = planned();
    CHECK(segmented_reduce<Operator>(plan, HostPiece<const std::uint64_t>(size.n),
                                     HostPiece<const std::uint32_t>(size.n),
                                     HostPiece<std::uint64_t>(size.n), chunks) == segments);
    REQUIRE(plan.pipeline().size() == run.pipeline().size());
    for (transfer::OperationId id = 0; id < plan.pipeline().size(); ++id) {
      CHECK(plan.pipeline()[id].engine == run.pipeline()[id].engine);
      CHECK(plan.pipeline()[id].bytes == run.pipeline()[id].bytes);
      CHECK(plan.pipeline().before(id) == run.pipeline().before(id));
      // Blocks, of which the clock makes seconds: a planned fold goes to its place in the chunk.
      const double blocks = run.pipeline()[id].seconds;
      CHECK(plan.pipeline()[id].seconds == Catch::Approx(blocks).epsilon(0.05));
    }
  }
}

TEST_CASE("a segmented reduction refuses a first element without a head and a short output",
          "[out_of_core]") {
  using Operator = operators::Sum<std::uint64_t>;
  const std::vector<std::uint64_t> in(100, 1);
  Heads heads(100);
  std::vector<std::uint64_t> out(3);
  SimulatedStreams run = simulated();
  CHECK_THROWS_WITH(segmented_reduce<Operator>(run, reading(in), reading(heads), writing(out),
                                               Chunks{100, 40, 2}),
                    says("heads[0] = 0"));
  for (const std::size_t head : {0U, 20U, 50U, 80U}) heads[head] = 1;
  SimulatedStreams again = simulated();
  CHECK_THROWS_WITH(segmented_reduce<Operator>(again, reading(in), reading(heads), writing(out),
                                               Chunks{100, 40, 2}),
                    says("room for 3 segments"));
  const std::vector<std::uint64_t> before = out;
  SimulatedStreams shared = simulated();
  CHECK_THROWS_WITH(
      segmented_scan<Operator>(shared, reading(out), reading(heads), writing(out), Chunks{3, 2, 2}),
      says("'in' and 'out' share memory"));
  CHECK(out == before);
}

}  // namespace
}  // namespace agpusim::out_of_core
