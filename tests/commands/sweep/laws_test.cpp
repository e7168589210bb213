#include "agpusim/commands/sweep/laws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::sweep;

namespace {

constexpr double shared_words = 1 << 14;
constexpr double all_cores = 4096;

/// A count whose law is known from how it is made.
struct KnownCount {
  std::string law;  ///< its leading term
  std::function<double(double n, double b)> count;
};

Observation observation(double n, double b, double value) {
  return {{{"n", n}, {"b", b}, {"M", shared_words}, {"p", all_cores}}, value};
}

/// Five sizes of blocks, and n = 2^first, 2^(first+2), ..., 2^last.
std::vector<Observation> two_parameters(const KnownCount& shape, int first, int last) {
  std::vector<Observation> points;
  for (int i = first; i <= last; i += 2) {
    for (const double b : {8, 16, 32, 64, 128}) {
      const double n = std::exp2(i);
      points.push_back(observation(n, b, shape.count(n, b)));
    }
  }
  return points;
}

std::vector<Observation> one_parameter(const KnownCount& shape, int first, int last) {
  std::vector<Observation> points;
  for (int i = first; i <= last; ++i) {
    points.push_back(observation(std::exp2(i), 32, shape.count(std::exp2(i), 32)));
  }
  return points;
}

}  // namespace

TEST_CASE("the laws of two parameters that general fitters miss are found", "[sweep][laws]") {
  const std::vector<KnownCount> shapes = {
      {"n/b", [](double n, double b) { return n / b; }},
      {"(n/b) lg n", [](double n, double b) { return n * std::log2(n) / b; }},
      {"(n/b) lg^2 n",  // bitonic sort
       [](double n, double b) { return n / b * std::log2(n) * (std::log2(n) + 1); }},
      {"n/b",  // scan
       [](double n, double b) {
         const double k = 528;
         return 3 * std::ceil(n / b) + 2 * k + 2 * std::ceil(k / b);
       }},
      // Multiway merge sort: 1 + ceil(log_{M/b}(n/M)) is ceil(log_{M/b}(n/b)).
      {"(n/b) ceil(log_{M/b}(n/b))",
       [](double n, double b) {
         const double rounds = std::ceil(std::log2(n / shared_words) / std::log2(shared_words / b));
         return n / b * (1 + std::max(0.0, rounds));
       }},
  };
  for (const KnownCount& shape : shapes) {
    const LawFit fit = fit_law(two_parameters(shape, 12, 26), "n/b");
    CAPTURE(shape.law, fit.best.text());
    CHECK(fit.best.lead().text == shape.law);
    CHECK(fit.best.error < 1e-3);
    CHECK(fit.rivals.empty());
    CHECK_FALSE(fit.runners_up.empty());
    CHECK(fit.judged_from == 1 << 24);
    CHECK(fit.fitted_to == 1 << 22);
  }
}

TEST_CASE("the laws of one parameter are found", "[sweep][laws]") {
  const std::vector<KnownCount> shapes = {
      {"1", [](double, double) { return 7; }},
      {"lg n", [](double n, double) { return std::log2(n); }},
      {"sqrt(n)", [](double n, double) { return std::sqrt(n); }},
      {"n", [](double n, double) { return 5 * n + 100; }},
      {"n", [](double n, double) { return std::ceil(n / all_cores) + std::log2(n); }},
      {"n lg n", [](double n, double) { return n * std::log2(n) + 3 * n; }},
      {"n lg^2 n", [](double n, double) { return n * std::log2(n) * (std::log2(n) + 1) / 2; }},
      {"n^2", [](double n, double b) { return n * n / b + n; }},
      {"n^3", [](double n, double) { return n * n * n; }},
  };
  for (const KnownCount& shape : shapes) {
    const LawFit fit = fit_law(one_parameter(shape, 10, 26), "n");
    CAPTURE(shape.law, fit.best.text());
    CHECK(fit.best.lead().text == shape.law);
    CHECK(fit.rivals.empty());
  }
}

TEST_CASE("whole groups and the rounds of multiprocessors are found", "[sweep][laws]") {
  const auto points_of = [](auto count) {
    std::vector<Observation> points;
    for (double n = 5000; n < 1e8; n *= 2.7) {
      Observation point = observation(std::floor(n), 32, count(std::floor(n)));
      point.symbols["k"] = 528;
      point.symbols["columns"] = 1024;
      points.push_back(point);
    }
    return points;
  };
  const auto rows = [](double n) { return std::ceil(n / 1024); };
  CHECK(fit_law(points_of([&](double n) { return 1182 * std::ceil(rows(n) / 528); }), "n/p")
            .best.text() == "1182 ceil(n/(columns k))");
  CHECK(fit_law(points_of([&](double n) { return 7 * rows(n) + 3; }), "n/p").best.text() ==
        "7 ceil(n/columns) + 3");
  CHECK(fit_law(points_of([](double n) { return 2 * std::ceil(n / 32); }), "n/b").best.text() ==
        "2 ceil(n/b)");
  const auto square = points_of([](double n) { return n * std::sqrt(n); });
  CHECK(fit_law(square, "n").best.text() == "n^(3/2)");
  const LawFit other = fit_law(square, "n", false);
  CHECK(other.best.lead().growth.power != 1.5);
  CHECK(other.best.error > 0.02);
}

TEST_CASE("a law that is 0 at a size it was fitted to is none", "[sweep][laws]") {
  // A kernel of one task until 2^13. ceil(log_{M/b}(n/M)) is 1 from 2^15 on, and 0 below.
  const std::vector<double> times = {79, 154, 291, 311, 330, 330, 330, 330, 330};
  std::vector<Observation> points;
  for (std::size_t i = 0; i < times.size(); ++i) {
    points.push_back(observation(std::exp2(9.0 + static_cast<double>(i)), 32, times[i]));
  }
  const LawFit fit = fit_law(points, "n");
  std::vector<Law> laws = {fit.best};
  for (const auto* const more : {&fit.spellings, &fit.rivals, &fit.runners_up}) {
    laws.insert(laws.end(), more->begin(), more->end());
  }
  for (const Law& law : laws) {
    CAPTURE(law.text());
    for (const Observation& point : points) {
      if (point.symbols.at("n") >= static_cast<double>(fit.fitted_from)) {
        CHECK(law.value(point.symbols) > 0);
      }
    }
  }
}

TEST_CASE("a law is extrapolated as its count goes on", "[sweep][laws]") {
  const KnownCount bitonic = {
      "", [](double n, double b) { return n / b * std::log2(n) * (std::log2(n) + 1); }};
  const LawFit fit = fit_law(two_parameters(bitonic, 10, 20), "n/b");
  const double n = std::exp2(40);
  CHECK(fit.best.value(observation(n, 32, 0).symbols) ==
        Catch::Approx(bitonic.count(n, 32)).epsilon(1e-6));
  CHECK(fit.best.text() == "(n/b) lg^2 n + (n/b) lg n");
}

TEST_CASE("the worst error is the largest of the sizes that were held out", "[sweep][laws]") {
  const KnownCount exact = {"", [](double n, double) { return n; }};
  for (std::size_t wrong = 13; wrong < 17; ++wrong) {  // the last four of 2^10, ..., 2^26
    std::vector<Observation> points = one_parameter(exact, 10, 26);
    points.at(wrong).value /= 1.25;
    CHECK(fit_law(points, "n").best.worst == Catch::Approx(0.25));
    CHECK_FALSE(fit_law(points, "n").best.holds());
  }
}

TEST_CASE("laws that the sizes do not tell apart are named", "[sweep][laws]") {
  // Times with errors of 5 %: n lg n from n over two octaves.
  const KnownCount noisy = {"", [](double n, double) {
                              const double error = static_cast<int>(n) % 7 < 3 ? 0.95 : 1.05;
                              return error * n * std::log2(n);
                            }};
  std::vector<Observation> points;
  for (double n = 1e6; n <= 4e6; n *= 1.2) {
    points.push_back(observation(std::floor(n), 32, noisy.count(std::floor(n), 32)));
  }
  const LawFit fit = fit_law(points, "n");
  CHECK_FALSE(fit.rivals.empty());
  const double n = where_they_part(fit.best, fit.rivals.front(), points.back().symbols);
  CHECK(n > points.back().symbols.at("n"));
}

TEST_CASE("terms that are equal on all sizes are one law, in the unit that is asked for",
          "[sweep][laws]") {
  const KnownCount linear = {"", [](double n, double b) { return 3 * n / b; }};
  for (const std::string unit : {"n", "n/p", "n/b"}) {
    const LawFit fit = fit_law(one_parameter(linear, 10, 20), unit);
    CHECK(fit.best.lead().text == unit);
    CHECK(fit.spellings.empty());
  }
}

TEST_CASE("too few sizes and values without a law are refused", "[sweep][laws]") {
  const KnownCount linear = {"", [](double n, double) { return n; }};
  CHECK_THROWS_WITH(fit_law(one_parameter(linear, 10, 14), "n"),
                    says("6 sizes of n or more", "--n"));
  const KnownCount zero = {"", [](double, double) { return 0; }};
  CHECK_THROWS_WITH(fit_law(one_parameter(zero, 10, 20), "n"), says("not positive"));
}
