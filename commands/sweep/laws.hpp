#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/commands/sweep/terms.hpp"

namespace agpusim::sweep {

/// A count or a time, and what it may depend on.
struct Observation {
  Symbols symbols;
  double value = 0;
};

/// A term with its coefficient.
struct Part {
  Term term;
  double coefficient = 0;
};

/// A formula that is further off at any point is no law of the counts.
inline constexpr double most_off = 0.02;

/// A sum of at most three terms with positive coefficients.
struct Law {
  std::vector<Part> parts;  ///< the one that grows fastest first, which names the law
  double error = 0;         ///< root mean square of the relative errors on the held-out sizes
  double worst = 0;         ///< the largest of them
  double off = 0;           ///< the largest on any size that it was fitted to or judged on

  /// Within most_off of every count; else it is an approximation.
  [[nodiscard]] bool holds() const { return off <= most_off; }
  [[nodiscard]] const Term& lead() const { return parts.front().term; }
  [[nodiscard]] double value(const Symbols& symbols) const;
  /// For example "3 n/b + 1056".
  [[nodiscard]] std::string text() const;
};

/// What was found among the laws whose terms the observations can tell apart.
struct LawFit {
  Law best;
  /// Laws in other symbols with the growth in n of the best, as good on these sizes.
  std::vector<Law> spellings;
  /// Laws of another growth and as good on these sizes, which do not tell the right one.
  std::vector<Law> rivals;
  std::vector<Law> runners_up;   ///< laws of another growth and worse, the best first
  std::int64_t fitted_from = 0;  ///< the smallest and
  std::int64_t fitted_to = 0;    ///< the largest n that coefficients were fitted to
  std::int64_t judged_from = 0;  ///< the smallest and
  std::int64_t judged_to = 0;    ///< the largest n that was held out
  std::int64_t points = 0;
};

/// Fewest sizes of n from which a law is found.
inline constexpr std::int64_t fewest_sizes = 6;

/// The largest quarter of the sizes of n: what laws are judged on and never fitted to.
[[nodiscard]] std::int64_t first_held_out(const std::vector<Observation>& observations);

/// The law of the observations: coefficients by nonnegative least squares of relative errors on the
/// smaller three quarters of the sizes, judged on the others; a further term must lower the error
/// there by a third. The smallest sizes, up to a half of those, are left out where that halves it
/// or gives a simpler law: few elements may leave the machine idle. `unit` as for terms_of. Terms
/// of n^(3/2), the work on square matrices, are tried if `squares`. Throws UsageError for fewer
/// than fewest_sizes sizes and for values that are not positive.
[[nodiscard]] LawFit fit_law(const std::vector<Observation>& observations, const std::string& unit,
                             bool squares = true);

/// The smallest n = 2^j at which two laws differ by more than 5 %, all else as in `symbols`; 0:
/// none up to 2^100.
[[nodiscard]] double where_they_part(const Law& one, const Law& other, Symbols symbols);

}  // namespace agpusim::sweep
