#include "agpusim/algorithms/out_of_core/hash_table.hpp"

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/commands/pipeline/host_baselines.hpp"
#include "agpusim/tests/algorithms/out_of_core/runs.hpp"

namespace agpusim::out_of_core {
namespace {

using Hashes = std::vector<std::uint64_t>;

/// The table by a loop over the hashes in their order.
Hashes table_by_loop(const Hashes& sorted, const Homes& homes) {
  Hashes table(static_cast<std::size_t>(HashTable::size_of(homes.count)), empty_slot);
  for (const std::uint64_t hash : sorted) {
    auto slot = static_cast<std::size_t>(homes.home(hash));
    while (table[slot] != empty_slot) ++slot;
    table[slot] = hash;
  }
  return table;
}

/// Ascending hashes whose home among `homes` is that of `slots`, which are ascending.
Hashes hashes_at(const std::vector<std::int64_t>& slots, std::int64_t homes) {
  Hashes hashes;
  const double of_slot = std::pow(2.0, 64) / static_cast<double>(homes);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    hashes.push_back(static_cast<std::uint64_t>((static_cast<double>(slots[i]) + 0.5) * of_slot) +
                     100'000 * i);
    CHECK(Homes{homes}.home(hashes.back()) == slots[i]);
  }
  return hashes;
}

struct Inserted {
  Hashes table;
  std::vector<double> found;
};

/// A table of `sorted` hashes, and what a search for `wanted` ones finds.
Inserted inserted(const Hashes& sorted, const Hashes& wanted, const Chunks& windows) {
  SimulatedStreams run = simulated();
  const HashArrays<SimulatedStreams> arrays(run, windows);
  Inserted result{Hashes(static_cast<std::size_t>(HashTable::size_of(windows.n))),
                  std::vector<double>(wanted.size())};
  const HashTable table{{windows.n}, writing(result.table)};
  hash_insert(run, arrays, reading(sorted), table, windows, {});
  hash_find(run, arrays, reading(wanted), table, writing(result.found), windows, {});
  return result;
}

TEST_CASE("an out-of-core hash table equals one of a plain loop", "[out_of_core]") {
  for (const Size& size : sizes) {
    // Whole numbers in any order, different ones and repeated ones.
    for (const std::uint64_t values : {std::uint64_t{1} << 50, std::uint64_t{50}}) {
      CAPTURE(size.n, size.chunk, size.streams, values);
      std::vector<double> keys;
      for (std::int64_t i = 0; i < size.n; ++i) {
        keys.push_back(
            static_cast<double>(random_bits(19, static_cast<std::uint64_t>(i)) % values));
      }
      std::vector<double> out(keys.size());
      std::vector<std::int64_t> seen{0};
      const Control control = watched(seen);
      SimulatedStreams run = simulated();
      Hashes memory(static_cast<std::size_t>(HashScratch::words(size.n)));
      const HashScratch scratch = HashScratch::of(writing(memory), size.n);
      hash_table(run, reading(keys), writing(out), scratch, {size.n, size.chunk, size.streams},
                 control);
      std::vector<double> expected(keys.size());
      find_in_order_of_hashes(keys, expected);
      CHECK(out == expected);
      CHECK(std::is_sorted(seen.begin(), seen.end()));
      if (size.n == 0) continue;
      CHECK(seen.back() == 5000);
      const Hashes sorted(scratch.inserted.data(), scratch.inserted.data() + size.n / 2);
      CHECK(std::is_sorted(sorted.begin(), sorted.end()));
      CHECK(Hashes(scratch.table.data(), scratch.table.data() + scratch.table.size()) ==
            table_by_loop(sorted, {HashScratch::homes_of(size.n)}));
    }
  }
}

TEST_CASE("hashes that overflow over several windows are where a plain loop has them",
          "[out_of_core]") {
  constexpr std::int64_t homes = 2000;
  for (const std::int64_t chunk : {100, 333, 2000}) {
    for (const std::int64_t clump : {1, 99, 100, 101, 900}) {
      CAPTURE(chunk, clump);
      std::vector<std::int64_t> slots{0, 5, 5};
      for (std::int64_t i = 0; i < clump; ++i) slots.push_back(98);
      for (const std::int64_t slot : {99, 100, 1200, 1998, 1999, 1999}) slots.push_back(slot);
      const Hashes sorted = hashes_at(slots, homes);
      REQUIRE(std::is_sorted(sorted.begin(), sorted.end()));
      Hashes wanted = sorted;
      for (const std::uint64_t hash : sorted) wanted.push_back(hash + 1);
      std::sort(wanted.begin(), wanted.end());
      const auto [table, found] = inserted(sorted, wanted, {homes, chunk, 2});
      const Hashes expected = table_by_loop(sorted, {homes});
      CHECK(table == expected);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto slot = static_cast<std::size_t>(Homes{homes}.home(wanted[i]));
        while (expected[slot] != empty_slot && expected[slot] != wanted[i]) ++slot;
        const auto place = static_cast<double>(slot);
        CHECK(found[i] == (expected[slot] == wanted[i] ? place : -1 - place));
      }
    }
  }
}

std::vector<std::int64_t> clump(std::int64_t count, std::int64_t slot) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(count), slot);
}

TEST_CASE("1,024 hashes cross the border of a window of a hash table, not more", "[out_of_core]") {
  constexpr std::int64_t homes = 4000;
  const auto refused = says("1024 slots behind a window");
  for (const std::int64_t before : {0, 1}) {
    CAPTURE(before);
    std::vector<std::int64_t> slots = clump(before, 3);
    const auto with = [&](std::int64_t count) {
      std::vector<std::int64_t> all = slots;
      for (const std::int64_t slot : clump(count, 499)) all.push_back(slot);
      return hashes_at(all, homes);
    };
    // The first of them is in slot 499.
    const Hashes most = with(1025);
    CHECK(inserted(most, {}, {homes, 500, 2}).table == table_by_loop(most, {homes}));
    CHECK_THROWS_WITH(inserted(with(1026), {}, {homes, 500, 2}), refused);
  }
  const Hashes at_the_end = hashes_at(clump(1024, 3999), homes);
  CHECK(inserted(at_the_end, {}, {homes, homes, 2}).table == table_by_loop(at_the_end, {homes}));
  CHECK_THROWS_WITH(inserted(hashes_at(clump(1025, 3999), homes), {}, {homes, homes, 2}), refused);
}

TEST_CASE("a search that goes on for 1,024 slots behind a window is refused", "[out_of_core]") {
  constexpr std::int64_t homes = 4000;
  for (const bool too_long : {false, true}) {
    // From slot 499 on: 500 that overflow, then one a home.
    std::vector<std::int64_t> slots = clump(501, 499);
    for (std::int64_t i = 0; i < (too_long ? 524 : 523); ++i) slots.push_back(1000 + i);
    const Hashes sorted = hashes_at(slots, homes);
    const Hashes absent{sorted.front() - 1};
    REQUIRE(Homes{homes}.home(absent.front()) == 499);
    const Chunks windows{homes, 500, 2};
    if (too_long) {
      CHECK_THROWS_WITH(inserted(sorted, absent, windows), says("1024 slots behind"));
    } else {
      CHECK(inserted(sorted, absent, windows).found == std::vector<double>{-1.0 - 1523});
    }
  }
}

TEST_CASE("hashes of keys are the words of SplitMix64", "[out_of_core]") {
  // The first outputs of the generator with seeds 0 and 1.
  CHECK(HashOfKey{}(0.0) == 0xe220a8397b1dcdafU);
  CHECK(HashOfKey{}(1.0) == 0x910a2dec89025cc1U);
}

TEST_CASE("searches in an out-of-core hash table take as many probes as Knuth expects",
          "[out_of_core]") {
  constexpr std::int64_t n = 1 << 17;
  std::vector<double> keys;
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(static_cast<double>(i));
  std::vector<double> out(keys.size());
  SimulatedStreams run = simulated();
  Hashes memory(static_cast<std::size_t>(HashScratch::words(n)));
  hash_table(run, reading(keys), writing(out), HashScratch::of(writing(memory), n), {n, n / 5, 3});
  Hashes hashes;
  for (const double key : keys) hashes.push_back(HashOfKey{}(key));
  std::sort(hashes.begin(), hashes.end());
  double present = 0;
  double absent = 0;
  std::int64_t there = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto home = static_cast<double>(Homes{HashScratch::homes_of(n)}.home(hashes[i]));
    if (out[i] >= 0) {
      ++there;
      present += out[i] - home + 1;
    } else {
      absent += -1 - out[i] - home + 1;
    }
  }
  CHECK(there == n / 2);
  // TAOCP 3, 6.4: (1 + 1 / (1 - a)) / 2 and (1 + 1 / (1 - a)^2) / 2 at a = 1/2.
  CHECK(present / (n / 2) == Catch::Approx(1.5).epsilon(0.02));
  CHECK(absent / (n / 2) == Catch::Approx(2.5).epsilon(0.02));
}

TEST_CASE("a plan of a hash table is one whose hashes are spread evenly", "[out_of_core]") {
  for (const Size& size : std::vector<Size>{{20'000, 20'000, 2}, {40'000, 9000, 3}}) {
    CAPTURE(size.n, size.chunk, size.streams);
    std::vector<double> keys;
    for (std::int64_t i = 0; i < size.n; ++i) keys.push_back(static_cast<double>(i));
    std::vector<double> out(keys.size());
    const Chunks chunks{size.n, size.chunk, size.streams};
    SimulatedStreams run = simulated();
    Hashes memory(static_cast<std::size_t>(HashScratch::words(size.n)));
    hash_table(run, reading(keys), writing(out), HashScratch::of(writing(memory), size.n), chunks);
    PlannedStreams plan = planned();
    hash_table(plan, HostPiece<const double>(size.n), HostPiece<double>(size.n),
               HashScratch::of(HostPiece<std::uint64_t>(HashScratch::words(size.n)), size.n),
               chunks);
    REQUIRE(plan.pipeline().size() == run.pipeline().size());
    CHECK(plan.budget().used() == run.budget().used());
    double blocks = 0;
    double planned = 0;
    std::int64_t bytes = 0;
    std::int64_t planned_bytes = 0;
    for (transfer::OperationId id = 0; id < run.pipeline().size(); ++id) {
      CHECK(plan.pipeline()[id].engine == run.pipeline()[id].engine);
      CHECK(plan.pipeline().before(id) == run.pipeline().before(id));
      bytes += run.pipeline()[id].bytes;
      planned_bytes += plan.pipeline()[id].bytes;
      blocks += run.pipeline()[id].seconds;
      planned += plan.pipeline()[id].seconds;
    }
    CHECK(bytes == planned_bytes);
    CHECK(planned == Catch::Approx(blocks).epsilon(0.1));
  }
}

}  // namespace
}  // namespace agpusim::out_of_core
