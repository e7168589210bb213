#include <algorithm>
#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include "agpusim/validation/contest/detail/sentences.hpp"
#include "agpusim/validation/contest/order.hpp"
#include "agpusim/validation/contest/writers.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::comparison {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::size_text;

constexpr const char* absent = "-";

std::string ratio_text(std::int64_t count, std::int64_t bound) {
  if (bound <= 0) return absent;
  return fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(bound));
}

/// A column of the table; `mark` is the measure whose smallest value at each n gets a star.
struct Column {
  std::string title;
  std::function<std::string(const Entry&)> text;
  std::optional<Measure> mark = {};
};

std::string of_cost(const Entry& entry, const std::function<std::string(const Cost&)>& text) {
  return entry.cost ? text(*entry.cost) : absent;
}

std::vector<Column> columns() {
  const auto number = [](std::int64_t Cost::*field) {
    return [field](const Entry& entry) {
      return of_cost(entry, [&](const Cost& cost) { return integer_text(cost.*field); });
    };
  };
  const auto milliseconds = [](const std::optional<double>& ms) {
    return ms ? decimal_text(*ms) : absent;
  };
  return {
      {"counts",
       [](const Entry& entry) -> std::string {
         const bool estimate = entry.cost && entry.cost->source == CountSource::extrapolated;
         return estimate ? to_string(CountSource::extrapolated) : absent;
       }},
      {"T",
       [](const Entry& entry) -> std::string {
         if (!entry.refusal.empty()) return "refused";
         return of_cost(entry, [](const Cost& cost) { return integer_text(cost.time); });
       },
       Measure::time},
      {"Q", number(&Cost::io), Measure::io},
      {"instructions", number(&Cost::instructions)},
      {"wavefronts", number(&Cost::wavefronts)},
      {"phases", number(&Cost::phases)},
      {"T/bound",
       [](const Entry& entry) {
         return of_cost(entry,
                        [](const Cost& cost) { return ratio_text(cost.time, cost.bound.time); });
       }},
      {"Q/bound",
       [](const Entry& entry) {
         return of_cost(entry, [](const Cost& cost) { return ratio_text(cost.io, cost.bound.io); });
       }},
      {"predicted ms", [=](const Entry& entry) { return milliseconds(entry.predicted_ms); },
       Measure::predicted},
      {"limit", [](const Entry& entry) { return entry.predicted_ms ? entry.limit : absent; }},
      {"measured ms",
       [=](const Entry& entry) { return milliseconds(value_of(entry, Measure::measured)); },
       Measure::measured},
      {"[5 %, 95 %]",
       [](const Entry& entry) -> std::string {
         if (!entry.measured) return absent;
         return fmt::format("[{}, {}]", decimal_text(entry.measured->low_ms),
                            decimal_text(entry.measured->high_ms));
       }},
  };
}

/// The columns in which any entry has something.
std::vector<Column> used_columns(const std::vector<Row>& rows) {
  std::vector<Column> used;
  for (Column& column : columns()) {
    const bool filled = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return std::any_of(row.entries.begin(), row.entries.end(),
                         [&](const Entry& entry) { return column.text(entry) != absent; });
    });
    if (filled) used.push_back(std::move(column));
  }
  return used;
}

std::string rows_text(const std::vector<Row>& rows, const std::vector<Contestant>& contestants) {
  const std::vector<Column> used = used_columns(rows);
  std::vector<std::string> header = {"n", "contestant"};
  // A star stands to the right of the digits, which stay below each other.
  for (const Column& column : used) header.push_back(column.title + (column.mark ? " " : ""));
  std::vector<std::vector<std::string>> lines;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      std::vector<std::string> line = {i == 0 ? size_text(row.n) : "", contestants[i].label};
      for (const Column& column : used) {
        std::string text = column.text(row.entries[i]);
        if (column.mark) {
          const auto best = winners(row, *column.mark);
          text += std::find(best.begin(), best.end(), i) != best.end() ? "*" : " ";
        }
        line.push_back(std::move(text));
      }
      lines.push_back(std::move(line));
    }
  }
  return agpusim::detail::text_table(header, lines, 2);
}

std::string lead_text(const MachineResult& result, const std::vector<Contestant>& contestants) {
  std::string text;
  for (const auto& [measure, runs] : result.stretches) {
    text += fmt::format("  {:<10} {}\n", to_string(measure), detail::sentence(runs, contestants));
  }
  return text.empty() ? "" : "\nSmallest (* in the table)\n" + text;
}

std::string orders_text(const MachineResult& result, const std::vector<Contestant>& contestants) {
  std::string text;
  for (std::size_t i = 0; i < result.orders.size(); ++i) {
    const PairOrder& order = result.orders[i];
    if (i == 0 || result.orders[i - 1].first != order.first ||
        result.orders[i - 1].second != order.second) {
      text += fmt::format("  {} against {}\n", contestants[order.first].label,
                          contestants[order.second].label);
    }
    text += fmt::format("    {:<10} {}\n", to_string(order.measure),
                        detail::sentence(order, contestants));
  }
  if (text.empty()) return text;
  return "\nWho is ahead in each pair; \"about\": interpolated, linear in the logarithms\n" + text;
}

std::string agreement_text(const MachineResult& result,
                           const std::vector<Contestant>& contestants) {
  std::string text;
  for (const Agreement& found : result.agreements) text += "  " + detail::sentence(found) + "\n";
  for (const std::string& line : detail::crossover_sentences(result.orders, contestants)) {
    text += "  " + line + "\n";
  }
  return text.empty()
             ? text
             : "\nAgreement with the measurements, among the contestants with both values\n" + text;
}

std::string remarks_text(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += "  " + remark + "\n";
  return text.empty() ? text : "\nRemarks\n" + text;
}

std::string machine_text(const MachineResult& result, const std::vector<Contestant>& contestants) {
  const ComparedMachine& machine = result.machine;
  if (!machine.refusal.empty()) return fmt::format("{}: {}\n", machine.label, machine.refusal);
  std::string heading = fmt::format("{}: {}", machine.label, machine.spec.to_string());
  if (!machine.device.empty()) heading += fmt::format("; device {}", machine.device);
  return heading + "\n\n" + rows_text(result.rows, contestants) + lead_text(result, contestants) +
         orders_text(result, contestants) + agreement_text(result, contestants) +
         remarks_text(result.remarks);
}

/// How many runs were simulated, and what differs, one line each.
std::string simulation_text(const Comparison& comparison) {
  std::int64_t simulated = 0;
  std::string differences;
  for (const MachineResult& result : comparison.machines) {
    for (const Row& row : result.rows) {
      for (std::size_t i = 0; i < row.entries.size(); ++i) {
        const Entry& entry = row.entries[i];
        if (!entry.cost || entry.cost->source != CountSource::simulated) continue;
        ++simulated;
        for (const std::string& difference : entry.cost->differences) {
          differences += fmt::format("  {}, n = {} on {}: {}\n", comparison.contestants[i].label,
                                     size_text(row.n), result.machine.label, difference);
        }
      }
    }
  }
  if (simulated == 0) return {};
  if (!differences.empty()) return "\nDIFFERENT from derived or stored counts\n" + differences;
  return fmt::format(
      "\nSimulated {} runs: results equal the references, counts those derived or stored.\n",
      simulated);
}

std::string heading(const Comparison& comparison) {
  const std::vector<Kind>& kinds = comparison.kinds;
  const bool alike = std::all_of(kinds.begin(), kinds.end(),
                                 [&](const Kind& kind) { return kind == kinds.front(); });
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    text += (i == 0 ? "" : " against ") + comparison.contestants[i].label;
    if (!alike) text += fmt::format(" ({}, input {})", kinds[i].type, kinds[i].input);
  }
  if (alike) text += fmt::format(": {}, input {}", kinds.front().type, kinds.front().input);
  return text + fmt::format(", seed {}\n", comparison.seed);
}

std::string fastest_text(const Comparison& comparison) {
  std::string text;
  const auto add = [&](const char* name, const std::vector<Fastest>& fastest) {
    if (fastest.empty()) return;
    text += fmt::format("  {:<10} {}\n", name, detail::sentence(fastest, comparison));
  };
  add("predicted", comparison.fastest_predicted);
  add("measured", comparison.fastest_measured);
  return text.empty() ? text : "\nFastest over all machines\n" + text;
}

}  // namespace

std::string to_text(const Comparison& comparison) {
  std::string text = heading(comparison);
  for (const std::string& remark : comparison.remarks) text += remark + "\n";
  for (const MachineResult& result : comparison.machines) {
    text += "\n" + machine_text(result, comparison.contestants);
  }
  return text + fastest_text(comparison) + simulation_text(comparison);
}

}  // namespace agpusim::comparison
