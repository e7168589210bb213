#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"

// The choice among the sorts from counts.
namespace agpusim::counting_sort {
namespace {

constexpr std::int64_t many = std::int64_t{1} << 28;

const Rates& h200() {
  static const Rates rates =
      rates_of([device = load_device(data_folder() / "devices" / "h200.json")](
                   std::string_view name) { return device.value(name); });
  return rates;
}

Method chosen(std::int64_t n, std::int64_t range, const Probe& probe = {}) {
  return choose({n, 0, range}, probe, h200()).method;
}

TEST_CASE("a sample shows few and frequent values", "[algorithms][counting_sort]") {
  std::vector<std::int32_t> sample(1024);
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<std::int32_t>(i);
  CHECK_FALSE(probe(sample).few);
  CHECK(probe(sample).share == 1.0 / 1024);
  CHECK(probe(sample).in_order);
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<std::int32_t>(i % 200);
  CHECK(probe(sample).few);
  CHECK(probe(sample).share == 6.0 / 1024);
  for (std::size_t i = 0; i < 200; ++i) sample[5 * i] = -1;
  CHECK(probe(sample).share == 200.0 / 1024);
  CHECK_FALSE(probe(sample).in_order);
  // Equally likely values, without and with a frequent one.
  for (const auto& [values, is_few] : {std::pair{1, true},
                                       {100, true},
                                       {1000, true},
                                       {3800, true},
                                       {4400, false},
                                       {1 << 20, false}}) {
    INFO(values << " values");
    std::vector<std::int32_t> random(sample_keys);
    for (std::size_t i = 0; i < random.size(); ++i) {
      random[i] = static_cast<std::int32_t>(random_bits(7, i) % static_cast<std::uint64_t>(values));
    }
    CHECK(probe(random).few == is_few);
    if (is_few) CHECK_THAT(probe(random).values, Catch::Matchers::WithinRel(values, 0.06));
    for (std::size_t i = 0; i < 62; ++i) random[66 * i] = -1;
    CHECK(probe(random).few == is_few);
  }
  // 99 % are one value, the others any.
  std::vector<std::int32_t> mostly_one(sample_keys, 7);
  for (std::size_t i = 0; i < mostly_one.size(); i += 100) {
    mostly_one[i] = static_cast<std::int32_t>(random_bits(7, i));
  }
  CHECK_FALSE(probe(mostly_one).few);
  CHECK(probe(mostly_one).share == 4055.0 / 4096);
  CHECK(probe({}).share == 0);
  CHECK(probe({5}).share == 0);
}

TEST_CASE("the range decides where the counters are", "[algorithms][counting_sort]") {
  for (const std::int64_t range : {1, 256, 50'000}) {
    const Method method = chosen(many, range);
    CHECK((method == Method::words || method == Method::one_launch));
  }
  CHECK(chosen(many, 60'000) != Method::words);  // 58,112 counters fit
  CHECK(chosen(many, 200'000) == Method::packed_8);
  CHECK(chosen(many, 1 << 20) == Method::partition);
  CHECK(chosen(many, many) == Method::radix);
  CHECK(chosen(1000, 1 << 20) == Method::radix);
  CHECK(chosen(1 << 16, 256) == Method::one_launch);
}

TEST_CASE("what is known of the keys decides", "[algorithms][counting_sort]") {
  Probe frequent{.share = 0.5};
  CHECK(chosen(many, 200'000, frequent) == Method::packed_8);
  const Problem problem{many, 0, 200'000};
  CHECK(predicted_us(Method::packed_8, problem, frequent, h200()) >
        predicted_us(Method::packed_8, problem, Probe{}, h200()));
  CHECK(chosen(many, many, Probe{.differ = true}) == Method::distinct);
  CHECK(chosen(many, std::int64_t{1} << 32, Probe{.few = true, .values = 1000}) ==
        Method::few_values);
  CHECK(chosen(many, std::int64_t{1} << 32) == Method::radix);
}

TEST_CASE("a choice is possible, the fastest predicted, and says why",
          "[algorithms][counting_sort]") {
  for (std::int64_t n = 1; n <= many; n *= 8) {
    for (std::int64_t range = 1; range <= std::int64_t{1} << 32; range *= 16) {
      const Problem problem{n, 0, range};
      const Choice choice = choose(problem, {}, h200());
      CAPTURE(n, range, choice.reason);
      CHECK(possible(choice.method, problem));
      CHECK(choice.us > 0);
      CHECK(choice.us <= predicted_us(Method::radix, problem, {}, h200()));
      CHECK(choice.reason.find(to_string(choice.method)) == 0);
    }
  }
}

TEST_CASE("the constants of a device decide", "[algorithms][counting_sort]") {
  Rates other = h200();
  other.radix_rate *= 100;  // three passes of CUB over 2^28 keys take less than one copy
  CHECK(choose({many, 0, 1 << 20}, {}, other).method == Method::radix);
}

TEST_CASE("names of methods", "[algorithms][counting_sort]") {
  for (const Method method : methods()) CHECK(parse_method(to_string(method)) == method);
  CHECK_THROWS_WITH(parse_method("fast"), says("'fast'", "packed_16"));
}

}  // namespace
}  // namespace agpusim::counting_sort
