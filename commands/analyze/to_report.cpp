#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/commands/analyze/check_counters.hpp"
#include "agpusim/commands/analyze/limiting.hpp"
#include "agpusim/commands/analyze/writers.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/fitted_constants.hpp"
#include "agpusim/validation/report/report_data.hpp"

namespace agpusim {
namespace {

using detail::counted;
using detail::integer_text;
using detail::percent_text;
using detail::size_text;
using report::Column;
using report::Fact;
using report::Format;
using report::Section;
using report::Table;
using report::Value;

template <class Row, class T>
Column<Row> column(const char* key, const char* title, T Row::*member, Format format = Format::text,
                   int rank = 0) {
  return {{.key = key, .title = title, .format = format, .rank = rank},
          [member](const Row& row) { return Value(row.*member); }};
}

template <class T>
Column<AnalysisRow> measured(const char* key, const char* title, T Measurement::*member,
                             Format format) {
  return {{key, title, format},
          [member](const AnalysisRow& row) { return Value(*row.measured.*member); }};
}

/// "bitonic_sort" or "transpose (naive)".
std::string form_text(const std::string& algorithm, const std::string& variant) {
  return variant.empty() ? algorithm : algorithm + " (" + variant + ")";
}

const std::vector<Column<AnalysisRow>>& row_columns() {
  using R = AnalysisRow;
  static const std::vector<Column<R>> columns = {
      {{"n", "n", Format::size}, [](const R& row) { return Value(row.n()); }},
      {{"input", "input"}, [](const R& row) { return Value(row.run.config.input); }},
      {{"phases", "", Format::integer}, [](const R& row) { return Value(row.phases); }},
      {{"T", "T", Format::integer}, [](const R& row) { return Value(row.count("T")); }},
      {{"T_lower", "", Format::integer}, [](const R& row) { return Value(row.lower.time); }},
      {{"Q", "Q", Format::integer}, [](const R& row) { return Value(row.count("Q")); }},
      {{"Q_lower", "", Format::integer}, [](const R& row) { return Value(row.lower.io); }},
      {{"Q_formula", "", Format::integer},
       [](const R& row) { return report::value_or_null(row.find("Q")->formula); }},
      {{"", "counts", Format::text},
       [](const R& row) { return Value(row.differences.empty() ? row.source : "DIFFERENT"); }},
      {{"counts", ""}, [](const R& row) { return Value(row.source); }},
      column("differences", "", &R::differences),
      {{"optimality_ratio", "Q/bound", Format::two_digits},
       [](const R& row) { return report::ratio(row.count("Q"), row.lower.io); }},
      {{"predicted_ms", "predicted ms", Format::decimal},
       [](const R& row) { return Value(row.predicted->milliseconds); }},
      {{.key = "predicted_from", .title = "predicted from", .rank = 1},
       [](const R& row) { return Value(row.from_kernels ? "compiled kernels" : "counts"); }},
      {{"parts_ms", ""}, [](const R& row) { return Value(row.predicted->parts); }},
      measured("measured_ms", "measured ms", &Measurement::ms, Format::decimal),
      measured("measured_low_ms", "5 %", &Measurement::low_ms, Format::decimal),
      measured("measured_high_ms", "95 %", &Measurement::high_ms, Format::decimal),
      measured("samples", "", &Measurement::samples, Format::integer),
      column("error", "error", &R::error, Format::signed_percent),
      {{"limit", "limit"}, [](const R& row) { return Value(row.predicted->limit); }}};
  return columns;
}

Section group_section(const AnalysisGroup& group, bool for_reader) {
  Section section;
  section.key = "algorithms";
  section.list = true;
  section.facts = {{{"name", ""}, group.algorithm, "", "algorithm"},
                   {{"variant", ""}, group.variant, "", "variant"},
                   {{"type", ""}, group.type, "", "type"},
                   {{"machine", ""}, group.machine, "", "machine"},
                   {{"family", ""}, group.family},
                   {{"summary", ""}, group.summary},
                   {{"limiting", ""}, group.limiting},
                   {{"bound_time", ""}, group.bound_time},
                   {{"bound_io", ""}, group.bound_io},
                   {{"formula", ""}, group.formula}};
  Table rows = report::table("rows", row_columns(), group.rows);
  rows.csv = true;
  rows.for_reader = for_reader;
  section.tables.push_back(std::move(rows));
  if (!for_reader) return section;
  section.heading = fmt::format("{}, {}, on {}", form_text(group.algorithm, group.variant),
                                group.type, group.machine);
  section.sentences = {group.summary,
                       fmt::format("T = {}, Q = {}", group.bound_time, group.bound_io)};
  section.remarks.push_back(fmt::format("{} Mean error {}, median {}.", group.limiting,
                                        percent_text(group.mape), percent_text(group.median)));
  return section;
}

/// Number of rows for which `is` holds.
template <class F>
std::int64_t count_rows(const Analysis& analysis, F is) {
  std::int64_t count = 0;
  for (const AnalysisGroup& group : analysis.groups) {
    count += std::count_if(group.rows.begin(), group.rows.end(), is);
  }
  return count;
}

std::string origin_text(CountSource source) {
  switch (source) {
    case CountSource::derived:
      return "runs derived from one task of each class";
    case CountSource::stored:
      return "from stored simulations";
    case CountSource::simulated:
      return "simulated now";
    case CountSource::extrapolated:
      return "extrapolated from a smaller n (exact ones: `agpusim count`, then --counts)";
  }
  return to_string(source);
}

/// Where the counts come from, and whether they were simulated again.
std::vector<std::string> sources_text(const Analysis& analysis) {
  std::vector<std::string> parts;
  for (const CountSource source : {CountSource::derived, CountSource::stored,
                                   CountSource::simulated, CountSource::extrapolated}) {
    const std::int64_t rows =
        count_rows(analysis, [&](const AnalysisRow& row) { return row.counted->source == source; });
    if (rows == 0) continue;
    parts.push_back(fmt::format("{} {}", integer_text(rows), origin_text(source)));
  }
  std::string again = "Known counts were not simulated again (--verify does what is affordable).";
  if (analysis.verified) {
    const std::int64_t different =
        count_rows(analysis, [](const AnalysisRow& row) { return !row.differences.empty(); });
    again = different == 0
                ? "What was simulated again equals what was derived or stored."
                : fmt::format("Of {} what was counted is DIFFERENT (--rows).", different);
  }
  return {fmt::format("Counted: {}.", fmt::join(parts, ", ")), again};
}

std::vector<std::string> differences_text(const Analysis& analysis) {
  constexpr std::size_t most = 5;
  std::vector<std::string> lines;
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) {
      if (row.differences.empty() || lines.size() == most) continue;
      lines.push_back(fmt::format("  {}, n = {}: {}", form_text(group.algorithm, group.variant),
                                  size_text(row.n()), row.differences.front()));
    }
  }
  return lines;
}

/// How many of the rows had their result compared, and with what.
std::string checksum_text(const Analysis& analysis) {
  const auto of = [&](ChecksumSource source) {
    return count_rows(analysis, [&](const AnalysisRow& row) { return row.checksum == source; });
  };
  std::string text = fmt::format("Result checksums equal the simulation's in {} runs",
                                 integer_text(of(ChecksumSource::simulation)));
  if (const std::int64_t rows = of(ChecksumSource::reference); rows > 0)
    text += fmt::format(", the reference's in {}", integer_text(rows));
  if (const std::int64_t rows = of(ChecksumSource::none); rows > 0)
    text += fmt::format("; not compared in {}, which were never simulated (--verify-all does)",
                        integer_text(rows));
  return text + ".";
}

Section compared_section(const Analysis& analysis) {
  std::set<std::string> timed;
  for (const Score& score : analysis.scores) timed.insert(score.algorithm);
  std::set<std::string> profiled;
  for (const CounterGroup& group : analysis.counter_groups) profiled.insert(group.algorithm);
  Section section;
  section.sentences.push_back(
      fmt::format("Measured: the times of {} of {}, the hardware counters of {} of {}.",
                  counted(analysis.summary.rows, "run"), counted(std::ssize(timed), "algorithm"),
                  counted(analysis.counters.launches, "kernel launch", "es"),
                  counted(std::ssize(profiled), "algorithm")));
  if (analysis.summary.rows == 0) return section;
  const std::int64_t from_kernels =
      count_rows(analysis, [](const AnalysisRow& row) { return row.from_kernels; });
  section.sentences.push_back(fmt::format(
      "Predicted: {} from counts, {} from their kernels as nvcc has compiled them.",
      counted(analysis.summary.rows - from_kernels, "run"), integer_text(from_kernels)));
  for (std::string& line : sources_text(analysis)) section.sentences.push_back(std::move(line));
  for (std::string& line : differences_text(analysis)) section.sentences.push_back(std::move(line));
  section.sentences.push_back(checksum_text(analysis));
  return section;
}

/// What the resources are that limit the rows; those that do not occur are left out.
std::vector<std::string> limits_legend(const std::vector<Score>& scores) {
  std::vector<std::string> parts;
  for (const auto& [name, meaning] : limit_texts()) {
    const bool occurs =
        std::any_of(scores.begin(), scores.end(), [&name = name](const Score& score) {
          return std::find(score.limits.begin(), score.limits.end(), name) != score.limits.end();
        });
    if (!occurs) continue;
    parts.push_back(fmt::format("{}: {}", name, meaning));
  }
  if (parts.empty()) return {};
  return {"limited by: the part that takes most of the predicted time.",
          fmt::format("  {}.", fmt::join(parts, "; "))};
}

/// What a score is of, and how good it is.
std::vector<Column<Score>> score_columns(std::vector<Column<Score>> columns) {
  using S = Score;
  const std::vector<Column<S>> of_all = {
      column("rows", "runs", &S::rows, Format::integer, 1),
      column("n_min", "n from", &S::n_min, Format::size, 3),
      column("n_max", "to", &S::n_max, Format::size, 2),
      column("ratio", "predicted/measured", &S::ratio, Format::two_digits),
      column("error_median", "median error", &S::error_median, Format::percent),
      column("error_mean", "mean", &S::error_mean, Format::percent, 5),
      column("error_p90", "90 %", &S::error_p90, Format::percent),
      column("within_10_percent", "within 10 %", &S::within, Format::percent, 4),
      column("limits", "", &S::limits),
      {{"limited_by", "limited by, small n to large"},
       [](const S& s) { return Value(limits_text(s.limits)); }}};
  columns.insert(columns.end(), of_all.begin(), of_all.end());
  return columns;
}

/// A line for each family; one for each algorithm and variant where they are few or asked for.
Section scores_section(const Analysis& analysis, bool algorithms) {
  using S = Score;
  constexpr std::size_t few = 25;
  static const std::vector<Column<S>> of_families =
      score_columns({column("family", "family", &S::family),
                     column("algorithms", "algorithms", &S::algorithms, Format::integer, 2)});
  static const std::vector<Column<S>> of_forms = score_columns(
      {{{"", "algorithm"}, [](const S& s) { return Value(form_text(s.algorithm, s.variant)); }},
       column("family", "", &S::family),
       column("algorithm", "", &S::algorithm),
       column("variant", "", &S::variant)});
  Section families;
  families.tables = {report::table("families", of_families, analysis.families)};
  families.tables[0].for_reader = analysis.families.size() > 1;
  Section forms;
  forms.tables = {report::table("scores", of_forms, analysis.scores)};
  forms.tables[0].for_reader =
      algorithms || analysis.families.size() == 1 || analysis.scores.size() < few;
  forms.remarks = limits_legend(analysis.scores);
  if (!forms.tables[0].for_reader) forms.remarks.push_back("Every algorithm: --algorithms.");
  Section section;
  section.sections = {std::move(families), std::move(forms)};
  return section;
}

Section worst_section(const Analysis& analysis) {
  using F = WorstMachine;
  static const std::vector<Column<F>> columns = {
      {{"", "worst, by machine"},
       [](const F& f) { return Value(form_text(f.algorithm, f.variant)); }},
      column("algorithm", "", &F::algorithm),
      column("variant", "", &F::variant),
      column("machine", "machine", &F::machine),
      column("rows", "runs", &F::rows, Format::integer),
      column("ratio", "predicted/measured", &F::ratio, Format::two_digits),
      column("error_median", "", &F::error_median, Format::percent),
      column("limit", "", &F::limit),
      column("reason", "because", &F::reason)};
  Section section;
  section.tables.push_back(report::table("worst", columns, analysis.worst));
  return section;
}

/// One line per reason: how often, in which metrics.
std::vector<std::string> counter_lines(const CounterSummary& counters) {
  struct Tally {
    std::map<std::string, std::int64_t> metrics;
    std::set<std::string> algorithms;
  };
  std::map<std::string, Tally> tallies;
  for (const CounterDifference& difference : counters.differences) {
    Tally& tally = tallies[difference.reason];
    ++tally.metrics[difference.metric];
    tally.algorithms.insert(difference.algorithm);
  }
  std::vector<std::string> lines;
  for (const auto& [reason, tally] : tallies) {
    std::vector<std::string> metrics;
    for (const CounterMetric& metric : counter_metrics()) {
      const auto count = tally.metrics.find(std::string(metric.name));
      if (count == tally.metrics.end()) continue;
      metrics.push_back(fmt::format("{} in {}", metric.what, integer_text(count->second)));
    }
    lines.push_back(fmt::format("  {} ({}): {}.", fmt::join(metrics, ", "),
                                counted(std::ssize(tally.algorithms), "algorithm"), reason));
  }
  return lines;
}

const std::vector<Column<MetricAgreement>>& metric_columns() {
  using M = MetricAgreement;
  static const std::vector<Column<M>> columns = {
      column("metric", "metric", &M::metric),
      {{"exact", ""}, [](const M& m) { return Value(m.exact); }},
      {{"", "comparison"},
       [](const M& m) { return Value(m.exact ? "must be equal" : "for information"); }},
      column("equal", "equal", &M::equal, Format::integer),
      column("launches", "launches", &M::launches, Format::integer)};
  return columns;
}

Section counters_section(const Analysis& analysis, bool rows) {
  using G = CounterGroup;
  using D = CounterDifference;
  static const std::vector<Column<G>> algorithms = {
      column("algorithm", "", &G::algorithm),
      column("variant", "", &G::variant),
      {{"launches", ""}, [](const G& group) { return Value(group.summary.launches); }},
      {{"equal", ""}, [](const G& group) { return Value(group.summary.equal); }},
      {{"metrics", ""}, [](const G& group) {
         return report::rows_json(report::table("", metric_columns(), group.summary.metrics));
       }}};
  static const std::vector<Column<D>> differences = {
      column("algorithm", "algorithm", &D::algorithm),
      column("variant", "", &D::variant),
      column("n", "n", &D::n, Format::size),
      column("launch", "launch", &D::launch, Format::integer),
      column("kernel", "kernel", &D::kernel),
      column("metric", "metric", &D::metric),
      column("simulated", "simulated", &D::simulated, Format::integer),
      column("measured", "measured", &D::measured, Format::integer),
      column("reason", "", &D::reason)};
  const CounterSummary& counters = analysis.counters;
  Section section;
  section.key = "counters";
  section.facts = {{{"launches", ""}, counters.launches}, {{"equal", ""}, counters.equal}};
  if (counters.launches == 0) {
    section.sentences.push_back("Hardware counters: none recorded.");
  } else {
    section.sentences.push_back(
        fmt::format("Hardware counters equal in {} of {} launches{}", integer_text(counters.equal),
                    integer_text(counters.launches),
                    counters.differences.empty() ? "." : "; what differs, and why:"));
    for (std::string& line : counter_lines(counters)) section.sentences.push_back(std::move(line));
  }
  section.tables = {report::table("metrics", metric_columns(), counters.metrics),
                    report::table("algorithms", algorithms, analysis.counter_groups),
                    report::table("differences", differences, counters.differences)};
  section.tables[0].for_reader = rows;
  section.tables[1].for_reader = false;
  section.tables[2].for_reader = rows;
  return section;
}

Section unusable_section(const std::vector<Unusable>& unusable) {
  using U = Unusable;
  static const std::vector<Column<U>> columns = {
      column("reason", "cannot be used", &U::reason),
      column("records", "records", &U::records, Format::integer),
      column("first", "first", &U::first)};
  Section section;
  section.tables.push_back(report::table("unusable", columns, unusable));
  return section;
}

/// To what the constants were fitted, and the error of what was left out.
std::string fit_text(const Analysis& analysis) {
  const DeviceFile& device = analysis.device;
  const std::string from = fitted_to(device);
  if (from.empty()) return {};
  if (from != device.name) {
    return fmt::format("{} is no H200: the constants that no probe measures are those of an {}.",
                       device.name, from);
  }
  std::string text =
      fmt::format("{} constants were fitted to {}", fitted_constants.size(),
                  analysis.bundled ? "these rows of the table"
                                   : "the table that agpusim carries of this device");
  if (device.has("left_out_mean") && device.has("left_out_median")) {
    text += fmt::format(
        "; with each algorithm left out of the fit the errors are {} (mean), {} "
        "(median)",
        percent_text(device.value("left_out_mean")), percent_text(device.value("left_out_median")));
  }
  return text + ".";
}

Section fit_section(const Analysis& analysis) {
  const DeviceFile& device = analysis.device;
  const auto error = [&](const char* name) {
    return device.has(name) ? Value(device.value(name)) : Value();
  };
  const std::string from = fitted_to(device);
  Section section;
  section.key = "fit";
  section.facts = {{{"fitted_to", ""}, from.empty() ? Value() : Value(from)},
                   {{"left_out_mean", ""}, error("left_out_mean")},
                   {{"left_out_median", ""}, error("left_out_median")},
                   {{"sentence", ""}, fit_text(analysis)}};
  return section;
}

Section summary_section(const Analysis& analysis) {
  const AnalysisSummary& summary = analysis.summary;
  Value worst = nullptr;
  if (summary.worst) {
    worst = {{"algorithm", summary.worst->algorithm},
             {"n", summary.worst->n},
             {"error", summary.worst->error}};
  }
  Section section;
  section.key = "summary";
  section.facts = {{{"rows", ""}, summary.rows},
                   {{"pearson", ""}, report::value_or_null(summary.pearson)},
                   {{"spearman", ""}, report::value_or_null(summary.spearman)},
                   {{"mape", ""}, report::value_or_null(summary.mape)},
                   {{"median", ""}, report::value_or_null(summary.median)},
                   {{"error_p90", ""}, report::value_or_null(summary.p90)},
                   {{"within_10_percent", ""}, report::value_or_null(summary.within)},
                   {{"worst", ""}, worst}};
  if (summary.rows == 0) {
    section.sentences.push_back("Times: none recorded.");
    return section;
  }
  std::int64_t algorithms = 0;
  for (const Score& family : analysis.families) algorithms += family.algorithms;
  section.sentences = {
      fmt::format("{} of {}: predicted times are off by {} in the mean, {} in the median;",
                  counted(summary.rows, "run"), counted(algorithms, "algorithm"),
                  percent_text(*summary.mape), percent_text(*summary.median)),
      fmt::format("90 % of the runs are within {}, {} of them within 10 %, worst {} ({}, n = {});",
                  percent_text(*summary.p90), percent_text(*summary.within),
                  detail::signed_percent_text(summary.worst->error), summary.worst->algorithm,
                  size_text(summary.worst->n)),
      fmt::format("correlation of predicted and measured times {} (Pearson), {} (Spearman).",
                  report::to_text(report::value_or_null(summary.pearson), Format::four_digits),
                  report::to_text(report::value_or_null(summary.spearman), Format::four_digits))};
  if (std::string fit = fit_text(analysis); !fit.empty()) {
    const bool other = fitted_to(analysis.device) != analysis.device.name;
    section.sentences.insert(other ? section.sentences.begin() : section.sentences.end(),
                             std::move(fit));
  }
  return section;
}

}  // namespace

report::Report to_report(const Analysis& analysis, const Shown& shown) {
  using C = Constant;
  static const std::vector<Column<C>> constants = {
      column("name", "", &C::name), column("value", "", &C::value), column("unit", "", &C::unit),
      column("source", "", &C::source), column("date", "", &C::date)};
  report::Report report;
  report.title = fmt::format("Predicted and measured on {}", analysis.device.name);
  Section& body = report.body;
  body.facts = {
      {{"generated", ""}, analysis.generated},
      {{"device", ""},
       {{"name", analysis.device.name}, {"file", analysis.device.path.filename().string()}}},
      {{"algorithms", ""}, Value::array()}};
  body.tables.push_back(report::table("constants", constants, analysis.device.constants));
  body.tables.back().for_reader = false;
  body.sections = {summary_section(analysis), fit_section(analysis),
                   scores_section(analysis, shown.algorithms)};
  for (const AnalysisGroup& group : analysis.groups)
    body.sections.push_back(group_section(group, shown.rows));
  body.sections.push_back(compared_section(analysis));
  body.sections.push_back(worst_section(analysis));
  body.sections.push_back(counters_section(analysis, shown.rows));
  body.sections.push_back(unusable_section(analysis.unusable));
  return report;
}

}  // namespace agpusim
