#include "agpusim/validation/rows/faults.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

using detail::integer_text;

Quantity quantity_of(std::string name, std::int64_t count, const Bound& bound,
                     const RunConfig& config, std::int64_t lower_bound) {
  Quantity quantity{std::move(name), count};
  quantity.stated = bound.text;
  if (bound.value) quantity.bound = bound.value(config);
  quantity.lower_bound = lower_bound;
  return quantity;
}

}  // namespace

std::vector<Quantity> quantities_of(const Algorithm& algorithm, const RunConfig& config,
                                    const RunReport& report, const LowerBound& lower) {
  const Counts total = report.total();
  std::vector<Quantity> all = {
      quantity_of("T", report.time(), time_bound(algorithm, config), config, lower.time),
      quantity_of("Q", total.io(), io_bound(algorithm, config), config, lower.io),
      {"requests", total.requests()},
      {"sectors", total.sectors()},
      {"wavefronts", total.wavefronts()},
      {"conflicts", total.conflicts()},
      {"idle_lanes", total.lane_slots - total.active_lanes}};
  for (const Formula& formula : algorithm.formulas) {
    const auto value = formula.value(config);
    if (!value) continue;
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const Quantity& q) { return q.name == formula.name; });
    if (at == all.end()) at = all.insert(at, Quantity{formula.name, formula.count(report)});
    if (!at->formula || *value != at->count) at->formula = value;
  }
  return all;
}

std::vector<std::string> faults_of(const Row& row) {
  std::vector<std::string> faults;
  if (row.counted) faults.push_back(row.counted->differences.fault());
  for (const Quantity& q : row.quantities) {
    if (row.from_n > 0) continue;
    if (q.formula && *q.formula != q.count) {
      faults.push_back(fmt::format("the formula of {} gives {}: DIFFERENT, the run pays {}", q.name,
                                   integer_text(*q.formula), integer_text(q.count)));
    }
    if (q.count < q.lower_bound.value_or(0)) {
      faults.push_back(fmt::format("the lower bound {} >= {}{} is BROKEN: the run pays {}", q.name,
                                   integer_text(*q.lower_bound),
                                   row.lower.source.empty() ? "" : " [" + row.lower.source + "]",
                                   integer_text(q.count)));
    }
  }
  std::erase(faults, "");
  return faults;
}

void Faults::add(const Row& row) {
  const std::vector<std::string> faults = faults_of(row);
  if (faults.empty()) return;
  if (faults.front().find(" derived") != std::string::npos) remedy_ = remedy_of_derived;
  Wrong& wrong = programs_[row.run.program];
  if (wrong.sizes.empty()) wrong.first = fmt::format("{}", fmt::join(faults, "; "));
  wrong.sizes.insert(row.n());
}

void Faults::require_none() const {
  std::vector<std::string> sentences;
  for (const auto& [program, wrong] : programs_) {
    sentences.push_back(
        fmt::format("{} with n = {}: {}", program, fmt::join(wrong.sizes, ", "), wrong.first));
  }
  if (!remedy_.empty()) sentences.push_back(remedy_);
  if (!sentences.empty()) throw Mismatch(fmt::format("{}", fmt::join(sentences, "; ")));
}

}  // namespace agpusim
