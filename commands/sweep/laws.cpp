#include "agpusim/commands/sweep/laws.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/least_squares.hpp"

namespace agpusim::sweep {
namespace {

using Values = std::vector<double>;

constexpr std::size_t most_terms = 3;
constexpr double penalty = 1.5;           // factor on the error for a further term
constexpr double as_good = 2;             // errors within this factor do not decide
constexpr double exact_error = 1e-7;      // relative errors below are the arithmetic's
constexpr double least_share = 0.05;      // share of the leading term in the largest values
constexpr std::size_t most_shown = 5;     // laws of one kind that a fit keeps
constexpr std::size_t fewest_fitted = 5;  // sizes, where the smallest ones are left out

/// Columns of terms, each divided by the observed values, so that all errors are relative.
struct Table {
  std::vector<Term> terms;
  std::vector<Values> fitted;    // a value for each of the smaller sizes
  std::vector<Values> held_out;  // for each of the others
};

/// Some terms of a table with their coefficients.
struct Candidate {
  std::vector<std::size_t> terms;
  std::vector<double> coefficients;
  double squares = 0;     // sum of squared errors of fitted rows
  bool vanishes = false;  // is 0 on a fitted row, whose value is not
};

std::int64_t size_of(const Observation& o) { return static_cast<std::int64_t>(o.symbols.at("n")); }

std::vector<std::int64_t> sizes_of(const std::vector<Observation>& observations) {
  std::set<std::int64_t> sizes;
  for (const Observation& o : observations) sizes.insert(size_of(o));
  return {sizes.begin(), sizes.end()};
}

bool proportional(const Values& a, const Values& b) {
  constexpr double equal = 1e-9;
  const auto at = std::max_element(a.begin(), a.end()) - a.begin();
  const double ratio = b[static_cast<std::size_t>(at)] / a[static_cast<std::size_t>(at)];
  return ratio > 0 && std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
           return std::abs(x - y / ratio) < equal * a[static_cast<std::size_t>(at)];
         });
}

double product(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Rows from n = `from` on; those from `held_out_from` on are held out.
Table make_table(const std::vector<Observation>& all_observations, const std::string& unit,
                 bool squares, std::int64_t from, std::int64_t held_out_from) {
  std::vector<Observation> observations;
  std::copy_if(all_observations.begin(), all_observations.end(), std::back_inserter(observations),
               [&](const Observation& o) { return size_of(o) >= from; });
  const auto held_out =
      std::stable_partition(observations.begin(), observations.end(),
                            [&](const Observation& o) { return size_of(o) < held_out_from; }) -
      observations.begin();
  std::vector<Values> columns;
  Table table;
  for (Term& term : terms_of(observations.front().symbols, unit)) {
    if (!squares && term.growth.power == 1.5) continue;
    Values column;
    for (const Observation& o : observations) column.push_back(term.value(o.symbols) / o.value);
    const bool finite =
        std::all_of(column.begin(), column.end(), [](double x) { return std::isfinite(x); });
    if (!finite || *std::max_element(column.begin(), column.end()) <= 0) continue;
    // The first of equal terms is the simplest.
    const bool known = std::any_of(columns.begin(), columns.end(), [&](const Values& other) {
      return proportional(other, column);
    });
    if (known) continue;
    table.fitted.emplace_back(column.begin(), column.begin() + held_out);
    table.held_out.emplace_back(column.begin() + held_out, column.end());
    table.terms.push_back(std::move(term));
    columns.push_back(std::move(column));
  }
  return table;
}

/// Coefficients of the least squares without a constraint; nothing where terms cannot be told apart
/// or one is not positive.
std::optional<Candidate> solve(const Table& table, const std::vector<std::size_t>& terms) {
  std::vector<Values> rows(table.fitted.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::size_t term : terms) rows[i].push_back(table.fitted[term][i]);
  }
  auto x = least_squares(rows, Values(rows.size(), 1));
  if (!x || !std::all_of(x->begin(), x->end(), [](double c) { return c > 0; })) return std::nullopt;
  Candidate found{terms, *std::move(x)};
  for (const Values& row : rows) {
    const double value = product(found.coefficients, row);
    found.squares += (value - 1) * (value - 1);
    found.vanishes = found.vanishes || value <= 0;
  }
  return found;
}

Law judged(const Table& table, const Candidate& candidate) {
  const auto errors = [&](const std::vector<Values>& columns) {
    Values error(columns.front().size(), -1);
    for (std::size_t i = 0; i < candidate.terms.size(); ++i) {
      for (std::size_t row = 0; row < error.size(); ++row) {
        error[row] += candidate.coefficients[i] * columns[candidate.terms[i]][row];
      }
    }
    return error;
  };
  const Values error = errors(table.held_out);
  Law law;
  for (std::size_t i = 0; i < candidate.terms.size(); ++i) {
    law.parts.push_back({table.terms[candidate.terms[i]], candidate.coefficients[i]});
  }
  law.error = std::sqrt(product(error, error) / static_cast<double>(error.size()));
  for (const double e : error) law.worst = std::max(law.worst, std::abs(e));
  law.off = law.worst;
  for (const double e : errors(table.fitted)) law.off = std::max(law.off, std::abs(e));
  return law;
}

double score(const Law& law) {
  return std::max(law.error, exact_error) *
         std::pow(penalty, static_cast<double>(law.parts.size()) - 1);
}

/// The candidates with one term more, the best `width` by their error on the fitted rows. Added
/// terms grow no faster than the first.
std::vector<Candidate> extended(const Table& table, const std::vector<Candidate>& candidates,
                                std::size_t width) {
  std::vector<Candidate> found;
  for (const Candidate& candidate : candidates) {
    const Growth& lead = table.terms[candidate.terms.front()].growth;
    for (std::size_t j = 0; j < table.terms.size(); ++j) {
      if (table.terms[j].growth > lead) continue;
      if (std::find(candidate.terms.begin(), candidate.terms.end(), j) != candidate.terms.end()) {
        continue;
      }
      std::vector<std::size_t> terms = candidate.terms;
      terms.push_back(j);
      if (auto one = solve(table, terms)) found.push_back(std::move(*one));
    }
  }
  // The simplest of the laws that are exact comes first.
  const double exact = exact_error * exact_error * static_cast<double>(table.fitted.front().size());
  const auto rank = [&](const Candidate& candidate) {
    int complexity = 0;
    for (const std::size_t term : candidate.terms) complexity += table.terms[term].complexity;
    return std::pair(std::max(candidate.squares, exact), complexity);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  if (found.size() > width) found.resize(width);
  return found;
}

/// The best law that the term leads; nothing where it does not matter.
std::optional<Law> law_of(const Table& table, std::size_t lead) {
  constexpr std::size_t width = 8;  // laws that are extended by a further term
  std::optional<Law> best;
  std::vector<Candidate> candidates;
  if (auto alone = solve(table, {lead})) candidates.push_back(std::move(*alone));
  for (std::size_t terms = 1; terms <= most_terms && !candidates.empty(); ++terms) {
    if (terms >= table.fitted[lead].size()) break;
    for (const Candidate& candidate : candidates) {
      if (candidate.vanishes) continue;
      Law law = judged(table, candidate);
      const double share =
          law.parts.front().coefficient *
          *std::max_element(table.held_out[lead].begin(), table.held_out[lead].end());
      if (share >= least_share && (!best || score(law) < score(*best))) best = std::move(law);
    }
    if (terms < most_terms) candidates = extended(table, candidates, width);
  }
  return best;
}

int complexity(const Law& law) {
  int sum = 0;
  for (const Part& part : law.parts) sum += part.term.complexity;
  return sum;
}

bool is_better(const Law& a, const Law& b) {
  return std::pair(score(a), complexity(a)) < std::pair(score(b), complexity(b));
}

/// Whether a law of fewer sizes is worth more than one of more sizes: much better, or as good and
/// simpler.
bool is_preferred(const Law& of_fewer, const Law& of_more) {
  if (as_good * score(of_fewer) < score(of_more)) return true;
  return score(of_fewer) <= as_good * score(of_more) && complexity(of_fewer) < complexity(of_more);
}

/// Puts the simplest of the laws that are as good as the first, which is the best, before it.
void prefer_simple(std::vector<Law>& laws) {
  const auto end = std::find_if(laws.begin(), laws.end(), [&](const Law& law) {
    return score(law) > as_good * score(laws.front());
  });
  const auto simplest = std::min_element(
      laws.begin(), end, [](const Law& a, const Law& b) { return complexity(a) < complexity(b); });
  std::rotate(laws.begin(), simplest, simplest + 1);
}

/// Terms by growth, the fastest first; of equal ones that with the greater part of the value.
void sort_parts(Law& law, const Symbols& at) {
  std::stable_sort(law.parts.begin(), law.parts.end(), [&](const Part& a, const Part& b) {
    const auto rank = [&](const Part& p) {
      return std::pair(p.term.growth, p.coefficient * p.term.value(at));
    };
    return rank(b) < rank(a);
  });
}

/// The laws of the observations from n = `from` on.
LawFit fit_window(const std::vector<Observation>& observations, const std::string& unit,
                  bool squares, std::int64_t from, std::int64_t judged_from) {
  const Table table = make_table(observations, unit, squares, from, judged_from);
  std::vector<Law> laws;
  for (std::size_t j = 0; j < table.terms.size(); ++j) {
    if (auto law = law_of(table, j)) laws.push_back(std::move(*law));
  }
  const Observation& largest = *std::max_element(
      observations.begin(), observations.end(),
      [](const Observation& a, const Observation& b) { return size_of(a) < size_of(b); });
  for (Law& law : laws) sort_parts(law, largest.symbols);
  std::stable_sort(laws.begin(), laws.end(), is_better);
  prefer_simple(laws);
  LawFit fit;
  fit.best = laws.at(0);
  std::set<Growth> shown = {fit.best.lead().growth};
  std::set<std::string> spelled = {fit.best.lead().text};
  // The law with fewer terms is chosen of two that are exact.
  const std::size_t most_parts = fit.best.error < exact_error ? fit.best.parts.size() : most_terms;
  const double limit = as_good * std::max(fit.best.error, exact_error);
  for (auto law = laws.begin() + 1; law != laws.end(); ++law) {
    const bool good = law->error <= limit && law->parts.size() <= most_parts;
    if (law->lead().growth == fit.best.lead().growth) {
      if (good && spelled.insert(law->lead().text).second && fit.spellings.size() < most_shown) {
        fit.spellings.push_back(*law);
      }
    } else if (shown.insert(law->lead().growth).second) {
      auto& list = good ? fit.rivals : fit.runners_up;
      if (list.size() < most_shown) list.push_back(*law);
    }
  }
  return fit;
}

std::string coefficient_text(double value) {
  const double whole = std::round(value);
  constexpr double near = 1e-6;
  if (whole > 0 && std::abs(value / whole - 1) < near && whole < 1e6) {
    return fmt::format("{:.0f}", whole);
  }
  return fmt::format("{:.4g}", value);
}

}  // namespace

double Law::value(const Symbols& symbols) const {
  double sum = 0;
  for (const Part& part : parts) sum += part.coefficient * part.term.value(symbols);
  return sum;
}

std::string Law::text() const {
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += " + ";
    const std::string number = coefficient_text(part.coefficient);
    if (part.term.text == "1") {
      text += number;
    } else {
      text += number == "1" ? part.term.text : number + " " + part.term.text;
    }
  }
  return text;
}

std::int64_t first_held_out(const std::vector<Observation>& observations) {
  const std::vector<std::int64_t> sizes = sizes_of(observations);
  return sizes.at(sizes.size() - std::max<std::size_t>(1, (sizes.size() + 2) / 4));
}

LawFit fit_law(const std::vector<Observation>& observations, const std::string& unit,
               bool squares) {
  const std::vector<std::int64_t> sizes = sizes_of(observations);
  if (static_cast<std::int64_t>(sizes.size()) < fewest_sizes) {
    throw UsageError(fmt::format(
        "a law is found from {} sizes of n or more, and there are {}: add sizes with --n, for "
        "example --n 2^10..2^26",
        fewest_sizes, sizes.size()));
  }
  for (const Observation& o : observations) {
    if (!(o.value > 0)) {
      throw UsageError(
          fmt::format("there is no law of values that are not positive: {} at n = {:.0f}", o.value,
                      o.symbols.at("n")));
    }
  }
  const std::int64_t judged_from = first_held_out(observations);
  const auto smaller = static_cast<std::size_t>(
      std::lower_bound(sizes.begin(), sizes.end(), judged_from) - sizes.begin());
  LawFit best;
  for (const std::size_t start : {std::size_t{0}, smaller / 4, smaller / 2}) {
    if (start > 0 && (smaller - start < fewest_fitted || sizes[start] == best.fitted_from)) {
      continue;
    }
    LawFit fit = fit_window(observations, unit, squares, sizes[start], judged_from);
    fit.fitted_from = sizes[start];
    if (best.best.parts.empty() || is_preferred(fit.best, best.best)) best = std::move(fit);
  }
  best.judged_from = judged_from;
  best.judged_to = sizes.back();
  best.fitted_to = sizes[smaller - 1];
  best.points = static_cast<std::int64_t>(observations.size());
  return best;
}

double where_they_part(const Law& one, const Law& other, Symbols symbols) {
  constexpr double apart = 0.05;
  constexpr int last = 100;
  double& n = symbols.at("n");
  for (int j = static_cast<int>(std::ceil(std::log2(n))); j <= last; ++j) {
    n = std::exp2(j);
    if (std::abs(one.value(symbols) / other.value(symbols) - 1) > apart) return n;
  }
  return 0;
}

}  // namespace agpusim::sweep
