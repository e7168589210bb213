#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// The five data sets of seed 000 (Kozakai 2022, sections 6.3.1 to 6.3.5).
enum class KeyFamily {
  distinct,        ///< no key twice
  duplicates,      ///< delta and sigma given
  fixed_len,       ///< delta and the number of different keys given
  full_range,      ///< len = range, delta given
  fixed_max_value  ///< range and sigma given
};

/// One input of the experiment. The paper's symbols: delta = n / range, len = number of values the
/// input draws from, sigma = range / len, maxVal = range (minVal is 0 everywhere).
struct ExperimentCell {
  KeyFamily family = KeyFamily::distinct;
  std::string panel;  ///< what is the same along n, e.g. "delta = 10, sigma = 50"
  std::int64_t n = 0;
  double delta = 0;  ///< as the family gives it, 0 where it varies with n
  double sigma = 0;  ///< the same
  std::int64_t range = 0;
  std::int64_t len = 0;
  std::string input = "uniform";  ///< kind of keys

  /// The run without algorithm, variant and machine: n, input, seed and the parameters of the keys.
  [[nodiscard]] RunConfig keys() const;
};

/// Short name of a family, e.g. "distinct".
[[nodiscard]] std::string to_string(KeyFamily family);
/// One line on a family, with the section of the paper.
[[nodiscard]] std::string describe(KeyFamily family);

/// Which inputs to take.
struct CellChoice {
  bool quick = false;  ///< one small input per family
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();
};

/// Every input of the paper's experiment, family by family, panel by panel, n ascending.
[[nodiscard]] std::vector<ExperimentCell> kozakai_cells(const CellChoice& choice = {});

/// Of the keys of every cell.
inline constexpr std::uint64_t experiment_seed = 1;

}  // namespace agpusim
