#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/commands/sweep/laws.hpp"
#include "agpusim/commands/sweep/series.hpp"

namespace agpusim::sweep {

/// The stated bound with the factor that counts have where count / bound is flat: within 10 % on
/// the largest sizes, over at least three doublings.
struct FlatForm {
  std::string text;
  double error = 0;       ///< half of the relative spread of count / bound there
  std::int64_t from = 0;  ///< the smallest n there
};

/// What the stated bound of a count makes of the held-out sizes.
struct BoundCheck {
  double low = 0;      ///< the smallest count / bound there
  double high = 0;     ///< the largest
  double drift = 0;    ///< most growth of count / bound, on any machine, as a size doubles
  bool grown = false;  ///< whether every machine has two sizes there
  std::optional<FlatForm> flat = {};

  /// Whether the count grows as the bound: it is flat, or on every machine grows by less than 2 % a
  /// doubling more or less. A factor lg n is told from none up to n = 2^33, or 2^50.
  [[nodiscard]] bool recovered() const {
    return flat.has_value() || (grown && drift > -0.02 && drift < 0.02);
  }
};

inline constexpr const char* time_quantity = "predicted ms";

/// The law of one quantity of one program.
struct Fit {
  std::string program;
  std::string type;
  std::string input;
  std::string quantity;     ///< quantity of the points, or time_quantity
  std::string stated = {};  ///< the bound of the row; empty: none
  std::int64_t machines = 0;
  std::int64_t left_out = 0;       ///< points whose counts are extrapolated, by a bound already
  std::optional<LawFit> law = {};  ///< none: why_not says why
  std::optional<BoundCheck> bound = {};
  std::string why_not = {};
  Symbols largest = {};  ///< symbols of the point with most elements

  /// What is printed first, of a fit with a law: the flat form of the stated bound, unless a law is
  /// exact, or holds where that form does not.
  [[nodiscard]] const FlatForm* proved() const;
  /// Whether what is printed first is a law.
  [[nodiscard]] bool holds() const;
};

/// The law of every quantity of every program of the rows, which are sorted.
[[nodiscard]] std::vector<Fit> fit_rows(const std::vector<Row>& rows);

/// What Lemma 2.2 says of points that differ in p alone: the same tasks on more or fewer
/// multiprocessors.
struct CoresCheck {
  std::int64_t groups = 0;               ///< groups of points that are equal but for p
  std::int64_t equal = 0;                ///< groups whose points have one Q
  std::vector<std::string> differences;  ///< a sentence for each group with several Q
};
[[nodiscard]] CoresCheck check_cores(const std::vector<Row>& rows);

}  // namespace agpusim::sweep
