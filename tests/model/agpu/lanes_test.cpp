#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim {
namespace {

template <class T>
std::vector<T> lanes_of(const Varying<T>& value) {
  return std::vector<T>(value.data(), value.data() + value.context().width());
}

/// Runs `body(mp)` as the only task of a machine with V = `warps`·b lanes and returns its counts.
template <class Body>
Counts run_task(Body body, std::int32_t b = 8, std::int32_t warps = 1, bool skip_empty = true) {
  AgpuSpec spec = small_machine(b, warps);
  spec.skip_empty = skip_empty;
  // Kernels look at all lanes, and tasks that are checked run again for some.
  SimulatedDevice device(spec, {1, false, true, {}});
  device.launch(1, TestKernel{body});
  return device.report().phases[0].counts;
}

TEST_CASE("unsigned arithmetic wraps and is no overflow", "[model][lanes]") {
  run_task([](auto& mp) {
    const auto x = mp.varying(std::uint32_t{0xffffffffU}) + 2U;
    CHECK(x.data()[0] == 1U);
  });
}

TEST_CASE("each operator is one instruction, assignment and constants are free", "[model][lanes]") {
  const Counts counts = run_task([](auto& mp) {
    auto x = mp.lane();    // free
    const auto y = x + 1;  // 1
    x = y;                 // free
    x = min(x, y * 2);     // 2
    (void)(x == y);        // 1
    mp.sync();             // free
  });
  CHECK(counts.alu == 4);
  CHECK(counts.time() == 4);
  CHECK(counts.active_lanes == 4 * 8);
  CHECK(counts.lane_slots == 4 * 8);
}

TEST_CASE("a wide task issues every instruction once per warp", "[model][lanes]") {
  const Counts counts = run_task([](auto& mp) { (void)(mp.lane() + 1); }, 8, 3);
  CHECK(counts.alu == 3);
  CHECK(counts.lane_slots == 24);
}

TEST_CASE("assignment under a mask changes active lanes only", "[model][lanes]") {
  run_task([](auto& mp) {
    auto x = mp.lane();
    const auto hundred = mp.varying(std::int32_t{100});
    mp.when(mp.lane() >= 6, [&] { x = hundred; });
    mp.when(mp.lane() < 2, [&] { x = x + 50; });
    CHECK(lanes_of(x) == std::vector<std::int32_t>{50, 51, 2, 3, 4, 5, 100, 100});
  });
}

TEST_CASE("when/otherwise runs both sides with complementary lanes", "[model][lanes]") {
  const Counts counts = run_task([](auto& mp) {
    auto x = mp.lane();
    mp.when((mp.lane() & 1) == 0, [&] { x = x * 10; }, [&] { x = 0 - x; });
    CHECK(lanes_of(x) == std::vector<std::int32_t>{0, -1, 20, -3, 40, -5, 60, -7});
  });
  CHECK(counts.alu == 2 + 1 + 1);
  CHECK(counts.active_lanes == 2 * 8 + 4 + 4);
}

TEST_CASE("an empty side is skipped unless the machine issues it", "[model][lanes]") {
  const auto body = [](auto& mp) { mp.when(mp.lane() < 0, [&] { (void)(mp.lane() + 1); }); };
  CHECK(run_task(body, 8, 2, true).alu == 2);
  CHECK(run_task(body, 8, 2, false).alu == 4);
}

TEST_CASE("a warp without active lanes issues nothing", "[model][lanes]") {
  const auto body = [](auto& mp) {
    const auto x = mp.lane() + 1;
    const auto tile = mp.template shared<std::int32_t>(32, "tile");
    mp.when(mp.lane() < 9, [&] { tile.write(mp.lane(), x); });
  };
  const Counts skipped = run_task(body, 8, 4, true);
  CHECK(skipped.shared_write.requests == 2);
  CHECK(skipped.idle == 0);
  const Counts issued = run_task(body, 8, 4, false);
  CHECK(issued.shared_write.requests == 2);
  CHECK(issued.idle == 2);
  CHECK(issued.time() == skipped.time() + 2);
}

TEST_CASE("nested masks combine", "[model][lanes]") {
  run_task([](auto& mp) {
    auto x = mp.lane() * 0;
    mp.when(mp.lane() < 6, [&] {
      mp.when(
          mp.lane() >= 3, [&] { x = x + 1; }, [&] { x = x + 2; });
      x = x + 10;
    });
    CHECK(lanes_of(x) == std::vector<std::int32_t>{12, 12, 12, 11, 11, 11, 0, 0});
  });
}

TEST_CASE("while_any iterates as often as the slowest lane", "[model][lanes]") {
  const Counts counts = run_task([](auto& mp) {
    auto left = mp.lane();
    auto rounds = mp.lane() * 0;
    mp.while_any([&] { return left > 0; },
                 [&] {
                   left = left - 1;
                   rounds = rounds + 1;
                 });
    CHECK(lanes_of(rounds) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  });
  CHECK(counts.alu == 1 + 8 + 2 * 7);                   // conditions, then bodies
  CHECK(counts.active_lanes == 8 + (8 + 28) + 2 * 28);  // 28 = 7 + 6 + ... + 1
}

}  // namespace
}  // namespace agpusim
