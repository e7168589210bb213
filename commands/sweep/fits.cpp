#include "agpusim/commands/sweep/fits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::sweep {
namespace {

std::optional<double> value_of(const Row& row, const std::string& quantity) {
  if (quantity == time_quantity)
    return row.predicted ? std::optional(row.predicted->milliseconds) : std::nullopt;
  const Quantity* const found = row.find(quantity);
  if (found == nullptr) return std::nullopt;
  return static_cast<double>(found->count);
}

/// The size that laws of a quantity are written in.
std::string unit_of(const Row& row, const std::string& quantity) {
  if (row.run.on_pram() || quantity == time_quantity) return "n";
  if (quantity == "idle_lanes") return "n";
  return quantity == "T" ? "n/p" : "n/b";
}

Symbols symbols_of(const Row& row) {
  Symbols symbols;
  for (const auto& [name, number] : row.run.symbols()) symbols[name] = static_cast<double>(number);
  return symbols;
}

/// The factor of a term that is a multiple of the stated bound in all rows; 0: it is none.
double bound_over(const Term& term, const std::vector<const Row*>& rows,
                  const std::string& quantity) {
  constexpr double equal = 1e-9;
  double factor = 0;
  for (const Row* const row : rows) {
    const double here = *row->find(quantity)->bound / term.value(symbols_of(*row));
    if (factor == 0) factor = here;
    if (!(std::abs(here - factor) <= equal * factor)) return 0;
  }
  return factor;
}

/// The simplest term of laws that is a multiple of the stated bound in all rows, or the bound
/// itself, times `factor`.
std::string multiple_of_bound(double factor, const std::vector<const Row*>& rows,
                              const std::string& quantity) {
  const Row& first = *rows.front();
  for (const Term& term : terms_of(symbols_of(first), unit_of(first, quantity))) {
    const double multiple = bound_over(term, rows, quantity);
    if (multiple > 0) return Law{{{term, factor * multiple}}}.text();
  }
  return fmt::format("{:.4g} (stated bound)", factor);
}

std::optional<FlatForm> flat_form(const std::vector<const Row*>& rows,
                                  const std::string& quantity) {
  constexpr std::int64_t doublings = 8;  // 2^3
  constexpr std::ptrdiff_t fewest = 4;   // sizes in which to see them
  constexpr double most_spread = 1.1;
  std::set<std::int64_t> sizes;
  for (const Row* const row : rows) sizes.insert(row->n());
  if (std::ssize(sizes) < fewest) return std::nullopt;
  const std::int64_t from = std::min(*std::prev(sizes.end(), fewest), *sizes.rbegin() / doublings);
  double low = 0;
  double high = 0;
  for (const Row* const row : rows) {
    const Quantity& found = *row->find(quantity);
    if (row->n() < from || *found.bound <= 0) continue;
    const double ratio = static_cast<double>(found.count) / *found.bound;
    low = high == 0 ? ratio : std::min(low, ratio);
    high = std::max(high, ratio);
  }
  if (*sizes.begin() > from || low <= 0 || high > most_spread * low) return std::nullopt;
  return FlatForm{multiple_of_bound(std::sqrt(low * high), rows, quantity), (high / low - 1) / 2,
                  from};
}

BoundCheck check_bound(const std::vector<const Row*>& rows, const std::string& quantity,
                       std::int64_t from) {
  BoundCheck check;
  std::map<std::string, std::map<std::int64_t, double>> ratios;  // by machine and n
  for (const Row* const row : rows) {
    const Quantity& found = *row->find(quantity);
    if (row->n() < from || !found.bound || *found.bound <= 0) continue;
    ratios[row->run.machine()][row->n()] = static_cast<double>(found.count) / *found.bound;
  }
  bool first = true;
  check.grown = !ratios.empty();
  for (const auto& [machine, by_size] : ratios) {
    for (const auto& [n, ratio] : by_size) {
      check.low = first ? ratio : std::min(check.low, ratio);
      check.high = first ? ratio : std::max(check.high, ratio);
      first = false;
    }
    const auto& [n0, r0] = *by_size.begin();
    const auto& [n1, r1] = *by_size.rbegin();
    if (n0 == n1) {
      check.grown = false;
      continue;
    }
    const double octaves = std::log2(static_cast<double>(n1) / static_cast<double>(n0));
    const double drift = std::pow(r1 / r0, 1 / octaves) - 1;
    if (std::abs(drift) > std::abs(check.drift)) check.drift = drift;
  }
  check.flat = flat_form(rows, quantity);
  return check;
}

Fit fit_quantity(const std::vector<const Row*>& rows, const std::string& quantity, bool squares) {
  const Row& first = *rows.front();
  Fit fit{first.run.program, first.run.config.type, first.run.config.input, quantity};
  if (const Quantity* const q = first.find(quantity)) fit.stated = q->stated;
  std::set<std::string> machines;
  std::set<std::string> rules;
  std::vector<Observation> observations;
  std::vector<const Row*> used;
  for (const Row* const row : rows) {
    const auto value = value_of(*row, quantity);
    if (!value) continue;
    if (row->from_n > 0) {
      ++fit.left_out;
      continue;
    }
    machines.insert(row->run.machine());
    rules.insert(row->run.rules());
    Observation observation{symbols_of(*row), *value};
    if (fit.largest.empty() || fit.largest.at("n") < observation.symbols.at("n")) {
      fit.largest = observation.symbols;
    }
    observations.push_back(std::move(observation));
    used.push_back(row);
  }
  fit.machines = static_cast<std::int64_t>(machines.size());
  if (rules.size() > 1) {
    fit.why_not = "the machines differ in their rules: fit the points of each by themselves";
    return fit;
  }
  try {
    fit.law = fit_law(observations, unit_of(first, quantity), squares);
    const bool bounded =
        quantity != time_quantity && std::all_of(used.begin(), used.end(), [&](const Row* p) {
          return p->find(quantity)->bound.has_value();
        });
    if (bounded) fit.bound = check_bound(used, quantity, fit.law->judged_from);
  } catch (const UsageError& error) {
    fit.why_not = error.what();
  }
  return fit;
}

}  // namespace

const FlatForm* Fit::proved() const {
  constexpr double exact = 1e-6;
  if (!law || law->best.worst < exact || !bound || !bound->flat) return nullptr;
  if (bound->flat->error > most_off && law->best.holds()) return nullptr;
  return &*bound->flat;
}

bool Fit::holds() const {
  const FlatForm* const form = proved();
  return law && (form != nullptr ? form->error <= most_off : law->best.holds());
}

std::vector<Fit> fit_rows(const std::vector<Row>& rows) {
  std::vector<Fit> fits;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end =
        std::find_if(begin, rows.end(), [&](const Row& p) { return !same_series(p, *begin); });
    std::vector<const Row*> run;
    std::vector<std::string> quantities;
    for (auto it = begin; it != end; ++it) {
      if (!it->refusal.empty()) continue;
      run.push_back(&*it);
      for (const Quantity& q : it->quantities) {
        const bool known =
            std::find(quantities.begin(), quantities.end(), q.name) != quantities.end();
        if (!known && q.count > 0) quantities.push_back(q.name);
      }
    }
    if (std::any_of(run.begin(), run.end(),
                    [](const Row* p) { return p->predicted.has_value(); })) {
      quantities.emplace_back(time_quantity);
    }
    // What moves each word a fixed number of times does not work on square matrices.
    bool squares = true;
    for (const std::string quantity : {"Q", "work"}) {
      if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) continue;
      const Fit fit = fit_quantity(run, quantity, true);
      squares = !fit.law || fit.law->best.lead().growth > Growth{1};
    }
    for (const std::string& quantity : quantities) {
      fits.push_back(fit_quantity(run, quantity, squares));
    }
    begin = end;
  }
  return fits;
}

CoresCheck check_cores(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<const Row*>> groups;
  for (const Row& row : rows) {
    if (row.find("Q") == nullptr || row.from_n > 0) continue;
    std::string name =
        fmt::format("{} {} {}", row.run.program, row.run.config.type, row.run.config.input);
    for (const auto& [symbol, value] : row.run.symbols()) {
      if (symbol != "p" && symbol != "k") name += fmt::format(" {}={}", symbol, value);
    }
    groups[name].push_back(&row);
  }
  CoresCheck check;
  for (const auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    ++check.groups;
    const Row& first = *group.front();
    const auto other = std::find_if(group.begin(), group.end(), [&](const Row* p) {
      return p->find("Q")->count != first.find("Q")->count;
    });
    if (other == group.end()) {
      ++check.equal;
      continue;
    }
    check.differences.push_back(fmt::format("{} with n = {}: Q = {} on p = {}, {} on p = {}",
                                            first.run.program, first.n(), first.find("Q")->count,
                                            first.run.config.spec.cores, (*other)->find("Q")->count,
                                            (*other)->run.config.spec.cores));
  }
  return check;
}

}  // namespace agpusim::sweep
