#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/papers/statistics/experiment.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::integer_text;
using agpusim::detail::percent_text;
using contest::Line;
using report::Column;
using report::Format;
using report::Section;
using report::Value;

/// A constant that is free of charge is none.
Value positive(double constant) { return constant > 0 ? Value(constant) : Value(); }

std::vector<CrossFit> fits_of(const CardAccount& account) {
  std::vector<CrossFit> fits = {account.lg, account.ln, account.wide, account.single_by_n};
  if (account.single) fits.push_back(*account.single);
  return fits;
}

/// Constants of one half of the times, or of both.
struct Half {
  std::string law;
  Fit fit;
};

report::Table constants_table(const CardAccount& account) {
  std::vector<Half> halves;
  for (const CrossFit& cross : fits_of(account)) {
    for (const Fit& fit : cross.fits) halves.push_back({cross.what, fit});
  }
  const auto unit = [](const Half& half) { return half.fit.model.time_unit_us; };
  const auto rate = [](const Half& half) {
    return half.fit.model.byte_us > 0 ? half.fit.model.gigabytes_per_second() : 0;
  };
  const std::vector<Column<Half>> columns = {
      {{"law", "constants of"}, &Half::law},
      {{"trained_on", "fitted to"}, [](const Half& half) { return half.fit.trained_on; }},
      {{"launch_us", "us/launch", Format::decimal},
       [](const Half& half) { return positive(half.fit.model.launch_us); }},
      {{"unit_ns", "ns/unit", Format::decimal},
       [=](const Half& half) { return positive(1e3 * unit(half)); }},
      {{"", "cycles/unit", Format::decimal},
       [&](const Half& half) { return positive(unit(half) * account.card.clock_mhz); }},
      {{"gigabytes_per_second", "GB/s", Format::decimal},
       [=](const Half& half) { return positive(rate(half)); }},
      {{"", "of peak", Format::percent},
       [&](const Half& half) { return positive(rate(half) / account.card.bandwidth_peak); }},
      {{"own_error", "its own error", Format::percent},
       [](const Half& half) { return half.fit.training_mape; }}};
  report::Table table = report::table("constants", columns, halves);
  table.without_empty_columns = true;
  return table;
}

report::Table errors_table(const CardAccount& account) {
  const auto worst = [](const CrossFit& fit) { return fit.rows.at(fit.worst); };
  const std::vector<Column<CrossFit>> columns = {
      {{"law", "predicted by the other problem"}, &CrossFit::what},
      {{"mean_error", "mean error", Format::percent}, &CrossFit::mape},
      {{"worst_error", "worst", Format::signed_percent},
       [=](const CrossFit& fit) { return worst(fit).error; }},
      {{"worst_problem", "of", Format::right},
       [=](const CrossFit& fit) { return worst(fit).problem; }},
      {{"worst_n", "N", Format::integer}, [=](const CrossFit& fit) { return worst(fit).n; }}};
  return report::table("errors", columns, fits_of(account));
}

/// The rows of a fit, and those of another on the same times beside them.
struct RowPair {
  const AccountRow* row;
  const AccountRow* other;  ///< null: there is none
};

std::vector<RowPair> pairs_of(const CrossFit& fit, const CrossFit* other) {
  std::vector<RowPair> pairs;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    pairs.push_back({&fit.rows[i], other == nullptr ? nullptr : &other->rows.at(i)});
  }
  return pairs;
}

/// `charges`: whose launches, T and bytes are shown.
report::Table times_table(const char* key, const char* title, const std::vector<RowPair>& pairs,
                          const char* other_key, const char* other_title,
                          const AccountRow* RowPair::*charges) {
  const auto charge = [charges](const char* name, double Charges::*member) {
    return Column<RowPair>{{name, name, Format::integer}, [=](const RowPair& pair) {
                             const AccountRow* const row = pair.*charges;
                             return row == nullptr ? Value()
                                                   : Value(std::llround(row->charges.*member));
                           }};
  };
  const auto other = [](const RowPair& pair, double AccountRow::*member) {
    return pair.other == nullptr ? Value() : Value(pair.other->*member);
  };
  const std::string name = other_key;
  const std::vector<Column<RowPair>> columns = {
      {{"problem", title}, [](const RowPair& pair) { return pair.row->problem; }},
      {{"n", "N", Format::integer}, [](const RowPair& pair) { return pair.row->n; }},
      charge("launches", &Charges::launches),
      charge("T", &Charges::time),
      charge("bytes", &Charges::bytes),
      {{"measured_us", "measured us", Format::decimal},
       [](const RowPair& pair) { return pair.row->measured_us; }},
      {{"predicted_us", "predicted us", Format::decimal},
       [](const RowPair& pair) { return pair.row->predicted_us; }},
      {{"error", "error", Format::signed_percent},
       [](const RowPair& pair) { return pair.row->error; }},
      {{name + "_predicted_us", other_title, Format::decimal},
       [=](const RowPair& pair) { return other(pair, &AccountRow::predicted_us); }},
      {{name + "_error", "error", Format::signed_percent},
       [=](const RowPair& pair) { return other(pair, &AccountRow::error); }}};
  report::Table table = report::table(key, columns, pairs);
  table.without_empty_columns = true;
  return table;
}

/// How fast the counted bytes of the longest runs went by.
std::string stream_text(const Card& card, const CrossFit& fit) {
  std::int64_t largest = 0;
  for (const AccountRow& row : fit.rows) largest = std::max(largest, row.n);
  std::vector<std::string> parts;
  for (const AccountRow& row : fit.rows) {
    if (row.n != largest) continue;
    const double rate = 1e-3 * row.charges.bytes / row.measured_us;
    parts.push_back(fmt::format("{} {:.2f} GB/s ({:.0f} % of the peak)", row.problem, rate,
                                100 * rate / card.bandwidth_peak));
  }
  return fmt::format("bytes over measured time at N = {}: {}", integer_text(largest),
                     fmt::join(parts, ", "));
}

Section card_section(const CardAccount& account) {
  const Card& card = account.card;
  Section section;
  section.key = "cards";
  section.list = true;
  section.heading =
      fmt::format("{}: machine {} = {}, {:.0f} MHz, peak {} GB/s", card.name, card.machine,
                  card.spec.to_string(), card.clock_mhz, card.bandwidth_peak);
  section.facts = {{{"card", ""}, card.name},
                   {{"machine", ""}, card.machine},
                   {{"spec", ""}, agpusim::detail::encode(card.spec)},
                   {{"clock_mhz", ""}, card.clock_mhz},
                   {{"peak_gigabytes_per_second", ""}, card.bandwidth_peak}};
  const CrossFit* const single = account.single ? &*account.single : nullptr;
  section.tables = {constants_table(account), errors_table(account),
                    times_table("tournament", "Tm", pairs_of(account.lg, &account.ln), "ln",
                                "with ln", &RowPair::row),
                    times_table("single", "Ts", pairs_of(account.single_by_n, single), "by_T",
                                "by T us", &RowPair::other)};
  section.remarks = {stream_text(card, account.lg)};
  return section;
}

/// Mean errors of two hypotheses about the authors' program, card by card and over all rows.
std::string contest(const std::vector<CardAccount>& cards, CrossFit CardAccount::*first,
                    CrossFit CardAccount::*second) {
  double first_sum = 0;
  double second_sum = 0;
  double rows = 0;
  std::vector<std::string> parts;
  for (const CardAccount& account : cards) {
    const auto count = static_cast<double>((account.*first).rows.size());
    first_sum += (account.*first).mape * count;
    second_sum += (account.*second).mape * count;
    rows += count;
    parts.push_back(fmt::format("{}: {} against {}", account.card.name,
                                percent_text((account.*first).mape),
                                percent_text((account.*second).mape)));
  }
  return fmt::format("{}; all {:.0f} times: {} against {}", fmt::join(parts, "; "), rows,
                     percent_text(first_sum / rows), percent_text(second_sum / rows));
}

Section account_section(const Experiment& experiment) {
  const Account& account = experiment.account;
  Section section;
  section.key = "account";
  section.heading = "The paper's times, accounted for";
  section.sentences = {
      "t = a launch + b T + c bytes, a, b, c >= 0. Every row is predicted with constants that were "
      "fitted to the other problem of the same card; \"both\" is for the reader and predicts "
      "nothing."};
  if (!account.missing.empty()) {
    section.sentences.push_back(fmt::format("this build has no row {}: what needs it is left out",
                                            fmt::join(account.missing, ", ")));
  }
  section.facts = {{{"source", ""}, account.source},
                   {{"missing", ""}, account.missing},
                   {{"cards", ""}, Value::array()}};
  for (const CardAccount& card : account.cards) section.sections.push_back(card_section(card));
  if (account.cards.empty()) return section;
  Section& asked = section.sections.emplace_back();
  asked.heading = "What did the authors run? Mean errors of two hypotheses:";
  asked.sentences = {
      fmt::format("rounds: ceil(log2 N) against floor(ln N), C's log(N): {}. The two numbers of "
                  "rounds are nearly proportional (ln 2 = 0.69): the constants absorb most of the "
                  "difference.",
                  contest(account.cards, &CardAccount::lg, &CardAccount::ln)),
      fmt::format("sums: 32 bits, which overflow beyond N = 65,536, against 64 bits: {}.",
                  contest(account.cards, &CardAccount::lg, &CardAccount::wide))};
  return section;
}

std::vector<Column<Line>> panel_columns(const PanelBandwidth& bandwidth) {
  using Run = contest::PlannedRun;
  const auto of = [](auto get) {
    return [get](const Line& line) { return Value(get(*line.run)); };
  };
  const auto measured = [](auto get) {
    return [get](const Line& line) {
      return line.run->measured ? Value(get(line, *line.run->measured)) : Value();
    };
  };
  const auto measured_us = [=](double Measurement::*ms) {
    return measured([ms](const Line&, const Measurement& time) { return time.*ms * 1e3; });
  };
  const auto floor = [bandwidth](const Line& line) { return floor_us(*line.event, bandwidth); };
  return {{{"program", "program"}, of([](const Run& run) { return run.contestant.label; })},
          {{"algorithm", ""}, of([](const Run& run) { return run.contestant.algorithm; })},
          {{"variant", ""}, of([](const Run& run) { return run.contestant.variant; })},
          {{"machine", ""}, of([](const Run& run) { return run.contestant.machine; })},
          {{"n", "n", Format::size}, [](const Line& line) { return line.event->n; }},
          {{"measured_us", "median", Format::decimal}, measured_us(&Measurement::ms)},
          {{"measured_low_us", "5 %", Format::decimal}, measured_us(&Measurement::low_ms)},
          {{"measured_high_us", "95 %", Format::decimal}, measured_us(&Measurement::high_ms)},
          {{"samples", ""},
           measured([](const Line&, const Measurement& time) { return time.samples; })},
          {{"floor_us", "floor", Format::decimal}, floor},
          {{"floor_share", "of floor", Format::percent},
           measured([floor](const Line& line, const Measurement& time) {
             return floor(line) / (time.ms * 1e3);
           })},
          {{"over_library", "/ CUB", Format::two_digits},
           measured([](const Line& line, const Measurement& time) {
             const auto library = library_ms(*line.event);
             return library ? Value(time.ms / *library) : Value();
           })},
          {{"predicted_us", "predicted", Format::decimal}, of([](const Run& run) {
             return run.predicted_ms ? Value(*run.predicted_ms * 1e3) : Value();
           })},
          {{"error", "error", Format::signed_percent},
           measured([](const Line& line, const Measurement& time) {
             const auto& predicted = line.run->predicted_ms;
             return predicted ? Value(*predicted / time.ms - 1) : Value();
           })},
          {{"limit", "limit", Format::right}, of([](const Run& run) { return run.limit; })}};
}

Section panel_section(const contest::Panel& panel, const Experiment& experiment) {
  std::vector<Line> lines = contest::lines_of(experiment.panels.events);
  std::erase_if(lines, [&](const Line& line) { return line.event->panel.name != panel.name; });
  Section section;
  section.key = "panels";
  section.list = true;
  if (!lines.empty()) section.heading = panel.title + " (us)";
  section.facts = {{{"name", ""}, panel.name, "", "panel"},
                   {{"title", ""}, panel.title},
                   {{"type", ""}, panel.type, "", "type"},
                   {{"input", ""}, panel.input, "", "input"}};
  section.tables = {report::table("rows", panel_columns(experiment.bandwidth), lines)};
  section.tables.front().csv = true;
  return section;
}

Section comparison_section(const Experiment& experiment) {
  Section section;
  section.key = "comparison";
  const contest::Contest& comparison = experiment.panels;
  const Environment& environment = comparison.environment;
  const PanelBandwidth& bandwidth = experiment.bandwidth;
  section.heading =
      fmt::format("The programs on {} (driver {}, CUDA {}, CCCL {}); {} runs are not measured",
                  environment.device, environment.driver, environment.cuda, environment.cccl,
                  comparison.unmeasured);
  if (comparison.foreign > 0) {
    section.sentences.push_back(
        fmt::format("{} records belong to no run of this experiment", comparison.foreign));
  }
  section.sentences.push_back(fmt::format(
      "floor: the elements, read once at {:.0f} GB/s ({}) or copied at {:.0f} GB/s (the device "
      "file); of floor: its share of the median",
      bandwidth.read, bandwidth.reader, bandwidth.copy));
  section.facts = {{{"environment", ""}, agpusim::detail::encode(environment)},
                   {{"read_gigabytes_per_second", ""}, bandwidth.read},
                   {{"read_by", ""}, bandwidth.reader},
                   {{"copy_gigabytes_per_second", ""}, bandwidth.copy},
                   {{"unmeasured", ""}, comparison.unmeasured},
                   {{"foreign", ""}, comparison.foreign}};
  for (const contest::Panel& panel : comparison.panels) {
    section.sections.push_back(panel_section(panel, experiment));
  }
  return section;
}

Section findings_section(const Experiment& experiment) {
  const std::vector<Column<Finding>> columns = {
      {{"section", "section"}, &Finding::section},
      {{"statement", "finding"}, &Finding::statement},
      {{"device", "on"}, &Finding::device},
      {{"holds", ""}, &Finding::holds},
      {{"", "verdict"},
       [](const Finding& finding) { return Value(finding.holds ? "holds" : "does not hold"); }},
      {{"numbers", "measured"}, &Finding::numbers}};
  const std::vector<Finding> findings = findings_of(experiment.account, experiment.panels);
  Section section;
  if (!findings.empty()) section.heading = "Findings of the paper, judged by the measured times";
  section.tables = {report::table("findings", columns, findings)};
  return section;
}

Section accuracy_section(const Experiment& experiment) {
  using Row = statistics::VarianceError;
  const std::vector<Column<Row>> columns = {
      {{"type", "type"}, &Row::type},
      {{"variant", "variant"}, &Row::variant},
      {{"mean_over_sigma", "mean / sigma", Format::integer}, &Row::mean_over_sigma},
      {{"exact", ""}, &Row::exact},
      {{"", "exact", Format::right},
       [](const Row& row) { return fmt::format("{:.9g}", row.exact); }},
      {{"variance", ""}, &Row::variance},
      {{"", "computed", Format::right},
       [](const Row& row) { return fmt::format("{:.9g}", row.variance); }},
      {{"relative_error", ""}, relative_error},
      {{"", "relative error", Format::right}, [](const Row& row) {
         return fmt::format("{:.1e}{}", relative_error(row), row.variance < 0 ? ", negative" : "");
       }}};
  Section section;
  if (!experiment.accuracy.empty()) {
    section.heading = fmt::format("The variance of {} normal numbers as their mean grows",
                                  integer_text(experiment.accuracy_n));
  }
  section.facts = {{{"accuracy_n", ""}, experiment.accuracy_n}};
  section.tables = {report::table("accuracy", columns, experiment.accuracy)};
  return section;
}

}  // namespace

report::Report to_report(const Experiment& experiment) {
  report::Report report;
  report.title = "Nishimura and Toyonaga (seed 003)";
  report.json_plots = true;
  Section first;
  first.facts = {{{"experiment", ""}, "statistics"},
                 {{"generated", ""}, experiment.panels.generated}};
  first.sentences = {experiment.account.source};
  first.plots = plots(experiment);
  report.body.sections = {std::move(first), account_section(experiment),
                          findings_section(experiment), comparison_section(experiment),
                          accuracy_section(experiment)};
  return report;
}

}  // namespace agpusim::statistics_experiment
