#include "agpusim/commands/compare/to_report.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/commands/compare/detail/sentences.hpp"
#include "agpusim/commands/compare/order.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/interval.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim::contest {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::size_text;
using report::Column;
using report::Format;
using report::Section;
using report::Value;

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// A contestant at one n on one machine.
struct Line {
  const Comparison* comparison;
  const SizeRows* row;
  std::size_t contestant;

  [[nodiscard]] const Row& entry() const { return row->entries[contestant]; }
  [[nodiscard]] bool wins(Measure measure) const {
    const auto best = winners(*row, measure);
    return std::find(best.begin(), best.end(), contestant) != best.end();
  }
};

/// A value of the counted run, of its prediction, of its measurement, of its configuration.
template <class Get>
auto of_counted(Get get) {
  return
      [get](const Line& line) { return line.entry().counted ? Value(get(line.entry())) : Value(); };
}
template <class Get>
auto of_predicted(Get get) {
  return [get](const Line& line) {
    return line.entry().predicted ? Value(get(*line.entry().predicted)) : Value();
  };
}
template <class Get>
auto of_time(Get get) {
  return [get](const Line& line) {
    return line.entry().measured ? Value(get(*line.entry().measured)) : Value();
  };
}
template <class Member>
auto of_run(Member RunConfig::*member) {
  return [member](const Line& line) { return Value(line.entry().run.config.*member); };
}

/// For readers: with a star where it is the smallest at this n.
Column<Line> starred(const char* title, Measure measure,
                     const std::function<std::string(double)>& show) {
  return {{"", title, Format::right}, [measure, show](const Line& line) -> Value {
            if (measure == Measure::time && !line.entry().refusal.empty()) return "refused ";
            const auto value = value_of(line.entry(), measure);
            if (!value) return nullptr;
            return show(*value) + (line.wins(measure) ? "*" : " ");
          }};
}

// Columns without a title are for programs, columns without a key for readers.
const std::vector<Column<Line>>& columns() {
  const auto whole = [](double value) { return integer_text(static_cast<std::int64_t>(value)); };
  static const std::vector<Column<Line>> all = {
      {{"n", ""}, [](const Line& line) { return Value(line.row->n); }},
      {{"", "n"},
       [](const Line& line) { return Value(line.contestant == 0 ? size_text(line.row->n) : ""); }},
      {{"contestant", "contestant"},
       [](const Line& line) { return Value(line.comparison->contestants[line.contestant].label); }},
      {{"algorithm", ""}, of_run(&RunConfig::algorithm)},
      {{"variant", ""}, of_run(&RunConfig::variant)},
      {{"type", ""}, of_run(&RunConfig::type)},
      {{"input", ""}, of_run(&RunConfig::input)},
      {{"seed", ""}, of_run(&RunConfig::seed)},
      {{"parameters", ""}, of_run(&RunConfig::parameters)},
      {{"refusal", ""}, [](const Line& line) { return text_or_null(line.entry().refusal); }},
      {{"smallest", ""},
       [](const Line& line) {
         Value by = Value::array();
         for (const Measure measure : measures) {
           if (line.wins(measure)) by.push_back(to_string(measure));
         }
         return by;
       }},
      {{"counts", ""}, of_counted([](const Row& row) { return row.source; })},
      {{"", "counts", Format::right},
       [](const Line& line) -> Value {
         return line.entry().from_n > 0 ? Value(line.entry().source) : Value();
       }},
      {{"T", ""}, of_counted([](const Row& row) { return row.count("T"); })},
      starred("T ", Measure::time, whole),
      {{"Q", ""}, of_counted([](const Row& row) { return row.count("Q"); })},
      starred("Q ", Measure::io, whole),
      {{.key = "instructions", .title = "instructions", .format = Format::integer, .rank = 4},
       of_counted([](const Row& row) { return row.counted->report.total().instructions(); })},
      {{.key = "wavefronts", .title = "wavefronts", .format = Format::integer, .rank = 3},
       of_counted([](const Row& row) { return row.counted->report.total().wavefronts(); })},
      {{.key = "phases", .title = "phases", .format = Format::integer, .rank = 5},
       of_counted([](const Row& row) { return row.phases; })},
      {{"T_lower", ""}, of_counted([](const Row& row) { return row.lower.time; })},
      {{"Q_lower", ""}, of_counted([](const Row& row) { return row.lower.io; })},
      {{"lower_bound_source", ""}, of_counted([](const Row& row) { return row.lower.source; })},
      {{.key = "T_over_lower", .title = "T/bound", .format = Format::two_digits, .rank = 6},
       of_counted([](const Row& row) { return report::ratio(row.count("T"), row.lower.time); })},
      {{.key = "Q_over_lower", .title = "Q/bound", .format = Format::two_digits, .rank = 6},
       of_counted([](const Row& row) { return report::ratio(row.count("Q"), row.lower.io); })},
      {{"differences", ""}, of_counted([](const Row& row) { return faults_of(row); })},
      {{"predicted_ms", ""},
       of_predicted([](const Prediction& time) { return time.milliseconds; })},
      starred("predicted ms ", Measure::predicted, decimal_text),
      {{"predicted_low_ms", ""}, of_predicted([](const Prediction& time) { return time.low; })},
      {{"predicted_high_ms", ""}, of_predicted([](const Prediction& time) { return time.high; })},
      {{.key = "", .title = "90 % interval", .format = Format::right, .rank = 2},
       of_predicted(interval_text)},
      {{"limit", "limit", Format::right},
       of_predicted([](const Prediction& time) { return time.limit; })},
      {{"why_not_predicted", ""},
       [](const Line& line) { return text_or_null(line.entry().why_not_predicted); }},
      {{"measured_ms", ""}, of_time([](const Measurement& time) { return time.ms; })},
      starred("measured ms ", Measure::measured, decimal_text),
      {{"measured_low_ms", ""}, of_time([](const Measurement& time) { return time.low_ms; })},
      {{"measured_high_ms", ""}, of_time([](const Measurement& time) { return time.high_ms; })},
      {{.key = "", .title = "[5 %, 95 %]", .format = Format::right, .rank = 1},
       of_time([](const Measurement& time) {
         return fmt::format("[{}, {}]", decimal_text(time.low_ms), decimal_text(time.high_ms));
       })},
      {{"samples", ""}, of_time([](const Measurement& time) { return time.samples; })},
      {{"measured_on", ""}, of_time([](const Measurement& time) { return time.date; })}};
  return all;
}

report::Table rows_table(const Comparison& comparison, const MachineResult& result) {
  std::vector<Line> lines;
  for (const SizeRows& row : result.rows) {
    for (std::size_t i = 0; i < row.entries.size(); ++i) lines.push_back({&comparison, &row, i});
  }
  report::Table table = report::table("rows", columns(), lines);
  table.csv = true;
  table.without_empty_columns = true;
  return table;
}

/// Who is ahead where: names of contestants for their numbers.
struct Labels {
  const Comparison& comparison;

  [[nodiscard]] std::string of(std::size_t contestant) const {
    return comparison.contestants[contestant].label;
  }

  [[nodiscard]] Value stretches(const std::vector<Stretch>& all) const {
    Value parts = Value::array();
    for (const Stretch& one : all) {
      Value names = Value::array();
      for (const std::size_t winner : one.winners) names.push_back(of(winner));
      parts.push_back({{"winners", names}, {"n_first", one.n_first}, {"n_last", one.n_last}});
    }
    return parts;
  }

  [[nodiscard]] Value crossovers(const PairOrder& order) const {
    Value all = Value::array();
    for (const Crossover& one : order.crossovers) {
      all.push_back({{"below", of(one.below)},
                     {"above", of(one.above)},
                     {"n_below", one.n_below},
                     {"n_above", one.n_above},
                     {"n_interpolated", report::value_or_null(one.n)},
                     {"resolved", one.resolved}});
    }
    return all;
  }
};

report::Table smallest_table(const Comparison& comparison, const MachineResult& result) {
  report::Table table{
      "smallest", {{"by", "smallest"}, {"stretches", ""}, {"sentence", "(* in the table)"}}, {}};
  for (const auto& [measure, runs] : result.stretches) {
    table.rows.push_back({to_string(measure), Labels{comparison}.stretches(runs),
                          detail::sentence(runs, comparison.contestants)});
  }
  return table;
}

report::Table orders_table(const Comparison& comparison, const MachineResult& result) {
  const Labels labels{comparison};
  using Order = Column<PairOrder>;
  const std::vector<Order> all = {
      {{"first", "contestant"}, [&](const PairOrder& order) { return labels.of(order.first); }},
      {{"second", "against"}, [&](const PairOrder& order) { return labels.of(order.second); }},
      {{"by", "by"}, [](const PairOrder& order) { return to_string(order.measure); }},
      {{"sizes", ""}, [](const PairOrder& order) { return Value(order.sizes); }},
      {{"first_ahead", ""}, [](const PairOrder& order) { return Value(order.first_ahead); }},
      {{"second_ahead", ""}, [](const PairOrder& order) { return Value(order.second_ahead); }},
      {{"not_told_apart", ""}, [](const PairOrder& order) { return Value(order.not_told_apart); }},
      {{"crossovers", ""}, [&](const PairOrder& order) { return labels.crossovers(order); }},
      {{"sentence", "who is ahead; \"about\": interpolated, linear in the logarithms"},
       [&](const PairOrder& order) { return detail::sentence(order, comparison.contestants); }}};
  return report::table("orders", all, result.orders);
}

report::Table agreements_table(const MachineResult& result) {
  using Found = Column<Agreement>;
  const std::vector<Found> all = {
      {{"by", ""}, [](const Agreement& found) { return to_string(found.by); }},
      {{"sizes", ""}, [](const Agreement& found) { return Value(found.sizes); }},
      {{"right", ""}, [](const Agreement& found) { return Value(found.right); }},
      {{"near", ""}, [](const Agreement& found) { return Value(found.near); }},
      {{"undecided", ""}, [](const Agreement& found) { return Value(found.undecided); }},
      {{"overlapping", ""}, [](const Agreement& found) { return Value(found.overlapping); }},
      {{"sentence", "agreement with the measurements, among the contestants with both values"},
       [](const Agreement& found) { return detail::sentence(found); }}};
  return report::table("agreements", all, result.agreements);
}

/// Times and counts of the contestants against n: lines predicted or counted, marks measured.
agpusim::detail::Plot plot(const Comparison& comparison, const MachineResult& result) {
  using agpusim::detail::PlotPoint;
  std::vector<agpusim::detail::PlotPanel> panels = {{"Time", "n (elements)", "time (ms)", {}},
                                                    {"T", "n (elements)", "T (time units)", {}},
                                                    {"Q", "n (elements)", "Q (blocks)", {}}};
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
    for (agpusim::detail::PlotPanel& panel : panels) {
      panel.series.push_back({comparison.contestants[i].label, static_cast<int>(i)});
    }
    for (const SizeRows& row : result.rows) {
      const Row& entry = row.entries[i];
      const auto n = static_cast<double>(row.n);
      if (entry.predicted) {
        const Prediction& time = *entry.predicted;
        panels[0].series[i].line.push_back({n, time.milliseconds, time.low, time.high});
      }
      if (entry.measured) {
        const Measurement& time = *entry.measured;
        panels[0].series[i].points.push_back({n, time.ms, time.low_ms, time.high_ms});
      }
      if (!entry.counted) continue;
      panels[1].series[i].line.push_back({n, static_cast<double>(entry.count("T"))});
      panels[2].series[i].line.push_back({n, static_cast<double>(entry.count("Q"))});
    }
  }
  return {"against-n", "Against n", 3, std::move(panels)};
}

Section part(std::string heading, report::Table table, const char* what,
             std::vector<std::string> remarks = {}) {
  Section section;
  section.heading = std::move(heading);
  table.what = what;
  section.tables = {std::move(table)};
  section.remarks = std::move(remarks);
  return section;
}

Section machine_section(const Comparison& comparison, const MachineResult& result) {
  const ComparedMachine& machine = result.machine;
  Section section;
  section.key = "machines";
  section.list = true;
  section.heading = machine.refusal.empty()
                        ? fmt::format("{}: {}{}", machine.label, machine.spec.to_string(),
                                      machine.device.empty() ? "" : "; device " + machine.device)
                        : fmt::format("{}: {}", machine.label, machine.refusal);
  const auto crossovers = detail::crossover_sentences(result.orders, comparison.contestants);
  section.facts = {{{"label", ""}, machine.label, "", "machine"},
                   {{"name", ""}, machine.spec.to_string()},
                   {{"machine", ""}, agpusim::detail::encode(machine.spec)},
                   {{"", ""}, machine.spec.cores, "", "p"},
                   {{"", ""}, machine.spec.block_words, "", "b"},
                   {{"", ""}, machine.spec.shared_words, "", "M"},
                   {{"", ""}, machine.spec.word_bits, "", "w"},
                   {{"", ""}, machine.spec.width, "", "V"},
                   {{"device", ""}, text_or_null(machine.device)},
                   {{"refusal", ""}, text_or_null(machine.refusal)},
                   {{"crossovers", ""}, crossovers},
                   {{"remarks", ""}, result.remarks}};
  section.plots = {plot(comparison, result)};
  section.sections = {part("", rows_table(comparison, result), "runs"),
                      part("", smallest_table(comparison, result), "measures"),
                      part("", orders_table(comparison, result), "pairs"),
                      part("", agreements_table(result), "agreements", crossovers)};
  if (!result.remarks.empty()) {
    section.sections.emplace_back().heading = "Remarks";
    section.sections.back().sentences = result.remarks;
  }
  return section;
}

report::Table fastest_table(const Comparison& comparison, const char* key,
                            const std::vector<Fastest>& fastest) {
  report::Table table{key, {{"n", ""}, {"machine", ""}, {"contestant", ""}, {"ms", ""}}, {}};
  for (const Fastest& best : fastest) {
    const Value machine =
        best.machine ? Value(comparison.machines[*best.machine].machine.label) : Value();
    table.rows.push_back({best.n, machine, comparison.contestants[best.contestant].label, best.ms});
  }
  return table;
}

/// Over several machines.
Section fastest_section(const Comparison& comparison) {
  Section section;
  section.tables = {fastest_table(comparison, "fastest_predicted", comparison.fastest_predicted),
                    fastest_table(comparison, "fastest_measured", comparison.fastest_measured)};
  const auto add = [&](const char* by, const std::vector<Fastest>& fastest) {
    if (fastest.empty()) return;
    section.sentences.push_back(
        fmt::format("{:<9}  {}", by, detail::sentence(fastest, comparison)));
  };
  add("predicted", comparison.fastest_predicted);
  add("measured", comparison.fastest_measured);
  if (!section.sentences.empty()) section.heading = "Fastest over all machines";
  return section;
}

/// How many runs were simulated, and what differs.
Section simulation_section(const Comparison& comparison) {
  Section section;
  std::vector<std::string> near;
  std::int64_t simulated = 0;
  for (const MachineResult& result : comparison.machines) {
    for (const SizeRows& row : result.rows) {
      for (std::size_t i = 0; i < row.entries.size(); ++i) {
        const Row& entry = row.entries[i];
        if (!entry.counted) continue;
        if (entry.counted->source == CountSource::simulated) ++simulated;
        const std::string run = fmt::format("{}, n = {} on {}: ", comparison.contestants[i].label,
                                            size_text(row.n), result.machine.label);
        for (const std::string& fault : faults_of(entry)) section.sentences.push_back(run + fault);
        const std::string remark = entry.counted->differences.remark();
        if (!remark.empty()) near.push_back(run + remark);
      }
    }
  }
  if (!section.sentences.empty()) {
    section.heading = "DIFFERENT from known counts, or from what the row states";
  } else if (simulated > 0) {
    section.sentences = {fmt::format(
        "Simulated {} runs: results equal the references, counts those derived or stored.",
        simulated)};
  }
  section.sentences.insert(section.sentences.end(), near.begin(), near.end());
  return section;
}

report::Table contestants_table(const Comparison& comparison) {
  report::Table table{"contestants",
                      {{"label", ""},
                       {"algorithm", ""},
                       {"variant", ""},
                       {"chosen_parameters", ""},
                       {"type", ""},
                       {"input", ""},
                       {"measured_only", ""}},
                      {}};
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
    const Contestant& one = comparison.contestants[i];
    table.rows.push_back({one.label, one.algorithm, one.variant, one.parameters,
                          comparison.kinds[i].type, comparison.kinds[i].input,
                          !comparison.has_row[i]});
  }
  return table;
}

std::string title_of(const Comparison& comparison) {
  const std::vector<Kind>& kinds = comparison.kinds;
  const bool alike = std::all_of(kinds.begin(), kinds.end(),
                                 [&](const Kind& kind) { return kind == kinds.front(); });
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    text += (i == 0 ? "" : " against ") + comparison.contestants[i].label;
    if (!alike) text += fmt::format(" ({}, input {})", kinds[i].type, kinds[i].input);
  }
  if (alike) text += fmt::format(": {}, input {}", kinds.front().type, kinds.front().input);
  return text + fmt::format(", seed {}", comparison.seed);
}

}  // namespace

report::Report to_report(const Comparison& comparison) {
  report::Report report;
  report.title = title_of(comparison);
  const auto told = std::find_if(comparison.machines.begin(), comparison.machines.end(),
                                 [](const auto& result) { return !result.stretches.empty(); });
  if (told != comparison.machines.end()) {
    const auto& [measure, runs] = *told->stretches.rbegin();
    report.answer.sentence =
        fmt::format("Smallest by {} on {}: {}.", to_string(measure), told->machine.label,
                    detail::sentence(runs, comparison.contestants));
  }
  Section first;
  first.facts = {{{"generated", ""}, comparison.generated},
                 {{"seed", ""}, comparison.seed},
                 {{"remarks", ""}, comparison.remarks}};
  first.tables = {contestants_table(comparison)};
  first.sentences = comparison.remarks;
  report.body.sections = {std::move(first)};
  for (const MachineResult& result : comparison.machines) {
    report.body.sections.push_back(machine_section(comparison, result));
  }
  report.body.sections.push_back(fastest_section(comparison));
  report.body.sections.push_back(simulation_section(comparison));
  return report;
}

}  // namespace agpusim::contest
