#include <algorithm>
#include <limits>

#include "agpusim/algorithms/integer_sorts/radix_sort/program.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/rows.hpp"

// The stable sort of pairs: every pair at the place where the library's stable sort has it.
namespace agpusim {
namespace {

using namespace radix_sort;

RunConfig run_of(std::int64_t n, const std::string& input, std::int64_t min, std::int64_t range,
                 const AgpuSpec& spec = small_machine(8, 2, 3, 4096)) {
  return RunConfig{.algorithm = "radix_sort",
                   .type = "i32",
                   .n = n,
                   .input = input,
                   .spec = spec,
                   .parameters = {{"min", min}, {"range", range}}};
}

/// The places in the input of the pairs put at 0, 1, ...; the keys must be those of these places.
template <class Value>
std::vector<std::size_t> order_of(const RunConfig& config) {
  SimulatedDevice device(config.spec, {1, true, true, {}});
  const std::vector<std::int32_t> keys = keys_of(config);
  std::vector<Value> places;
  for (std::size_t i = 0; i < keys.size(); ++i) places.push_back(static_cast<Value>(i));
  const auto [sorted, values] = found_by<Value>(device, config, [&](auto& run) {
    const auto in_keys = run.upload(
        config.n, "keys", [&] { return std::vector<std::uint32_t>(keys.begin(), keys.end()); });
    const auto in_values = run.upload(config.n, "values", [&] { return places; });
    const auto out_keys = run.template array<std::uint32_t>(config.n, "sorted keys");
    const auto out_values = run.array(config.n, "sorted values");
    launch<Value>(run, digits_of(config), cut_of(config), in_keys, in_values, out_keys, out_values);
    return [&run, out_keys, out_values] {
      return std::pair{run.download(out_keys), run.download(out_values)};
    };
  });
  std::vector<std::size_t> order(values.begin(), values.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    REQUIRE(order[i] < keys.size());
    REQUIRE(sorted[i] == static_cast<std::uint32_t>(keys[order[i]]));
  }
  return order;
}

std::vector<std::size_t> stable_order(const RunConfig& config) {
  const std::vector<std::int32_t> keys = keys_of(config);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < keys.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return keys[x] < keys[y]; });
  return order;
}

void check_order(RunConfig config) {
  config = resolve(test::row("radix_sort"), config);
  CAPTURE(config.n, config.input, config.spec.to_string(), config.parameters);
  CHECK(order_of<std::uint32_t>(config) == stable_order(config));
  CHECK(order_of<std::uint64_t>(config) == stable_order(config));
}

TEST_CASE("pairs are where a stable sort puts them", "[algorithms][radix_sort]") {
  const std::int64_t low = std::numeric_limits<std::int32_t>::min();
  // Around b = 8, V = 16, tiles of 256 pairs, and segments of several tiles.
  for (const std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 256, 257, 769, 5003}) {
    for (const char* const input : {"uniform", "equal", "sorted", "reversed", "zipf"}) {
      check_order(run_of(n, input, 0, 1));
      check_order(run_of(n, input, -3, 7));
      check_order(run_of(n, input, 0, 256));
      check_order(run_of(n, input, 100, 257));
      check_order(run_of(n, input, low, std::int64_t{1} << 32));
    }
  }
  check_order(run_of(9, "values:5,-1,5,0,5,-1,7,7,0", -1, 9));
  check_order(run_of(4, "values:2147483647,-2147483648,-1,0", low, std::int64_t{1} << 32));
}

TEST_CASE("every number of bits of a digit sorts stably", "[algorithms][radix_sort]") {
  const std::pair<int, int> shapes[] = {{1, 1}, {3, 2}, {4, 3}, {32, 1}, {32, 8}, {16, 64}};
  for (const auto& [b, warps] : shapes) {
    for (std::int64_t bits = 1; bits <= most_digit_bits; ++bits) {
      RunConfig config = run_of(3001, "uniform", 0, 600, small_machine(b, warps, 4, 1 << 17));
      config.parameters["digit_bits"] = bits;
      check_order(config);
    }
  }
}

TEST_CASE("digits cover the bits of the range, none two bits shorter than another",
          "[algorithms][radix_sort]") {
  const auto bits_of = [](std::int64_t range, std::int64_t most) {
    RunConfig config = run_of(1, "equal", 0, range);
    config.parameters["digit_bits"] = most;
    std::vector<std::int32_t> bits;
    std::int32_t shift = 0;
    for (const Digit& digit : digits_of(config)) {
      CHECK(digit.shift == shift);
      bits.push_back(digit.bits);
      shift += digit.bits;
    }
    return bits;
  };
  using Bits = std::vector<std::int32_t>;
  CHECK(bits_of(1, 8) == Bits{1});
  CHECK(bits_of(256, 8) == Bits{8});
  CHECK(bits_of(257, 8) == Bits{5, 4});
  CHECK(bits_of(1 << 12, 8) == Bits{6, 6});
  CHECK(bits_of(1 << 17, 8) == Bits{6, 6, 5});
  CHECK(bits_of(std::int64_t{1} << 32, 8) == Bits{8, 8, 8, 8});
}

TEST_CASE("the checksum of sorted pairs knows an order that is not stable",
          "[algorithms][radix_sort]") {
  const std::vector<std::uint32_t> keys{1, 1, 2};
  CHECK(checksum_of<std::uint32_t>(keys, {10, 11, 12}) !=
        checksum_of<std::uint32_t>(keys, {11, 10, 12}));
  const std::vector<std::uint64_t> values = values_of<std::uint64_t>(1000);
  CHECK(std::vector<std::uint64_t>(values.begin() + 1, values.end()) !=
        std::vector<std::uint64_t>(values.begin(), values.end() - 1));
}

TEST_CASE("what radix_sort cannot run is refused with a remedy", "[algorithms][radix_sort]") {
  const auto refusal = [](const RunConfig& config) {
    return test::message_of<UsageError>([&] { return resolve(test::row("radix_sort"), config); });
  };
  RunConfig config = run_of(100, "uniform", 0, 100);
  CHECK(refusal(config) == "");
  config.parameters["digit_bits"] = 9;
  CHECK_THAT(refusal(config), says("digit_bits = 9", "1 to 8"));
  CHECK_THAT(refusal(run_of(100, "uniform", 0, 100, small_machine(33, 1, 2, 4096))),
             says("b = 33", "at most 32"));
  CHECK_THAT(refusal(run_of(100, "uniform", 0, 100, small_machine(8, 2, 2, 100))), says("M = 100"));
  CHECK_THAT(refusal(run_of(100, "uniform", 0, (std::int64_t{1} << 32) + 1)), says("at most 2^32"));
  CHECK_THAT(refusal(run_of(100, "uniform", -1, std::int64_t{1} << 32)), says("min = -1"));
  CHECK_THAT(refusal(run_of(std::int64_t{1} << 31, "uniform", 0, 100)), says("n = 2147483648"));
}

TEST_CASE("a phase that moves pairs reads each once and counts in its warps",
          "[algorithms][radix_sort]") {
  RunConfig config = run_of(4096, "sorted", 0, 4096, small_machine(32, 2, 2, 8192));
  config.parameters["tasks"] = 2;
  const RunResult result = test::checked_run(resolve(test::row("radix_sort"), config));
  // Two digits of 6 bits, three phases each.
  REQUIRE(result.report.phases.size() == 6);
  const PhaseReport& moves = result.report.phases[2];
  CHECK(moves.kernel == "move_pairs");
  CHECK(result.report.phases[0].counts.global_read.blocks == 4096 / 32);
  // Keys and values, and for each of two tasks 64 totals and 64 counts, which lie 2 words apart.
  CHECK(moves.counts.global_read.blocks == 2 * 4096 / 32 + 2 * (2 + 4));
  // 4096 equally frequent digits in order: every warp meets each digit once or never.
  CHECK(moves.counts.shared_atomic.requests == 4096 / 32);
}

}  // namespace
}  // namespace agpusim
