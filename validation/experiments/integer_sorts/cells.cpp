#include "agpusim/validation/experiments/integer_sorts/cells.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

namespace agpusim {
namespace {

std::int64_t over(std::int64_t value, double divisor) {
  return std::llround(static_cast<double>(value) / divisor);
}

std::vector<ExperimentCell> distinct_cells() {
  std::vector<ExperimentCell> cells;
  for (const double delta : {1.0, 0.5, 0.25}) {
    for (const std::int64_t n :
         {100'000, 200'000, 300'000, 500'000, 700'000, 1'000'000, 1'300'000, 2'000'000, 3'000'000,
          5'000'000, 7'000'000, 10'000'000, 20'000'000}) {
      ExperimentCell cell;
      cell.family = KeyFamily::distinct;
      cell.panel = fmt::format("delta = {}", delta);
      cell.n = n;
      cell.delta = delta;
      cell.range = over(n, delta);
      cell.len = cell.range;
      cell.input = "distinct";
      cells.push_back(cell);
    }
  }
  return cells;
}

std::vector<ExperimentCell> duplicate_cells() {
  std::vector<ExperimentCell> cells;
  for (const double delta : {1.0, 10.0, 50.0}) {
    for (const double sigma : {10.0, 50.0, 100.0}) {
      for (const std::int64_t n : {1'000'000, 2'000'000, 5'000'000, 10'000'000, 20'000'000}) {
        ExperimentCell cell;
        cell.family = KeyFamily::duplicates;
        cell.panel = fmt::format("delta = {}, sigma = {}", delta, sigma);
        cell.n = n;
        cell.delta = delta;
        cell.sigma = sigma;
        cell.range = over(n, delta);
        cell.len = std::max<std::int64_t>(1, over(cell.range, sigma));
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

constexpr std::int64_t wide_sizes[] = {200'000,   500'000,    1'000'000, 2'000'000,
                                       5'000'000, 10'000'000, 20'000'000};

std::vector<ExperimentCell> fixed_len_cells() {
  std::vector<ExperimentCell> cells;
  for (const std::int64_t len : {100, 1000}) {
    for (const double delta : {1.0, 10.0, 50.0}) {
      for (const std::int64_t n : wide_sizes) {
        ExperimentCell cell;
        cell.family = KeyFamily::fixed_len;
        cell.panel = fmt::format("len = {}, delta = {}", len, delta);
        cell.n = n;
        cell.delta = delta;
        cell.range = over(n, delta);
        cell.len = len;
        if (len <= cell.range) cells.push_back(cell);
      }
    }
  }
  return cells;
}

std::vector<ExperimentCell> full_range_cells() {
  std::vector<ExperimentCell> cells;
  for (const double delta : {1.0, 10.0, 50.0}) {
    for (const std::int64_t n : {1'000'000, 2'000'000, 5'000'000, 10'000'000, 20'000'000}) {
      ExperimentCell cell;
      cell.family = KeyFamily::full_range;
      cell.panel = fmt::format("delta = {}", delta);
      cell.n = n;
      cell.delta = delta;
      cell.sigma = 1;
      cell.range = over(n, delta);
      cell.len = cell.range;
      cells.push_back(cell);
    }
  }
  return cells;
}

std::vector<ExperimentCell> fixed_max_value_cells() {
  std::vector<ExperimentCell> cells;
  for (const std::int64_t range : {100, 1000, 10'000, 100'000}) {
    for (const double sigma : {1.0, 10.0, 50.0, 100.0}) {
      for (const std::int64_t n : wide_sizes) {
        ExperimentCell cell;
        cell.family = KeyFamily::fixed_max_value;
        cell.panel = fmt::format("maxVal = {}, sigma = {}", range, sigma);
        cell.n = n;
        cell.sigma = sigma;
        cell.range = range;
        cell.len = std::max<std::int64_t>(1, over(range, sigma));
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

}  // namespace

RunConfig ExperimentCell::keys() const {
  RunConfig config;
  config.type = "i32";
  config.n = n;
  config.input = input;
  config.seed = experiment_seed;
  config.parameters = {{"min", 0}, {"range", range}, {"values", len}};
  return config;
}

std::string to_string(KeyFamily family) {
  switch (family) {
    case KeyFamily::distinct:
      return "distinct";
    case KeyFamily::duplicates:
      return "duplicates";
    case KeyFamily::fixed_len:
      return "fixed len";
    case KeyFamily::full_range:
      return "len = range";
    case KeyFamily::fixed_max_value:
      return "fixed maxVal";
  }
  throw std::logic_error("family of keys without a name");
}

std::string describe(KeyFamily family) {
  switch (family) {
    case KeyFamily::distinct:
      return "keys without duplicates (6.3.1)";
    case KeyFamily::duplicates:
      return "keys with duplicates (6.3.2)";
    case KeyFamily::fixed_len:
      return "a fixed number len of different keys (6.3.3)";
    case KeyFamily::full_range:
      return "every value of the range can occur: len = range (6.3.4)";
    case KeyFamily::fixed_max_value:
      return "a fixed range 0 <= key < maxVal (6.3.5)";
  }
  throw std::logic_error("family of keys without a description");
}

std::vector<ExperimentCell> kozakai_cells(const CellChoice& choice) {
  std::vector<ExperimentCell> cells;
  for (const auto& family : {distinct_cells(), duplicate_cells(), fixed_len_cells(),
                             full_range_cells(), fixed_max_value_cells()}) {
    const auto end = choice.quick ? family.begin() + 1 : family.end();
    std::copy_if(family.begin(), end, std::back_inserter(cells),
                 [&](const ExperimentCell& cell) { return cell.n <= choice.n_max; });
  }
  return cells;
}

}  // namespace agpusim
