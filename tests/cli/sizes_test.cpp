#include "agpusim/cli/sizes.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using namespace agpusim;

namespace {

std::string refusal(const std::string& text, const SizeRange& range = {}) {
  return test::message_of<UsageError>([&] { return parse_size("--n", text, range); });
}

}  // namespace

TEST_CASE("sizes are read in every documented form", "[cli][sizes]") {
  struct Row {
    const char* text;
    std::int64_t value;
  };
  const Row rows[] = {
      {"1", 1},
      {"007", 7},
      {"1048576", 1048576},
      {"2^20", 1048576},
      {"2^0", 1},
      {"1^9999", 1},
      {"10^3", 1000},
      {"1e6", 1000000},
      {"1E6", 1000000},
      {"1e+6", 1000000},
      {"1.5e3", 1500},
      {"1.0", 1},
      {"12.50e1", 125},
      {"100e-2", 1},
      {"64k", 64000},
      {"64K", 64000},
      {"64Ki", 65536},
      {"1M", 1000000},
      {"1Mi", 1048576},
      {"2G", 2000000000},
      {"2Gi", std::int64_t{1} << 31},
      {"1T", 1000000000000},
      {"1Ti", std::int64_t{1} << 40},
      {"1.5k", 1500},
      {"1.5Ki", 1536},
      {"3*2^10", 3072},
      {"2^10*2^10", 1048576},
      {"2*3*5", 30},
      {"2^40", std::int64_t{1} << 40},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_size("--n", row.text) == row.value);
  }
}

TEST_CASE("a text that is no usable size is refused with its reason", "[cli][sizes]") {
  struct Row {
    const char* text;
    const char* reason;
  };
  const Row rows[] = {
      {"", "is not a size"},
      {" ", "is not a size"},
      {"abc", "is not a size"},
      {"2^", "is not a size"},
      {"^2", "is not a size"},
      {"2^-1", "is not a size"},
      {"2^+1", "is not a size"},
      {"2**3", "is not a size"},
      {"2*", "is not a size"},
      {"*2", "is not a size"},
      {".", "is not a size"},
      {"e6", "is not a size"},
      {"1e", "is not a size"},
      {"10x", "is not a size"},
      {"64kk", "is not a size"},
      {"0x10", "is not a size"},
      {"1.5^2", "is not a size"},
      {"+5", "is not a size"},
      {"2^20 ", "is not a size"},
      {"nan", "is not a size"},
      {"inf", "is not a size"},
      {"1e-3", "is not a whole number"},
      {"1.5", "is not a whole number"},
      {"0.5k1", "is not a size"},
      {"1e-99999", "is not a whole number"},
      {"-1", "is negative"},
      {"-2^20", "is negative"},
      {"0", "is too small"},
      {"0*5", "is too small"},
      {"0e9999", "is too small"},
      {"2^41", "is too large"},
      {"2^64", "is too large"},
      {"2^63", "is too large"},
      {"2^99999999999999999999", "is too large"},
      {"1e30", "is too large"},
      {"1e99999999999999999999", "is too large"},
      {"99999999999999999999", "is too large"},
      {"2^40*2^40", "is too large"},
      {"9e18k", "is too large"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string message = refusal(row.text);
    CAPTURE(message);
    CHECK(test::contains(message, row.reason));
    CHECK(test::contains(message, "--n '" + std::string(row.text) + "'"));
    CHECK(test::contains(message, "for example --n 2^20"));
  }
}

TEST_CASE("a size outside the option's range names the limit", "[cli][sizes]") {
  CHECK(
      test::contains(refusal("2048", {.max = 1024, .example = "32"}), "the largest value is 2^10"));
  CHECK(test::contains(refusal("3", {.min = 4, .max = 9, .example = "4"}),
                       "the smallest value is 4"));
  CHECK(parse_size("--cap", "0", {.min = 0, .example = "1000"}) == 0);
}

TEST_CASE("sizes are printed as people write them", "[cli][sizes]") {
  CHECK(size_text(1) == "1");
  CHECK(size_text(512) == "512");
  CHECK(size_text(1024) == "2^10");
  CHECK(size_text(1000003) == "1000003");
  CHECK(size_text(std::int64_t{1} << 40) == "2^40");
  for (int k = 0; k <= 40; ++k) {
    CHECK(parse_size("--n", size_text(std::int64_t{1} << k)) == std::int64_t{1} << k);
  }
}

TEST_CASE("a list of sizes holds sizes and doubling ranges", "[cli][sizes]") {
  struct Row {
    const char* text;
    std::vector<std::int64_t> values;
  };
  const Row rows[] = {
      {"7", {7}},
      {"1000,2^10", {1000, 1024}},
      {"2^10..2^13", {1024, 2048, 4096, 8192}},
      {"2^10..2^10", {1024}},
      {"100..500", {100, 200, 400}},
      {"1..8,5,3*2^10,4", {1, 2, 4, 5, 8, 3072}},
      {"1.5k..6e3", {1500, 3000, 6000}},
      {"2^39..2^40", {std::int64_t{1} << 39, std::int64_t{1} << 40}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_sizes("--n", row.text) == row.values);
  }
  CHECK(parse_sizes("--n", "0..3", {.min = 0}) == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("a list that is not one of sizes is refused with its reason", "[cli][sizes]") {
  struct Row {
    const char* text;
    const char* reason;
  };
  const Row rows[] = {
      {"", "--n '' is not a size"},
      {",", "--n '' is not a size"},
      {"1,", "--n '' is not a size"},
      {"1,,2", "--n '' is not a size"},
      {"..", "--n '' is not a size"},
      {"1..", "--n '' is not a size"},
      {"..5", "--n '' is not a size"},
      {"1..2..3", "--n '2..3' is not a size"},
      {"1...5", "--n '.5' is not a whole number"},
      {"2^20..2^10", "--n '2^20..2^10' ends before it begins; for example --n 2^10..2^20"},
      {"1..2^41", "--n '2^41' is too large"},
      {"0..4", "--n '0' is too small"},
      {"4,-1", "--n '-1' is negative"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(test::contains(test::message_of<UsageError>([&] { return parse_sizes("--n", row.text); }),
                         row.reason));
  }
}
