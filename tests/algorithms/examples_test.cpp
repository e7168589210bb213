// The programs in examples/: on many sizes and machines, and against plain double arithmetic.
// The kernels of zoo/: right for every n, width and variant, and of the counts that they say.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "agpusim/agpusim.hpp"
#include "agpusim/examples/gelu.hpp"
#include "agpusim/examples/k_means.hpp"
#include "agpusim/examples/layer_norm.hpp"
#include "agpusim/examples/n_body.hpp"
#include "agpusim/examples/softmax.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/zoo/rows.hpp"

namespace agpusim {
namespace {

Algorithm row_of(const OwnAlgorithm& own) {
  Registry registry;
  registry.add(own);
  return registry.on_agpu().front();
}

/// A run on a machine of tasks of V lanes, b in a warp.
RunConfig run_of(const Algorithm& row, std::int64_t n, std::int32_t V, std::int32_t b,
                 const std::string& input = "") {
  RunConfig config{.algorithm = row.name, .type = "", .n = n, .input = input};
  config.spec = {
      .cores = 4 * b, .block_words = b, .shared_words = 8192, .word_bits = 32, .width = V};
  return config;
}

/// What a double formula says of the numbers of a row.
using Formula = std::vector<double> (*)(std::vector<double>);

std::vector<double> gelus(std::vector<double> x) {
  for (double& one : x) {
    one = 0.5 * one *
          (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (one + 0.044715 * one * one * one)));
  }
  return x;
}

std::vector<double> soft(std::vector<double> x) {
  double sum = 0;
  const double largest = *std::max_element(x.begin(), x.end());
  for (double& one : x) sum += one = std::exp(one - largest);
  for (double& one : x) one /= sum;
  return x;
}

std::vector<double> normed(std::vector<double> x) {
  double mean = 0;
  double variance = 0;
  for (const double one : x) mean += one / static_cast<double>(x.size());
  for (const double one : x)
    variance += (one - mean) * (one - mean) / static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * (1 + static_cast<double>(i % 7) / 8) +
           static_cast<double>(i % 5) / 2;
  }
  return x;
}

std::vector<double> pulls(std::vector<double> in) {
  const std::size_t n = in.size() / 4;
  std::vector<double> out(3 * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double square = 0.01;
      for (std::size_t k = 0; k < 3; ++k) {
        square += std::pow(in[k * n + j] - in[k * n + i], 2);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        out[k * n + i] += (in[k * n + j] - in[k * n + i]) * in[3 * n + j] / std::pow(square, 1.5);
      }
    }
  }
  return out;
}

TEST_CASE("the examples have right results and derived counts on many sizes",
          "[algorithms][examples]") {
  for (const OwnAlgorithm& own : {examples::gelu(), examples::softmax(), examples::layer_norm(),
                                  examples::n_body(), examples::k_means()}) {
    const Algorithm row = row_of(own);
    int runs = 0;
    for (const std::int64_t n : {1, 4, 31, 33, 100, 1000, 1024, 4 * 257, 3001}) {
      for (const std::int64_t columns : {1, 25, 33, 500}) {
        for (const auto& [V, b] : {std::pair{4, 4}, {32, 32}, {64, 8}, {256, 32}}) {
          RunConfig config = run_of(row, n, V, b);
          if (row.parameters.empty() ? columns > 1 : row.name == "k_means" && columns > 25)
            continue;
          if (!row.parameters.empty()) config.parameters[row.parameters[0].name] = columns;
          try {
            config = resolve(row, config);
          } catch (const UsageError&) {
            continue;
          }
          CAPTURE(row.name, n, V, b, columns);
          const RunResult result = row.simulate(config, {});
          INFO(result.differences.text());
          REQUIRE(result.correct);
          const auto derived = row.derive(config);
          REQUIRE(derived.has_value() == (row.name != "k_means"));
          if (derived) REQUIRE(compare_reports(result.report, *derived, "derived").wrong.empty());
          ++runs;
        }
      }
    }
    CHECK(runs > 8);
  }
}

TEST_CASE("the examples compute what double arithmetic does", "[algorithms][examples]") {
  for (const auto& [own, formula] : {std::pair<OwnAlgorithm, Formula>{examples::gelu(), gelus},
                                     {examples::softmax(), soft},
                                     {examples::layer_norm(), normed},
                                     {examples::n_body(), pulls}}) {
    const Algorithm row = row_of(own);
    for (const std::string& input : row.inputs) {
      const RunConfig config = resolve(row, run_of(row, 1000, 32, 32, input));
      const std::vector<float> numbers = input_of<float>(config);
      const std::vector<double> right = formula({numbers.begin(), numbers.end()});
      const Output got = row.expected(config);
      REQUIRE(got.size == static_cast<std::int64_t>(right.size()));
      double largest = 0;
      for (const double one : right) largest = std::max(largest, std::abs(one));
      for (std::size_t i = 0; i < right.size(); ++i) {
        CAPTURE(row.name, input, i);
        CHECK(std::stod(got.text(static_cast<std::int64_t>(i))) ==
              Catch::Approx(right[i]).epsilon(2e-5).margin(2e-5 * largest));
      }
    }
  }
}

TEST_CASE("the kernels of the zoo have right results and derived counts", "[algorithms][zoo]") {
  Registry registry;
  for (OwnAlgorithm& own : zoo::rows()) registry.add(std::move(own));
  for (const Algorithm& row : registry.on_agpu()) {
    for (const RunConfig& form : forms_of(row)) {
      for (const std::int32_t V : {32, 128, 256, 1024}) {
        for (const std::int64_t n : {1, 33, 1000, 4099}) {
          if (n < row.min_n || (n > 1000 && row.time.text == "n^2/p")) continue;
          RunConfig config = form;
          config.n = n;
          config.spec = {
              .cores = 128, .block_words = 32, .shared_words = 16384, .word_bits = 32, .width = V};
          config = resolve(row, config);
          CAPTURE(row.name, config.variant, n, V);
          const RunResult result = row.simulate(config, {});
          INFO(result.differences.text());
          CHECK(result.correct);
          if (const auto derived = row.derive(config)) {
            CHECK(compare_reports(result.report, *derived, "derived").wrong.empty());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace agpusim
