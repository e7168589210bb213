#include "agpusim/algorithms/common/inputs.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim {
namespace {

TEST_CASE("inputs are what their names say and depend on the seed only", "[algorithms][inputs]") {
  for (const std::string& kind : input_kinds()) {
    CAPTURE(kind);
    CHECK_FALSE(describe_input(kind).empty());
    CHECK(generate<std::uint32_t>(kind, 1000, 7) == generate<std::uint32_t>(kind, 1000, 7));
    CHECK(generate<std::uint64_t>(kind, 0, 1).empty());
  }
  const auto uniform = generate<std::uint32_t>("uniform", 10000, 1);
  CHECK(uniform != generate<std::uint32_t>("uniform", 10000, 2));
  CHECK(std::set<std::uint32_t>(uniform.begin(), uniform.end()).size() > 9990);
  const auto equal = generate<std::uint64_t>("equal", 100, 1);
  CHECK(std::set<std::uint64_t>(equal.begin(), equal.end()).size() == 1);
  const auto sorted = generate<std::uint32_t>("sorted", 100, 1);
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  const auto reversed = generate<std::uint32_t>("reversed", 100, 1);
  CHECK(std::is_sorted(reversed.rbegin(), reversed.rend()));
  const auto few = generate<std::uint32_t>("few_distinct", 10000, 1);
  CHECK(std::set<std::uint32_t>(few.begin(), few.end()).size() == 16);
  const auto zipf = generate<std::uint32_t>("zipf", 100000, 1);
  const auto ones = std::count(zipf.begin(), zipf.end(), 1U);
  CHECK(ones > 4500);  // one octave of 20
  CHECK(ones < 5500);
  CHECK(*std::max_element(zipf.begin(), zipf.end()) < (1U << 20));
  CHECK_THROWS_AS(generate<std::uint32_t>("gaussian", 1, 1), UsageError);
}

TEST_CASE("a radix sort of a range needs the bits below the first that all keys share",
          "[algorithms][inputs]") {
  for (const auto& [min, range] : {std::pair<std::int64_t, std::int64_t>{0, 0},
                                   {0, 1},
                                   {0, 2},
                                   {0, 256},
                                   {0, 257},
                                   {5, 3},
                                   {7, 2},
                                   {-1, 2},
                                   {-300, 100}}) {
    CAPTURE(min, range);
    std::uint32_t differing = 0;
    for (std::int64_t key = min; key < min + range; ++key) {
      differing |= static_cast<std::uint32_t>(key) ^ static_cast<std::uint32_t>(min);
    }
    const int bits = differing_bits(min, range);
    CHECK(bits >= 1);
    CHECK((std::uint64_t{differing} >> bits) == 0);
    CHECK((bits == 1 || (differing >> (bits - 1)) != 0));
  }
  CHECK(differing_bits(std::numeric_limits<std::int32_t>::min(), std::int64_t{1} << 32) == 32);
}

TEST_CASE("inputs are the same in every version", "[algorithms][inputs]") {
  struct Kind {
    std::string name;
    std::uint64_t of_u32, of_u64;  // checksums
  };
  const std::vector<Kind> kinds = {
      {"uniform", 0x45d47907a8b01098, 0x370ad338cde46f10},
      {"equal", 0x51381d30be7062a, 0xb20981ce01c962a6},
      {"sorted", 0x7263003b608ff5f8, 0x7263003b608ff5f8},
      {"reversed", 0xfbfc111c45e2652b, 0xfbfc111c45e2652b},
      {"few_distinct", 0xde574ea5201e0a3f, 0x2a224e75500406f6},
      {"zipf", 0x848c887833898898, 0x848c887833898898},
  };
  CHECK(kinds.size() == input_kinds().size());
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    CHECK(checksum(generate<std::uint32_t>(kind.name, 200'001, 7)) == kind.of_u32);
    CHECK(checksum(generate<std::uint64_t>(kind.name, 200'001, 7)) == kind.of_u64);
  }
  const std::map<std::string, std::uint64_t> keys = {
      {"uniform", 0x9032c61f4d3ec81f},  {"distinct", 0x4a5c1973bbb43b77},
      {"equal", 0xca8beecc94a306d3},    {"sorted", 0x90f39c965b194b73},
      {"reversed", 0xd712091899bcf6bb}, {"zipf", 0x3cb85ec4943de265},
  };
  CHECK(keys.size() == key_kinds().size());
  for (const auto& [kind, expected] : keys) {
    CAPTURE(kind);
    CHECK(checksum(generate_keys(kind, {200'001, -5, 300'000, 1000}, 7)) == expected);
  }
}

/// Writes the numbers 0, 37, 10, 47, ... below 64 as a T; returns them as "values:...".
template <class T>
std::string write_elements(const std::string& file, std::int64_t n) {
  std::string values = "values:";
  std::ofstream out(file, std::ios::binary);
  for (std::int64_t i = 0; i < n; ++i) {
    const T value = static_cast<T>(37 * i % 64);
    values += (i == 0 ? "" : ",") + std::to_string(static_cast<std::int64_t>(value));
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return values;
}

TEST_CASE("rows take elements that are spelled or stand in a file", "[algorithms][inputs]") {
  const test::TempFolder folder;
  int runs = 0;
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    if (!row.given_values || row.name == "string_rank_sort") continue;
    for (const std::string& type : row.types) {
      const std::string file = folder.file("elements." + type);
      const auto write = type == "u32"   ? write_elements<std::uint32_t>
                         : type == "i32" ? write_elements<std::int32_t>
                         : type == "u64" ? write_elements<std::uint64_t>
                         : type == "i64" ? write_elements<std::int64_t>
                         : type == "f32" ? write_elements<float>
                                         : write_elements<double>;
      CAPTURE(row.name, type);
      RunConfig config{.algorithm = row.name, .type = type, .n = 64};
      config.input = write(file, config.n);
      const RunResult spelled = row.simulate(resolve(row, config), {});
      CHECK(spelled.correct);
      config.input = "file:" + file;
      const RunResult stored = row.simulate(resolve(row, config), {});
      CHECK(stored.correct);
      CHECK(stored.checksum == spelled.checksum);
      CHECK(given_count(config.input, type.ends_with("32") ? 4 : 8) == 64);
      ++runs;
    }
  }
  CHECK(runs > 30);
  CHECK_THROWS_WITH(given_count("file:" + folder.file("elements.u32"), 7),
                    Catch::Matchers::EndsWith("256 bytes are no whole elements of 7 bytes"));
  CHECK_THROWS_WITH(given_count("file:" + folder.file("none"), 4),
                    Catch::Matchers::EndsWith("No such file or directory"));
  CHECK_THROWS_WITH(generate<std::uint32_t>("values:1,-1", 2, 1),
                    "input 'values:...': key x[1] = '-1' is not a 32-bit unsigned integer; for "
                    "example values:3,3,1,7");
  CHECK_THROWS_WITH(generate<std::uint32_t>("values:1,", 1, 1),
                    "input 'values:...' has 2 keys, but n = 1; leave n out");
  CHECK(generate<std::uint64_t>("values:", 0, 1).empty());
}

TEST_CASE("a checksum tells values, order and length apart", "[algorithms][inputs]") {
  using V = std::vector<std::uint32_t>;
  CHECK(checksum<std::uint32_t>(V{1, 2}) == checksum<std::uint32_t>(V{1, 2}));
  CHECK(checksum<std::uint32_t>(V{1, 2}) != checksum<std::uint32_t>(V{2, 1}));
  CHECK(checksum<std::uint32_t>(V{1, 2}) != checksum<std::uint32_t>(V{1, 3}));
  CHECK(checksum<std::uint32_t>(V{0}) != checksum<std::uint32_t>(V{0, 0}));
}

TEST_CASE("a run that cannot be is refused by name", "[algorithms][registry]") {
  Registry registry = test::all_rows();
  const Algorithm& sort = registry.find("bitonic_sort");
  const auto refusal = [&](const Algorithm& row, auto change) {
    RunConfig config{.n = 1000};
    change(config);
    return test::message_of<UsageError>([&] { return resolve(row, config); });
  };
  CHECK(refusal(sort, [](RunConfig&) {}).empty());
  CHECK(refusal(sort, [](RunConfig& c) { c.n = 0; }).find("n = 0") == 0);
  CHECK(refusal(sort, [](RunConfig& c) { c.n = -5; }).find("n = -5") == 0);
  CHECK(refusal(sort, [](RunConfig& c) { c.type = "f16"; }).find("no type 'f16'") !=
        std::string::npos);
  CHECK(refusal(sort, [](RunConfig& c) { c.input = "x"; }).find("no input 'x'") !=
        std::string::npos);
  CHECK(refusal(sort, [](RunConfig& c) { c.variant = "x"; }).find("no variant") !=
        std::string::npos);
  CHECK(refusal(sort, [](RunConfig& c) { c.parameters["tile"] = 100; }).find("tile = 100") == 0);
  CHECK(refusal(sort, [](RunConfig& c) {
          c.parameters["tile"] = 1 << 20;
        }).find("do not fit into M") != std::string::npos);
  CHECK(refusal(sort, [](RunConfig& c) { c.parameters["tail"] = 1; }).find("no parameter 'tail'") !=
        std::string::npos);
  CHECK(refusal(sort, [](RunConfig& c) {
          c.spec.block_words = 33;
          c.spec.cores = c.spec.width = 33;
        }).find("powers of two") != std::string::npos);
  CHECK(refusal(registry.find("transpose"), [](RunConfig& c) {
          c.spec.shared_words = 100;
        }).find("M = 100") != std::string::npos);
  CHECK_THROWS_AS(registry.find("quicksort"), UsageError);
  CHECK_THROWS_AS(registry.add(sort), std::logic_error);
  CHECK_THROWS_AS(registry.add(Algorithm{}), std::logic_error);
}

}  // namespace
}  // namespace agpusim
