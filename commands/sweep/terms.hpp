#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace agpusim::sweep {

/// What a law is a function of, by name: n, those of p, b, M, k and V that the machine has, and the
/// parameters of the algorithm.
using Symbols = std::map<std::string, double>;

/// Growth in n, all else fixed: n^power lg^logs n (lg lg n)^log_logs.
struct Growth {
  double power = 0;
  double logs = 0;
  double log_logs = 0;

  friend auto operator<=>(const Growth&, const Growth&) = default;
};

/// A function that laws are made of, without its coefficient.
struct Term {
  std::string text;  ///< for example "(n/b) lg^2 n"
  Growth growth;
  int complexity = 0;  ///< the simpler of two terms that are equal on all sizes stands for both
  std::function<double(const Symbols&)> value;  ///< at least 0
};

/// Every term whose symbols are all there, the simplest first. `unit` is the size that a law is
/// written in where others would do as well: "n", "n/p" or "n/b".
[[nodiscard]] std::vector<Term> terms_of(const Symbols& symbols, const std::string& unit);

}  // namespace agpusim::sweep
