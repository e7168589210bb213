#include <algorithm>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/separate.hpp"
#include "agpusim/tests/algorithms/out_of_core/runs.hpp"

// A transform fused with what follows it, and the two one after the other.
namespace agpusim::out_of_core {
namespace {

TEST_CASE("a fused transform-reduce copies the input once, the two of it three times its size",
          "[out_of_core]") {
  using Operator = operators::Sum<std::uint64_t>;
  for (const Size& size : sizes) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<std::uint32_t>(size.n, 11);
    std::uint64_t expected = 0;
    for (const std::uint32_t x : in) expected += x + 3U;
    const Chunks chunks{size.n, size.chunk, size.streams};
    const std::int64_t totals = 8 * chunks.count();
    SimulatedStreams fused = simulated();
    CHECK(transform_reduce<Operator>(fused, reading(in), chunks, AddThree{}) == expected);
    CHECK(copied(fused) == Copied{4 * size.n, totals});
    PlannedStreams fused_plan = planned();
    transform_reduce<Operator>(fused_plan, HostPiece<const std::uint32_t>(size.n), chunks,
                               AddThree{});
    check_plan(fused, fused_plan);

    std::vector<std::uint64_t> scratch(in.size());
    SimulatedStreams two = simulated();
    CHECK(transform_then_reduce<Operator>(two, reading(in), writing(scratch), chunks, AddThree{}) ==
          expected);
    CHECK(copied(two) == Copied{12 * size.n, 8 * size.n + totals});
  }
}

TEST_CASE("a fused transform-scan copies input and output once, the two of it the middle as well",
          "[out_of_core]") {
  using Operator = operators::Sum<std::uint64_t>;
  const auto inclusive = agpusim::scan::Kind::inclusive;
  for (const Size& size : sizes) {
    CAPTURE(size.n, size.chunk, size.streams);
    const auto in = random_values<std::uint32_t>(size.n, 12);
    std::vector<std::uint64_t> expected;
    std::uint64_t total = 0;
    for (const std::uint32_t x : in) expected.push_back(total += x + 3U);
    const Chunks chunks{size.n, size.chunk, size.streams};
    std::vector<std::uint64_t> out(in.size());
    SimulatedStreams fused = simulated();
    transform_scan<Operator>(fused, reading(in), writing(out), chunks, inclusive, AddThree{});
    CHECK(out == expected);
    CHECK(copied(fused) == Copied{4 * size.n, 8 * size.n});
    PlannedStreams fused_plan = planned();
    transform_scan<Operator>(fused_plan, HostPiece<const std::uint32_t>(size.n),
                             HostPiece<std::uint64_t>(size.n), chunks, inclusive, AddThree{});
    check_plan(fused, fused_plan);

    std::fill(out.begin(), out.end(), 0);
    std::vector<std::uint64_t> scratch(in.size());
    SimulatedStreams two = simulated();
    std::vector<std::int64_t> seen;
    Control control;
    control.progress = [&](std::int64_t done, std::int64_t) { seen.push_back(done); };
    transform_then_scan<Operator>(two, reading(in), writing(out), writing(scratch), chunks,
                                  inclusive, AddThree{}, control);
    CHECK(out == expected);
    CHECK(copied(two) == Copied{12 * size.n, 16 * size.n});
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.back() == 2 * chunks.count());
  }
}

struct Tripled {
  using input_type = std::uint64_t;
  using output_type = std::uint64_t;
  Varying<std::uint64_t> operator()(const Varying<std::uint64_t>& x) const { return x * 3U; }
};

TEST_CASE("a fused reduction reads the chunk as often as the plain one, and no more blocks",
          "[out_of_core]") {
  constexpr std::int64_t n = 100'000;
  const ReduceStep<operators::Sum<std::uint64_t>> plain{n};
  const ReduceStep<operators::Sum<std::uint64_t>, Tripled> fused{n};
  const auto bill_of = [&](const auto& step) {
    SimulatedDevice device(small_machine(), {.threads = 1, .derive = true});
    step.launch(device, device.allocate<std::uint64_t>(n, "in"),
                device.allocate<std::uint64_t>(most_partials(small_machine(), n), "partials"),
                device.allocate<std::uint64_t>(1, "result"));
    return device.report().phases;
  };
  const auto a = bill_of(plain);
  const auto b = bill_of(fused);
  REQUIRE(a.size() == b.size());
  CHECK(a.front().counts.global_read == b.front().counts.global_read);
  CHECK(a.front().counts.rounds == b.front().counts.rounds);
  CHECK(b.front().counts.alu - a.front().counts.alu == n / 8);  // a warp of b = 8 lanes each
}

}  // namespace
}  // namespace agpusim::out_of_core
