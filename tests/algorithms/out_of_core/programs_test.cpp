#include <algorithm>
#include <numeric>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/reduce.hpp"
#include "agpusim/algorithms/out_of_core/scan.hpp"
#include "agpusim/algorithms/out_of_core/scatter_partitioned.hpp"
#include "agpusim/algorithms/out_of_core/sort.hpp"
#include "agpusim/algorithms/out_of_core/sort_one_hot.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/tests/algorithms/out_of_core/runs.hpp"

// Every out-of-core program on the abstract machine: the result is that of a plain loop, and the
// plan without data asks for the same operations at the same counts.
namespace agpusim::out_of_core {
namespace {

std::vector<std::int64_t> permutation(std::int64_t n, std::uint64_t seed) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), std::mt19937_64(seed));
  return places;
}

TEST_CASE("out-of-core transform applies the function to every element", "[out_of_core]") {
  for (const Size& size : sizes) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<std::uint32_t>(size.n, 1);
    std::vector<std::uint64_t> out(in.size());
    SimulatedStreams run = simulated();
    const Chunks chunks{size.n, size.chunk, size.streams};
    transform(run, reading(in), writing(out), chunks, AddThree{});
    for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(out[i] == in[i] + 3U);
    PlannedStreams plan = planned();
    transform(plan, HostPiece<const std::uint32_t>(size.n), HostPiece<std::uint64_t>(size.n),
              chunks, AddThree{});
    check_plan(run, plan);
    CHECK(run.pipeline().bytes(transfer::Engine::copy_in) == size.n * 4);
    CHECK(run.pipeline().bytes(transfer::Engine::copy_out) == size.n * 8);
  }
}

template <class Operator>
void check_reduce() {
  using T = typename Operator::value_type;
  for (const Size& size : sizes) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<T>(size.n, 2);
    T expected = Operator::identity;
    for (const T value : in) expected = Operator{}(expected, value);
    const Chunks chunks{size.n, size.chunk, size.streams};
    SimulatedStreams once = simulated();
    CHECK(reduce<Operator>(once, reading(in), chunks) == expected);
    PlannedStreams plan = planned();
    reduce<Operator>(plan, HostPiece<const T>(size.n), chunks);
    check_plan(once, plan);
    SimulatedStreams recursive = simulated();
    CHECK(reduce_recursively<Operator>(recursive, reading(in), chunks) == expected);
    PlannedStreams recursive_plan = planned();
    reduce_recursively<Operator>(recursive_plan, HostPiece<const T>(size.n), chunks);
    check_plan(recursive, recursive_plan);
  }
}

TEST_CASE("out-of-core reduce folds in order", "[out_of_core]") {
  check_reduce<operators::Sum<std::uint64_t>>();
  check_reduce<operators::ComposeAffine>();
}

template <class Operator>
void check_scan() {
  using T = typename Operator::value_type;
  for (const Size& size : sizes) {
    for (const auto kind : {agpusim::scan::Kind::inclusive, agpusim::scan::Kind::exclusive}) {
      CAPTURE(size.n, size.chunk, size.streams, static_cast<int>(kind));
      const auto in = random_values<T>(size.n, 3);
      std::vector<T> expected(in.size());
      T total = Operator::identity;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const T next = Operator{}(total, in[i]);
        expected[i] = kind == agpusim::scan::Kind::exclusive ? total : next;
        total = next;
      }
      const Chunks chunks{size.n, size.chunk, size.streams};
      std::vector<T> out(in.size());
      SimulatedStreams once = simulated();
      scan<Operator>(once, reading(in), writing(out), chunks, kind);
      CHECK(out == expected);
      PlannedStreams plan = planned();
      scan<Operator>(plan, HostPiece<const T>(size.n), HostPiece<T>(size.n), chunks, kind);
      check_plan(once, plan);
      const std::int64_t bytes = size.n * std::int64_t{sizeof(T)};
      CHECK(once.pipeline().bytes(transfer::Engine::copy_in) == bytes);
      CHECK(once.pipeline().bytes(transfer::Engine::copy_out) == bytes);

      std::fill(out.begin(), out.end(), T{});
      SimulatedStreams twice = simulated();
      scan_twice<Operator>(twice, reading(in), writing(out), chunks, kind);
      CHECK(out == expected);
      PlannedStreams twice_plan = planned();
      scan_twice<Operator>(twice_plan, HostPiece<const T>(size.n), HostPiece<T>(size.n), chunks,
                           kind);
      check_plan(twice, twice_plan);
    }
  }
}

TEST_CASE("out-of-core scan carries what lies before a chunk", "[out_of_core]") {
  check_scan<operators::Sum<std::uint64_t>>();
  check_scan<operators::ComposeAffine>();
}

TEST_CASE("scan in two passes moves 2L - D elements each way, besides totals", "[out_of_core]") {
  constexpr std::int64_t n = 1000;
  constexpr std::int64_t chunk = 250;
  using Operator = operators::Sum<std::uint64_t>;
  PlannedStreams plan = planned();
  scan_twice<Operator>(plan, HostPiece<const std::uint64_t>(n), HostPiece<std::uint64_t>(n),
                       {n, chunk, 2}, agpusim::scan::Kind::inclusive);
  constexpr std::int64_t totals = n / chunk;
  CHECK(plan.pipeline().bytes(transfer::Engine::copy_in) == 8 * (2 * n - chunk + 2 * totals));
  CHECK(plan.pipeline().bytes(transfer::Engine::copy_out) == 8 * (2 * n - chunk + 2 * totals));
}

TEST_CASE("out-of-core scatter permutes", "[out_of_core]") {
  for (const Size& size : sizes) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto index = permutation(size.n, 4);
    const auto in = random_values<std::uint64_t>(size.n, 5);
    std::vector<std::uint64_t> expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      expected[static_cast<std::size_t>(index[i])] = in[i];
    }
    const Chunks chunks{size.n, size.chunk, size.streams};
    for (const std::int64_t window : {std::max<std::int64_t>(1, size.n), std::int64_t{300}}) {
      CAPTURE(window);
      std::vector<std::uint64_t> out(in.size());
      SimulatedStreams run = simulated();
      scatter_windows<std::uint64_t>(run, reading(index), reading(in), writing(out), chunks,
                                     window);
      CHECK(out == expected);
    }
    std::vector<std::uint64_t> out(in.size());
    SimulatedStreams compact = simulated();
    scatter_compact<std::uint64_t>(compact, reading(index), reading(in), writing(out), chunks, 1);
    CHECK(out == expected);
    CHECK(compact.pipeline().bytes(transfer::Engine::copy_in) == 12 * size.n);
    for (const std::int32_t shift : {3, 8, 20}) {
      CAPTURE(shift);
      std::fill(out.begin(), out.end(), 0);
      std::vector<std::int64_t> places(in.size());
      std::vector<std::uint64_t> values(in.size());
      SimulatedStreams run = simulated();
      scatter_partitioned<std::uint64_t>(run, reading(index), reading(in), writing(out),
                                         {writing(places), writing(values)}, chunks, shift);
      CHECK(out == expected);
      PlannedStreams plan = planned();
      scatter_partitioned<std::uint64_t>(
          plan, HostPiece<const std::int64_t>(size.n), HostPiece<const std::uint64_t>(size.n),
          HostPiece<std::uint64_t>(size.n),
          {HostPiece<std::int64_t>(size.n), HostPiece<std::uint64_t>(size.n)}, chunks, shift);
      for (const auto engine : {transfer::Engine::copy_in, transfer::Engine::copy_out}) {
        CHECK(plan.pipeline().bytes(engine) == run.pipeline().bytes(engine));
      }
    }
  }
}

TEST_CASE("a scatter's instructions and reads are predicted, its writes at most", "[out_of_core]") {
  for (const Size& size : sizes) {
    if (size.n == 0) continue;
    CAPTURE(size.n, size.chunk, size.streams);
    const auto index = permutation(size.n, 4);
    const auto in = random_values<std::uint64_t>(size.n, 5);
    std::vector<std::uint64_t> out(in.size());
    const Chunks chunks{size.n, size.chunk, size.streams};
    SimulatedStreams run = simulated();
    scatter_windows<std::uint64_t>(run, reading(index), reading(in), writing(out), chunks, size.n);
    for (const KernelWork& work : run.steps()) {
      const ScatterStep<std::uint64_t> step{work.elements, 0, size.n, size.n};
      const Counts planned = step.phases(small_machine()).front().counts;
      const Counts counted = work.phases.front().counts;
      CHECK(counted.global_read == planned.global_read);
      CHECK(counted.alu == planned.alu);
      CHECK(counted.global_write.requests == planned.global_write.requests);
      CHECK(counted.global_write.blocks <= planned.global_write.blocks);
      CHECK(counted.global_write.sectors <= planned.global_write.sectors);
    }
  }
}

TEST_CASE("a place outside the output is named by every scatter", "[out_of_core]") {
  constexpr std::int64_t n = 500;
  for (const std::int64_t outside : {n, std::int64_t{-1}, std::int64_t{1} << 40}) {
    auto index = permutation(n, 6);
    index[321] = outside;
    const auto in = random_values<std::uint64_t>(n, 7);
    std::vector<std::uint64_t> out(n);
    std::vector<std::int64_t> places(n);
    std::vector<std::uint64_t> values(n);
    const Chunks chunks{n, 100, 2};
    const auto message = says("index[321] = " + std::to_string(outside));
    SimulatedStreams a = simulated();
    CHECK_THROWS_WITH(
        scatter_windows<std::uint64_t>(a, reading(index), reading(in), writing(out), chunks, n),
        message);
    SimulatedStreams b = simulated();
    CHECK_THROWS_WITH(
        scatter_compact<std::uint64_t>(b, reading(index), reading(in), writing(out), chunks, 1),
        message);
    SimulatedStreams c = simulated();
    CHECK_THROWS_WITH(
        scatter_partitioned<std::uint64_t>(c, reading(index), reading(in), writing(out),
                                           {writing(places), writing(values)}, chunks, 7),
        message);
  }
}

std::vector<double> keys_of(std::int64_t n, std::uint64_t distinct) {
  std::mt19937_64 random(8);
  std::vector<double> keys(static_cast<std::size_t>(n));
  for (double& x : keys) x = static_cast<double>(random() % distinct) - 1e9;
  return keys;
}

TEST_CASE("out-of-core sort sorts any data in buckets of equal size", "[out_of_core]") {
  for (const Size& size : sizes) {
    for (const std::uint64_t distinct : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      CAPTURE(size.n, size.chunk, size.streams, distinct);
      const std::vector<double> in = keys_of(size.n, distinct);
      std::vector<double> expected = in;
      std::sort(expected.begin(), expected.end());
      std::vector<double> out(in.size());
      std::vector<double> scratch(in.size());
      SimulatedStreams run = simulated();
      const Chunks chunks{size.n, size.chunk, size.streams};
      sort<double>(run, reading(in), writing(out), writing(scratch), chunks);
      CHECK(out == expected);
      const std::int64_t passes = chunks.count() > 1 ? 2 : 1;
      CHECK(run.pipeline().bytes(transfer::Engine::copy_in) == passes * 8 * size.n);
      CHECK(run.pipeline().bytes(transfer::Engine::copy_out) == passes * 8 * size.n);
      PlannedStreams plan = planned();
      sort<double>(plan, HostPiece<const double>(size.n), HostPiece<double>(size.n),
                   HostPiece<double>(size.n), chunks);
      CHECK(plan.pipeline().bytes(transfer::Engine::copy_out) == passes * 8 * size.n);
    }
  }
}

TEST_CASE("the seed's sort, repaired, sorts any data", "[out_of_core]") {
  for (const Size& size : sizes) {
    for (const std::uint64_t distinct : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      for (const bool is_sorted : {false, true}) {
        CAPTURE(size.n, size.chunk, size.streams, distinct, is_sorted);
        std::vector<double> in = keys_of(size.n, distinct);
        std::vector<double> expected = in;
        std::sort(expected.begin(), expected.end());
        if (is_sorted) in = expected;
        const std::vector<double> before = in;
        std::vector<double> out(in.size());
        std::vector<double> keys(in.size());
        std::vector<std::int64_t> index(in.size());
        std::vector<std::int64_t> one_hot(in.size() * one_hot_buckets);
        SimulatedStreams run = simulated();
        sort_one_hot<double>(run, reading(in), writing(out),
                             {writing(keys), writing(index), writing(one_hot)},
                             {size.n, size.chunk, size.streams}, 0);
        CHECK(out == expected);
        CHECK(in == before);
      }
    }
  }
}

TEST_CASE("a level of the seed's sort moves 2 + 2P words of an element in and 3 + 2P out",
          "[out_of_core]") {
  constexpr std::int64_t n = 1000;
  constexpr std::int64_t chunk = 500;  // parts of a third fit
  PlannedStreams plan = planned();
  sort_one_hot<double>(plan, HostPiece<const double>(n), HostPiece<double>(n),
                       {HostPiece<double>(n), HostPiece<std::int64_t>(n),
                        HostPiece<std::int64_t>(one_hot_buckets * n)},
                       {n, chunk, 2}, 0);
  // The parts are sorted in one more pass, without the two pivots; the scan's first chunk moves
  // once; its totals go out, and come in to be scanned, go out, and come in.
  constexpr std::int64_t parts = n - 2;
  constexpr std::int64_t totals = one_hot_buckets * n / chunk;
  constexpr std::int64_t scanned = 2 * one_hot_buckets * n - chunk + 2 * totals;
  CHECK(plan.pipeline().bytes(transfer::Engine::copy_in) == 8 * (2 * n + scanned + parts));
  CHECK(plan.pipeline().bytes(transfer::Engine::copy_out) == 8 * (3 * n + scanned + parts));
}

TEST_CASE("the seed's sort reports steps that grow to their number", "[out_of_core]") {
  for (const std::int64_t n : {10, 1000}) {
    std::vector<std::int64_t> seen;
    std::int64_t all = 0;
    Control control;
    control.progress = [&](std::int64_t done, std::int64_t of) {
      seen.push_back(done);
      all = of;
    };
    PlannedStreams plan = planned();
    sort_one_hot<double>(plan, HostPiece<const double>(n), HostPiece<double>(n),
                         {HostPiece<double>(n), HostPiece<std::int64_t>(n),
                          HostPiece<std::int64_t>(one_hot_buckets * n)},
                         {n, 100, 2}, 0, control);
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.front() == 0);
    CHECK(seen.back() == all);
  }
}

TEST_CASE("the seed's sort refuses keys without an order", "[out_of_core]") {
  std::vector<double> in(100, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> out(in.size());
  std::vector<double> keys(in.size());
  std::vector<std::int64_t> index(in.size());
  std::vector<std::int64_t> one_hot(in.size() * one_hot_buckets);
  SimulatedStreams run = simulated();
  CHECK_THROWS_WITH(
      sort_one_hot<double>(run, reading(in), writing(out),
                           {writing(keys), writing(index), writing(one_hot)}, {100, 40, 2}, 0),
      says("not a number"));
}

TEST_CASE("cuts of sorted runs are exact ranks", "[out_of_core]") {
  std::mt19937_64 random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<int>> runs(random() % 6);
    std::int64_t total = 0;
    for (auto& run : runs) {
      run.resize(random() % 30);
      for (int& x : run) x = static_cast<int>(random() % 5);
      std::sort(run.begin(), run.end());
      total += std::ssize(run);
    }
    const std::vector<std::span<const int>> views(runs.begin(), runs.end());
    for (std::int64_t rank = 0; rank <= total; ++rank) {
      const std::vector<std::int64_t> cuts = cut_runs<int>(views, rank);
      CHECK(std::accumulate(cuts.begin(), cuts.end(), std::int64_t{0}) == rank);
      int before = -1;
      int behind = 5;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto at = static_cast<std::size_t>(cuts[i]);
        if (at > 0) before = std::max(before, runs[i][at - 1]);
        if (at < runs[i].size()) behind = std::min(behind, runs[i][at]);
      }
      CHECK(before <= behind);
    }
  }
}

TEST_CASE("out-of-core programs can be watched and stopped", "[out_of_core]") {
  const auto in = random_values<std::uint32_t>(1000, 10);
  const std::vector<std::uint32_t> before = in;
  std::vector<std::uint64_t> out(in.size());
  std::atomic<bool> cancel{false};
  std::vector<std::int64_t> seen;
  Control control;
  control.cancel = &cancel;
  control.progress = [&](std::int64_t done, std::int64_t of) {
    CHECK(of == 10);
    seen.push_back(done);
    if (done == 4) cancel = true;
  };
  SimulatedStreams run = simulated();
  CHECK_THROWS_AS(
      transform(run, reading(in), writing(out), Chunks{1000, 100, 2}, AddThree{}, control),
      Cancelled);
  CHECK(seen == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(in == before);
}

TEST_CASE("arrays that share memory are refused by name", "[out_of_core]") {
  std::vector<std::uint64_t> values(100);
  const HostPiece<std::uint64_t> all = writing(values);
  const auto message = says("'in' and 'out' share memory");
  using Operator = operators::Sum<std::uint64_t>;
  const Chunks chunks{60, 10, 2};
  const auto inclusive = agpusim::scan::Kind::inclusive;
  SimulatedStreams run = simulated();
  CHECK_THROWS_WITH(scan<Operator>(run, all.piece(0, 60), all.piece(40, 60), chunks, inclusive),
                    message);
  CHECK_THROWS_WITH(
      scan_twice<Operator>(run, all.piece(40, 60), all.piece(0, 60), chunks, inclusive), message);
  std::vector<std::uint64_t> other(100);
  CHECK_THROWS_WITH(sort<std::uint64_t>(run, all.piece(0, 60), all.piece(0, 60),
                                        writing(other).piece(0, 60), chunks),
                    message);
  CHECK_NOTHROW(scan<Operator>(run, all.piece(0, 40), all.piece(40, 40), {40, 10, 2}, inclusive));
}

TEST_CASE("what exceeds the device's budget is refused by name", "[out_of_core]") {
  PlannedStreams plan(small_machine(), 1000, clock_of);
  CHECK_THROWS_WITH(transform(plan, HostPiece<const std::uint32_t>(100),
                              HostPiece<std::uint64_t>(100), Chunks{100, 50, 2}, AddThree{}),
                    says("array 'out' needs 400 bytes", "of the budget of 1000 bytes"));
}

}  // namespace
}  // namespace agpusim::out_of_core
