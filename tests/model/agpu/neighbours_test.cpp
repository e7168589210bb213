#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/seed.hpp"

// Wide accesses: their prices and their rules. tests/cuda compares what they read and write.
namespace agpusim {
namespace {

constexpr I32 cell_count = 256;

/// The counts of one task of two warps of 32 lanes.
template <class Body>
Counts counts_of(Body body, AgpuSpec spec = small_machine(32, 2, 1, 1024)) {
  SimulatedDevice device(spec, {1, true, true, {}});
  const auto cells = device.allocate<I32>(cell_count, "cells");
  device.launch(1, TestKernel{body}, cells);
  return device.report().phases[0].counts;
}

template <class Body>
std::string violation(Body body) {
  return test::message_of<RuleViolation>([&] { counts_of(body); });
}

/// `body(tile, lane)` after all of the tile is written, and what that alone costs taken off.
template <class Body>
Counts of_tile(Body body) {
  const auto with = [](auto then) {
    return counts_of([then](auto& mp, auto) {
      const auto tile = mp.template shared<I32>(cell_count, "tile");
      for (I32 i = 0; i < cell_count; i += 64) tile.write(mp.lane() + i, mp.lane());
      mp.sync();
      then(mp, tile);
    });
  };
  Counts counts = with([body](auto& mp, const auto& tile) { body(mp, tile); });
  counts -= with([](auto&, const auto&) {});
  return counts;
}

TEST_CASE("a wide access is one request of its lanes' groups", "[model][wide]") {
  const Counts read =
      of_tile([](auto& mp, const auto& tile) { (void)tile.template read_wide<4>(mp.lane() * 4); });
  CHECK(read.shared_read.requests == 2);
  CHECK(read.shared_read.wavefronts == 8);  // 4 words of each lane over 32 banks
  CHECK(read.shared_read.conflicts == 0);
  CHECK(read.alu == 2);  // the index
  CHECK(read.active_lanes == 4 * 32);
  const Counts same =
      of_tile([](auto& mp, const auto& tile) { (void)tile.template read_wide<4>(mp.varying(8)); });
  CHECK(same.shared_read.requests == 2);
  CHECK(same.shared_read.wavefronts == 4);  // half-warps, where neighbours share a group
  const Counts pairs =
      of_tile([](auto& mp, const auto& tile) { (void)tile.template read_wide<2>(mp.varying(8)); });
  CHECK(pairs.shared_read.wavefronts == 2);
  const Counts global =
      counts_of([](auto& mp, auto cells) { (void)cells.template read_wide<4>(mp.lane() * 4); });
  CHECK(global.global_read.requests == 2);
  CHECK(global.global_read.blocks == 8);
  CHECK(global.global_read.sectors == 32);
  CHECK(global.active_lanes == 4 * 32);
  CHECK(global.rounds == 0);  // nobody waits for it
  const Counts waits = counts_of([](auto& mp, auto cells) {
    const auto four = cells.template read_wide<4>(mp.lane() * 4);
    cells.template write_wide<4>(mp.lane() * 4, four);
  });
  CHECK(waits.rounds == 1);
  CHECK(waits.global_write == waits.global_read);
}

TEST_CASE("a wide access costs what its bytes cost, whatever its lanes", "[model][wide]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 200; ++repeat) {
    const I32 range = 1 << random() % 7;
    const std::uint64_t active = repeat % 3 == 0 ? ~std::uint64_t{0} : random() & 0xffffffff;
    std::vector<I32> group(32);
    for (I32& one : group) one = below(random, range);
    const AgpuSpec spec = small_machine(32, 1, 1, 1024);
    SimulatedDevice device(spec, {1, true, true, {}});
    const auto groups = device.allocate<I32>(32, "groups");
    const auto cells = device.allocate<I32>(cell_count, "cells");
    device.upload<I32>(groups, group);
    const auto body = [active](auto& mp, auto groups_in, auto all) {
      const auto tile = mp.template shared<I32>(cell_count, "tile");
      for (I32 i = 0; i < cell_count; i += 32) tile.write(mp.lane() + i, mp.lane());
      mp.sync();
      const auto at = groups_in.read(mp.lane()) * 4;
      const auto bits = mp.varying(static_cast<std::uint32_t>(active));
      mp.when((bits >> mp.lane() & 1U) != 0U, [&] {
        (void)tile.template read_wide<4>(at);
        (void)all.template read_wide<4>(at);
      });
    };
    device.launch(1, TestKernel{body}, groups, cells);
    const Counts counts = device.report().phases[0].counts;
    std::vector<std::uint64_t> byte;
    for (const I32 one : group) byte.push_back(static_cast<std::uint64_t>(one) * 16);
    PricingRules rules(spec);
    const SharedPrice shared = rules.shared({byte, active, 16}, true);
    const GlobalPrice global = rules.global({byte, active, 16});
    CAPTURE(group, active);
    CHECK(counts.shared_read.wavefronts == shared.wavefronts);
    CHECK(counts.shared_read.conflicts == shared.conflicts);
    CHECK(counts.global_read.blocks == 1 + global.blocks);
    CHECK(counts.global_read.sectors == 4 + global.sectors);
  }
}

TEST_CASE("a store costs the same after a load by its index", "[model][wide]") {
  const auto of = [](bool loads) {
    return counts_of([loads](auto& mp, auto) {
      const auto pairs = mp.template shared<std::uint64_t>(128, "pairs");
      pairs.write(mp.lane() * 2, cast<std::uint64_t>(mp.lane()));
      pairs.write(mp.lane() * 2 + 1, cast<std::uint64_t>(mp.lane()));
      const auto shared_by_neighbours = mp.lane() / 2;
      mp.sync();
      if (loads) (void)pairs.read(shared_by_neighbours);
      mp.sync();
      pairs.write(shared_by_neighbours, mp.varying(std::uint64_t{7}));
    });
  };
  CHECK(of(true).shared_write == of(false).shared_write);
  std::vector<std::uint64_t> byte;
  for (std::uint64_t lane = 0; lane < 32; ++lane) byte.push_back(lane / 2 * 8);
  PricingRules rules(small_machine(32));
  CHECK(rules.shared({byte, 0xffffffff, 8}, true).wavefronts !=
        rules.shared({byte, 0xffffffff, 8}, false).wavefronts);
}

TEST_CASE("a wide access begins at a multiple of its elements and stays inside", "[model][wide]") {
  CHECK_THAT(
      violation([](auto& mp, auto cells) { (void)cells.template read_wide<4>(mp.lane() * 4 + 2); }),
      says("misaligned: 4 neighbours begin at a multiple of 4 elements",
           "lane 0, array cells, index 2"));
  CHECK_THAT(violation([](auto& mp, auto cells) {
               (void)cells.from(1).template read_wide<2>(mp.lane() * 2);
             }),
             says("misaligned"));
  CHECK(violation([](auto& mp, auto cells) {
          (void)cells.from(1).template read_wide<2>(mp.lane() * 2 + 1);
        }).empty());
  CHECK_THAT(
      violation([](auto& mp, auto cells) { (void)cells.template read_wide<4>(mp.lane() * 4 + 4); }),
      says("out of bounds: 4 neighbours of a global array of 256 elements",
           "lane 63, array cells, index 256"));
  // What inactive lanes would access does not matter.
  CHECK(violation([](auto& mp, auto cells) {
          mp.when(mp.lane() < 63, [&] { (void)cells.template read_wide<4>(mp.lane() * 4 + 4); });
        }).empty());
  CHECK_THAT(
      violation([](auto& mp, auto) {
        (void)mp.template shared<I32>(2, "first");
        const auto tile = mp.template shared<I32>(256, "second");
        tile.template write_wide<4>(mp.lane() * 4, registers_of<4>(mp.lane()));
      }),
      says("does not begin at a multiple of these; reserve it before others", "array second"));
}

TEST_CASE("each element of a wide access is held to the rules", "[model][wide]") {
  // Groups in an order that the machine knows again are not taken for elements.
  CHECK(violation([](auto& mp, auto) {
          const auto tile = mp.template shared<I32>(256, "tile");
          for (int twice = 0; twice < 2; ++twice) {
            tile.template write_wide<2>((mp.lane() ^ 1) * 2, registers_of<2>(mp.lane()));
            mp.sync();
            (void)tile.read(mp.lane() + 64);
            mp.sync();
          }
        }) == "");
  CHECK_THAT(violation([](auto& mp, auto) {
               const auto tile = mp.template shared<I32>(256, "tile");
               tile.write(mp.lane() * 2, mp.lane());
               (void)tile.template read_wide<2>(mp.lane() * 2);
             }),
             says("has not written", "lane 0, array tile, index 1"));
  CHECK_THAT(violation([](auto& mp, auto) {
               const auto tile = mp.template shared<I32>(256, "tile");
               tile.template write_wide<2>(mp.lane() * 2, registers_of<2>(mp.lane()));
               (void)tile.read(mp.lane());
             }),
             says("reliance on lockstep"));
  CHECK_THAT(violation([](auto& mp, auto cells) {
               auto value = registers_of<2>(mp.varying(7));
               value[1] = mp.lane();
               cells.template write_wide<2>(mp.varying(6), value);
             }),
             says("two lanes store different values", "array cells, index 7"));
  SimulatedDevice device(small_machine(32, 2, 1, 1024), {1, true, true, {}});
  const auto cells = device.allocate<I32>(cell_count, "cells");
  const auto body = [](auto& mp, auto all) {
    const auto value = registers_of<2>(mp.varying(static_cast<I32>(mp.task())));
    all.template write_wide<2>(mp.varying(static_cast<I32>(mp.task()) * 0), value);
  };
  CHECK_THROWS_WITH(device.launch(2, TestKernel{body}, cells), says("race"));
}

}  // namespace
}  // namespace agpusim
