#include <set>

#include "agpusim/papers/integer_sorts/bench_keys.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/data_folder.hpp"

// Who wins where among the sorts from counts.
namespace agpusim {
namespace {

__extension__ using Wide = unsigned __int128;

TEST_CASE("the upper half of a product is that of 128 bits", "[experiment]") {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t a = i < 4 ? ~(i / 2) : random_bits(1, i) >> i % 64;
    const std::uint64_t b = i < 4 ? ~(i % 2) : random_bits(2, i) >> i / 16;
    CHECK(bench::high_product(a, b) == static_cast<std::uint64_t>(Wide{a} * b >> 64));
  }
}

TEST_CASE("keys of the benchmark are what their kind says", "[experiment]") {
  constexpr std::int64_t n = 5000;
  for (const std::uint64_t range : {1U, 2U, 256U, 50'000U, 1U << 24}) {
    for (int kind = 0; kind < bench::distinct; ++kind) {
      INFO(bench::kind_names.at(static_cast<std::size_t>(kind)) << ", range " << range);
      std::int64_t beyond = 0;
      for (std::int64_t i = 0; i < n; ++i) beyond += bench::bench_key(kind, i, n, range) >= range;
      CHECK(beyond == 0);
    }
  }
  std::set<std::uint64_t> distinct;
  for (std::int64_t i = 0; i < 4096; ++i)
    distinct.insert(bench::bench_key(bench::distinct, i, 4096, 4096));
  CHECK(distinct.size() == 4096);
  CHECK(*distinct.rbegin() == 4095);
  std::set<std::uint64_t> few;
  for (std::int64_t i = 0; i < n; ++i) few.insert(bench::bench_key(bench::few, i, n, 7));
  CHECK(few.size() == 7);
}

class BenchFile {
 public:
  void add(const std::string& keys, std::int64_t n, std::int64_t range, const std::string& method,
           double us, bool right = true) {
    std::ofstream(path_, std::ios::app) << detail::seal({{"input", keys},
                                                         {"n", n},
                                                         {"range", range},
                                                         {"method", method},
                                                         {"us", us},
                                                         {"right", right}},
                                                        "counting_sort")
                                        << '\n';
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  test::TempFolder folder_;
  std::filesystem::path path_ = folder_.path() / "times.jsonl";
};

DeviceFile h200() { return load_device(data_folder() / "devices" / "h200.json"); }

TEST_CASE("the map says how fast the chosen sort is beside CUB", "[experiment]") {
  constexpr std::int64_t n = std::int64_t{1} << 28;
  BenchFile file;
  for (const auto& [range, words] : {std::pair{50'000, 500.0}, {1 << 27, 0.0}, {1 << 14, 5000.0}}) {
    file.add("uniform", n, range, "copy", 500);
    file.add("uniform", n, range, "radix", 3000);
    if (words > 0) file.add("uniform", n, range, "words", words);
  }
  file.add("uniform", n, 50'000, "packed_16", 10, false);  // what gave up is not the fastest
  file.add("equal", n, 1 << 24, "radix", 3000);
  file.add("two values", n, 1 << 24, "radix", 3000);
  file.add("two values", n, 1 << 24, "few_values", 100, false);
  const auto inputs = read_counting_sorts(file.path(), h200());
  REQUIRE(inputs.size() == 5);
  CHECK(inputs[4].chosen == "few_values");
  CHECK(inputs[4].ours == 3100);
  CHECK(inputs[0].chosen == "words");
  CHECK(inputs[0].ours == 500);
  CHECK(inputs[0].fastest == "words");
  CHECK(inputs[1].chosen == "radix");
  CHECK(inputs[3].chosen == "few_values");
  CHECK_FALSE(inputs[3].ours);
  const std::string text = report::to_text(report::Report{"sorts", counting_sorts_section(inputs)});
  CHECK_THAT(text, says("6.00 w", "1.00 =", "? f",
                        "for 3 of 4 inputs; not for uniform n = 2^28 range = 2^14",
                        "for 1 inputs (? in the tables)"));
}

TEST_CASE("unknown keys of the benchmark are refused with their line", "[experiment]") {
  BenchFile file;
  file.add("purple", 10, 10, "copy", 1);
  CHECK_THROWS_WITH(read_counting_sorts(file.path(), h200()),
                    says("times.jsonl:1", "unknown keys 'purple'"));
}

}  // namespace
}  // namespace agpusim
