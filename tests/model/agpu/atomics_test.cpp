#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/seed.hpp"

// Atomic operations (extension X1): results, what they meet, and the races they take part in.
namespace agpusim {
namespace {

/// One atomic_add of 1 to `bins`[keys[i]] for each of the tasks' lanes.
const TestKernel count_keys{[](auto& mp, auto keys, auto bins) {
  const auto key = keys.from(mp.task() * mp.width()).read(mp.lane());
  mp.when(key >= 0, [&] { bins.atomic_add(key, mp.varying(1U)); });
}};

/// The phase of a histogram of `keys` (negative: none), whose size is a multiple of V.
PhaseReport histogram(const AgpuSpec& spec, const std::vector<I32>& keys, std::int64_t size,
                      int threads, std::vector<std::uint32_t>& result) {
  SimulatedDevice device(spec, {threads, true, true, {}});
  const auto in = device.allocate<I32>(static_cast<std::int64_t>(keys.size()), "keys");
  const auto bins = device.allocate<std::uint32_t>(size, "bins");
  device.upload<I32>(in, keys);
  const std::int64_t tasks = static_cast<std::int64_t>(keys.size()) / spec.width;
  device.launch(tasks, count_keys, in, bins);
  device.launch(tasks, count_keys, in, bins);  // counts of a phase do not leak into the next
  result = device.download(bins);
  CHECK(device.report().phases[0].contention == device.report().phases[1].contention);
  CHECK(device.report().phases[0].atomic_blocks == device.report().phases[1].atomic_blocks);
  return device.report().phases[1];
}

TEST_CASE("contention and atomic blocks follow their definition", "[model][atomics]") {
  Random random(test_seed());
  INFO("seed " << test_seed());
  for (const int threads : {1, 4}) {
    for (const std::int32_t b : {1, 8, 32, 128}) {
      for (const std::int64_t range : {1, 5, 100, 5000}) {
        const AgpuSpec spec = small_machine(b, 2);
        std::vector<I32> keys(static_cast<std::size_t>(spec.width) * 64);
        for (I32& key : keys) key = static_cast<I32>(below(random, range + 1)) - 1;
        keys[0] = 0;
        std::map<I32, std::uint32_t> times;
        std::set<I32> blocks;
        std::int64_t serialised = 0;
        for (std::size_t i = 0; i < keys.size(); i += static_cast<std::size_t>(b)) {
          std::map<I32, std::int64_t> in_warp;
          std::int64_t most = 1;
          for (std::size_t j = i; j < i + static_cast<std::size_t>(b); ++j) {
            if (keys[j] < 0) continue;
            ++times[keys[j]];
            blocks.insert(keys[j] / b);
            most = std::max(most, ++in_warp[keys[j]]);
          }
          serialised += most - 1;
        }
        std::uint32_t contention = 0;
        for (const auto& [key, count] : times) contention = std::max(contention, count);
        std::vector<std::uint32_t> bins;
        CAPTURE(threads, b, range);
        const PhaseReport phase = histogram(spec, keys, range, threads, bins);
        CHECK(phase.contention == contention);
        CHECK(phase.atomic_blocks == static_cast<std::int64_t>(blocks.size()));
        CHECK(phase.counts.serialised == serialised);
        for (I32 key = 0; key < range; ++key) {
          const auto at = times.find(key);
          CHECK(bins[static_cast<std::size_t>(key)] == 2 * (at == times.end() ? 0 : at->second));
        }
      }
    }
  }
}

TEST_CASE("the contention of a large array is that of its commonest element", "[model][atomics]") {
  constexpr I32 far = 1 << 20;
  const AgpuSpec spec = small_machine(8, 1);
  std::vector<std::uint32_t> bins;
  const PhaseReport phase = histogram(spec, {0, 0, 1, 1, far, far, far, far - 1}, far + 1, 2, bins);
  CHECK(phase.contention == 3);
  CHECK(phase.atomic_blocks == 3);
}

TEST_CASE("blocks of atomics add up over arrays and cover wide elements", "[model][atomics]") {
  SimulatedDevice device(small_machine());
  const auto narrow = device.allocate<I32>(64, "narrow");
  const auto wide = device.allocate<std::uint64_t>(64, "wide");
  device.launch(2, TestKernel{[](auto& mp, auto n, auto w) {
                  n.atomic_add(mp.lane() * 8, mp.lane());                       // 8 blocks
                  w.atomic_add(mp.lane(), mp.varying(std::uint64_t{1} << 40));  // 2 blocks
                  n.atomic_add(mp.lane(), mp.lane());  // block 0 again: 8 words of it
                }},
                narrow, wide);
  const PhaseReport phase = device.report().phases[0];
  CHECK(phase.atomic_blocks == 10);
  CHECK(phase.contention == 4);  // word 0 of `narrow`: two operations of each task
  CHECK(device.download(wide)[7] == std::uint64_t{2} << 40);
  // Words of 24 bits: 8 in a block, 3 for an element of 64 bits. Element 2 is words 6 to 8.
  AgpuSpec spec = small_machine();
  spec.word_bits = 24;
  SimulatedDevice odd(spec);
  const auto straddling = odd.allocate<std::uint64_t>(64, "straddling");
  const auto add_to_2 = [](auto& mp, auto x) {
    mp.when(mp.lane() == 2, [&] { x.atomic_add(mp.lane(), mp.varying(std::uint64_t{1})); });
  };
  odd.launch(1, TestKernel{add_to_2}, straddling);
  CHECK(odd.report().phases[0].atomic_blocks == 2);
}

TEST_CASE("atomics of a view meet in the array", "[model][atomics]") {
  SimulatedDevice device(small_machine());
  const auto array = device.allocate<I32>(64, "array");
  device.launch(4, TestKernel{[](auto& mp, auto a) {
                  // Words 0 to 7, 4 to 11, 8 to 15, 12 to 19.
                  a.from(4 * mp.task()).atomic_add(7 - mp.lane(), mp.varying(I32{1}));
                }},
                array);
  CHECK(device.report().phases[0].contention == 2);
  CHECK(device.report().phases[0].atomic_blocks == 3);
  CHECK(device.download(array)[4] == 2);
}

TEST_CASE("plain accesses meet no atomics", "[model][atomics]") {
  SimulatedDevice device(small_machine());
  const auto array = device.allocate<I32>(8, "array");
  device.launch(1, TestKernel{[](auto& mp, auto a) { a.write(mp.lane(), a.read(mp.lane())); }},
                array);
  CHECK(device.report().phases[0].contention == 0);
  CHECK(device.report().phases[0].atomic_blocks == 0);
}

TEST_CASE("atomic results do not depend on the threads", "[model][atomics][threads]") {
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    SimulatedDevice device(small_machine(8, 4), {threads, true, true, {}});
    const auto cells = device.allocate<I32>(3, "cells");
    device.upload<I32>(cells, std::vector<I32>{0, -5, 1'000'000});
    device.launch(500, TestKernel{[](auto& mp, auto c) {
                    const auto zero = mp.lane() * 0;
                    const auto value = mp.lane() + static_cast<I32>(mp.task() * 32);
                    c.atomic_add(zero, value + 300'000);  // wraps
                    c.atomic_max(zero + 1, value);
                    c.atomic_min(zero + 2, value + 7);
                  }},
                  cells);
    constexpr std::uint64_t lanes = 16'000;
    const auto sum = static_cast<I32>(lanes * (lanes - 1) / 2 + lanes * 300'000);
    CHECK(device.download(cells) == std::vector<I32>{sum, 15'999, 7});
    CHECK(device.report().phases[0].contention == 16'000);
    CHECK(device.report().phases[0].atomic_blocks == 1);
  }
}

/// The race message of a launch of `tasks` tasks of a machine of one thread; empty without a race.
template <class Body>
std::string race(std::int64_t tasks, Body body) {
  SimulatedDevice device(small_machine(), {1, true, true, {}});
  const auto array = device.allocate<I32>(64, "cells");
  return test::message_of<RuleViolation>([&] { device.launch(tasks, TestKernel{body}, array); });
}

TEST_CASE("atomics of many tasks still race with every plain access", "[model][atomics][race]") {
  const auto add_then = [](auto plain) {
    return [plain](auto& mp, auto a) {
      // Scattered over two chunks; all tasks but the last only add.
      const auto at = (mp.lane() * 5) & 63;
      if (mp.task() < 4) {
        a.atomic_add(at, mp.varying(I32{1}));
      } else {
        plain(mp, a);
      }
    };
  };
  const auto read_35 = [](auto& mp, auto a) { (void)a.read(mp.lane() * 0 + 35); };
  const auto write_35 = [](auto& mp, auto a) { a.write(mp.lane() * 0 + 35, mp.lane() * 0); };
  const auto read_34 = [](auto& mp, auto a) { (void)a.read(mp.lane() * 0 + 34); };
  CHECK(race(4, add_then(read_35)).empty());
  CHECK(race(5, add_then(read_34)).empty());
  for (const std::string& message : {race(5, add_then(read_35)), race(5, add_then(write_35))}) {
    CHECK_THAT(message, says("task 4", "several tasks use", "index 35"));
  }
}

TEST_CASE("a task may read what only itself updates, next to words of others",
          "[model][atomics][race]") {
  const auto own = [](auto& mp, auto a) {
    const auto mine = mp.lane() * 8 + static_cast<I32>(mp.task());
    a.atomic_add(mine, mp.varying(I32{1}));
    a.write(mine, a.read(mine) + 1);
    a.atomic_add(mine, mp.varying(I32{1}));
  };
  CHECK(race(8, own).empty());
  const auto disturbed = [&](auto& mp, auto a) {
    if (mp.task() < 7) {
      own(mp, a);
    } else {
      a.atomic_add(mp.lane() * 8 + 3, mp.varying(I32{1}));
    }
  };
  CHECK_THAT(race(8, disturbed), says("task 7 atomically updates", "task 3 uses"));
}

TEST_CASE("a word next to one that many tasks update has its own users", "[model][atomics][race]") {
  const auto body = [](auto& mp, auto a) {
    const auto one = [&](int word, auto operation) {
      mp.when(mp.lane() == 0, [&] { operation(mp.lane() + word); });
    };
    const auto add = [&](const auto& at) { a.atomic_add(at, mp.varying(I32{1})); };
    const auto read = [&](const auto& at) { (void)a.read(at); };
    if (mp.task() < 2) one(35, add);
    if (mp.task() < 2) one(37, read);
    if (mp.task() == 2) one(34, add);
    if (mp.task() == 3) one(36, read);
    if (mp.task() == 4) one(34, read);
    if (mp.task() == 5) one(36, add);
  };
  CHECK(race(4, body).empty());
  CHECK_THAT(race(5, body), says("task 2 uses"));
  const auto without_4 = [&](auto& mp, auto a) {
    if (mp.task() != 4) body(mp, a);
  };
  CHECK_THAT(race(6, without_4), says("task 3 uses"));
}

TEST_CASE("words that many tasks read race with a later update", "[model][atomics][race]") {
  const auto body = [](auto& mp, auto a) {
    if (mp.task() < 5) {
      (void)a.read(mp.lane() * 7);
    } else {
      a.atomic_add(mp.lane() * 7, mp.varying(I32{1}));
    }
  };
  CHECK(race(5, body).empty());
  CHECK_THAT(race(6, body), says("several tasks use"));
}

TEST_CASE("the multiplicity of a request is that of its commonest index, in every order and size",
          "[model][atomics]") {
  Random random(test_seed());
  INFO("seed " << test_seed());
  AgpuSpec spec;
  spec.block_words = spec.width = 1024;
  PricingRules rules(spec);
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 64U, 65U, 1024U}) {
    for (const std::int32_t range : {1, 3, 40, 5000, 0}) {
      for (int order = 0; order < 3; ++order) {
        std::vector<I32> index(count);
        for (I32& i : index) i = range == 0 ? static_cast<I32>(random()) : below(random, range) - 1;
        if (range == 0) index.back() = std::numeric_limits<I32>::max();
        if (order == 1) std::sort(index.begin(), index.end());
        if (order == 2) std::sort(index.rbegin(), index.rend());
        std::map<I32, I32> times;
        I32 most = 0;
        for (const I32 i : index) most = std::max(most, ++times[i]);
        CAPTURE(count, range, order);
        CHECK(rules.multiplicity(index.data(), static_cast<I32>(count)) == most);
      }
    }
  }
}

}  // namespace
}  // namespace agpusim
