#include "agpusim/validation/report/run_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/interval.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/pram_json.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using report::Column;
using report::Fact;
using report::Format;
using report::ratio;
using report::Section;
using report::Value;

/// More phases than this are summed by kernel.
constexpr std::size_t max_phase_lines = 20;

/// More differences than this are only counted.
constexpr std::size_t max_differences = 10;

Section heading(const Algorithm& algorithm, const RunConfig& config) {
  Section section;
  section.facts = {{{"config", ""}, detail::encode(config)}};
  section.sentences = {config.spec.to_string(), algorithm.summary};
  return section;
}

Section costs(const RunReport& report) {
  const Counts total = report.total();
  Section section;
  section.facts = cost_cards(report);
  const auto add = [&](const char* key, const char* title, std::int64_t value, const char* meaning,
                       Format format = Format::integer) {
    section.facts.push_back({{key, title, format}, value, meaning});
  };
  add("T", "T", report.time(), "time units, slowest multiprocessor of each phase, summed");
  add("T_tot", "T_tot", report.time_total_max, "time units of the busiest multiprocessor");
  add("Q", "Q", total.io(), "global blocks of b words moved");
  add("Q_max", "Q_max", report.io_max(), "of them by one multiprocessor, per phase, summed");
  add("phases", "Φ", static_cast<std::int64_t>(report.phases.size()), "phases (launches)");
  add("instructions", "instructions", total.instructions(), "issued by groups of b lanes");
  add("global_requests", "global requests", total.requests(), "of groups of b lanes");
  add("read_rounds", "read rounds", total.rounds,
      "waits of tasks for global reads; latency, not in T");
  add("global_sectors", "global sectors", total.sectors(), "of 32 bytes");
  add("shared_wavefronts", "shared wavefronts", total.wavefronts(), "time units of shared memory");
  add("shared_conflicts", "shared conflicts", total.conflicts(), "of them due to bank conflicts");
  // Extensions are printed where they count.
  const std::int64_t atomics = total.global_atomic.requests + total.shared_atomic.requests;
  const auto extension = [&](const char* title) { return atomics > 0 ? title : ""; };
  add("atomic_requests", extension("atomic requests"), atomics, "extension X1, not part of AGPU");
  add("serialised", extension("serialised"), total.serialised,
      "time units lost to atomics on one word (X1)");
  add("contention", extension("contention"), report.contention(),
      "most atomics on one word in a phase (X1)");
  section.facts.push_back({{"active_lane_share", "active lanes", Format::percent},
                           ratio(total.active_lanes, total.lane_slots),
                           "of the lanes of all instructions; the rest is divergence"});
  add("global_bits", "global memory", report.global_bits(), "at most at once", Format::bits);
  add("shared_bits", "shared memory", report.shared_bits(), "of one multiprocessor at most",
      Format::bits);
  const bool copied = report.host_words_in + report.host_words_out > 0;
  add("host_words_in", copied ? "host words" : "", report.host_words_in,
      "copied to the device; free on AGPU");
  add("host_words_out", copied ? " " : "", report.host_words_out, "copied back; free on AGPU");
  section.facts.push_back({{"counts", ""}, detail::encode(total)});
  return section;
}

/// How the derived counts compare with the simulation.
void add_derivation(Section& section, const std::optional<CountDifferences>& derived) {
  if (!derived) {
    section.facts.push_back({{"derived", ""}, nullptr});
    section.facts.push_back(
        {{"", "derived"}, "no: a kernel is not `oblivious`, its cost may depend on the data"});
    return;
  }
  const std::vector<std::string>& wrong = derived->wrong;
  section.facts.push_back(
      {{"derived", ""},
       {{"equal", wrong.empty()}, {"differences", wrong}, {"near", derived->near}}});
  section.facts.push_back(
      {{"", "derived"}, wrong.empty() ? "equal in every count of every phase" : "DIFFERENT"});
  for (std::size_t i = 0; i < std::min(wrong.size(), max_differences); ++i) {
    section.facts.push_back({{"", " "}, wrong[i]});
  }
  if (wrong.size() > max_differences) {
    section.facts.push_back(
        {{"", " "}, fmt::format("and {} more", wrong.size() - max_differences)});
  }
  const std::string remark = derived->remark();
  section.facts.push_back({{"", remark.empty() ? "" : " "}, remark});
}

void add_bounds(Section& section, const Algorithm& algorithm, const RunConfig& config,
                const RunReport& report, const LowerBound& bound) {
  const std::string time = time_bound(algorithm, config).text;
  const std::string io = io_bound(algorithm, config).text;
  const std::int64_t q = report.total().io();
  const Value time_ratio = ratio(report.time(), bound.time);
  const Value io_ratio = ratio(q, bound.io);
  section.facts.insert(
      section.facts.end(),
      {{{"bound", ""}, {{"T", time}, {"Q", io}}},
       {{"", "bound"}, "T = " + time},
       {{"", " "}, fmt::format("Q = {} [{}]", io, algorithm.source)},
       {{"lower_bound", ""}, {{"T", bound.time}, {"Q", bound.io}, {"source", bound.source}}},
       {{"optimality_ratio", ""}, {{"T", time_ratio}, {"Q", io_ratio}}}});
  if (bound.time == 0 && bound.io == 0) {
    section.facts.push_back({{"", "lower bound"}, bound.source});
    return;
  }
  section.facts.push_back({{"", "lower bound"},
                           fmt::format("T >= {}, Q >= {} [{}]", integer_text(bound.time),
                                       integer_text(bound.io), bound.source)});
  for (const auto& [name, stated, paid] :
       {std::tuple("T", bound.time, report.time()), {"Q", bound.io, q}}) {
    if (paid >= stated) continue;
    section.facts.push_back(
        {{"", " "}, fmt::format("{} is BROKEN: the run pays {}", name, integer_text(paid))});
  }
  section.facts.push_back({{"", "optimality"},
                           fmt::format("T / bound = {}, Q / bound = {}",
                                       report::to_text(time_ratio, Format::three_digits),
                                       report::to_text(io_ratio, Format::three_digits))});
}

/// Bars of what each multiprocessor has, for the numbers that say it.
detail::Plot plot_of_parts(const std::vector<NamedValue>& numbers) {
  detail::Plot plot{"parts", "What each multiprocessor has", 2, {}};
  for (const NamedValue& number : numbers) {
    if (number.each.empty() || number.each.size() > detail::most_bars) continue;
    plot.panels.push_back(
        detail::bars<std::int64_t>(number.name.c_str(), "multiprocessor", "keys", 0, number.each,
                                   {{"keys", [](const std::int64_t& keys) { return keys; }}}));
  }
  return plot;
}

Section comparison(const Algorithm& algorithm, const RunConfig& config, const RunResult& result,
                   const std::optional<CountDifferences>& derived, const LowerBound& bound) {
  Section section;
  const std::string checksum = detail::to_hex(result.checksum);
  std::vector<NamedValue> numbers = result.values;
  if (algorithm.account) {
    std::ranges::move(algorithm.account(config, result.report), std::back_inserter(numbers));
  }
  Value values = Value::object();
  for (const NamedValue& number : numbers) values[number.name] = number.value;
  section.facts = {{{"checksum", ""}, checksum},
                   {{"correct", ""}, result.checked ? Value(result.correct) : Value()},
                   {{"wrong", ""}, detail::encode(result.differences)},
                   {{"values", ""}, values},
                   {{"", "result"},
                    fmt::format("{}, checksum {}",
                                !result.checked  ? "not checked: the row has no reference"
                                : result.correct ? "equals the reference"
                                                 : "DIFFERS from the reference",
                                checksum)}};
  if (result.differences.count > 0) {
    section.facts.push_back({{"", " "}, result.differences.text()});
  }
  for (const NamedValue& number : numbers) {
    section.facts.push_back({{"", " "}, number.name + " " + number.value});
  }
  detail::Plot loads = plot_of_parts(numbers);
  if (!loads.panels.empty()) section.plots = {std::move(loads)};
  add_derivation(section, derived);
  Value formulas = Value::array();
  for (const Formula& formula : algorithm.formulas) {
    const auto value = formula.value(config);
    if (!value) continue;
    const std::int64_t count = formula.count(result.report);
    formulas.push_back({{"formula", formula.text}, {"value", *value}, {"count", count}});
    section.facts.push_back(
        {{"", "formula"},
         fmt::format(
             "{} = {}: {}", formula.text, integer_text(*value),
             *value == count ? "equal" : "DIFFERENT, the run pays " + integer_text(count))});
  }
  section.facts.push_back({{"formulas", ""}, formulas});
  add_bounds(section, algorithm, config, result.report, bound);
  return section;
}

/// One line of the table of phases: a phase, or all phases of a kernel.
struct PhaseLine {
  std::string label;
  std::int64_t phases = 0;
  PhaseReport sum;
};

std::vector<PhaseLine> phase_lines(const RunReport& report) {
  const bool by_kernel = report.phases.size() > max_phase_lines;
  std::vector<PhaseLine> lines;
  for (std::size_t i = 0; i < report.phases.size(); ++i) {
    const PhaseReport& phase = report.phases[i];
    auto it = lines.end();
    if (by_kernel) {
      it = std::find_if(lines.begin(), lines.end(),
                        [&](const PhaseLine& line) { return line.sum.kernel == phase.kernel; });
    }
    if (it == lines.end()) {
      lines.push_back({std::to_string(i), 1, phase});
      continue;
    }
    ++it->phases;
    it->sum.tasks += phase.tasks;
    it->sum.time += phase.time;
    it->sum.counts += phase.counts;
  }
  if (by_kernel) {
    for (PhaseLine& line : lines) line.label = fmt::format("{} phases", line.phases);
  }
  return lines;
}

/// Bars of the phases, or where they are too many for a page, of the kernels' sums.
detail::Plot phases_plot(const RunReport& report, const std::vector<PhaseLine>& lines) {
  const bool all = report.phases.size() <= detail::most_bars;
  std::vector<PhaseReport> shown = report.phases;
  if (!all) {
    shown.clear();
    for (const PhaseLine& line : lines) shown.push_back(line.sum);
  }
  const char* const x = all ? "phase" : "kernel, in the order of the table";
  detail::PlotPanel time{"T, the slowest multiprocessor", x, "time units", {}, false, true};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    auto it = std::find_if(time.series.begin(), time.series.end(),
                           [&](const auto& series) { return series.label == shown[i].kernel; });
    if (it == time.series.end()) {
      it = time.series.insert(it, {shown[i].kernel, static_cast<int>(time.series.size())});
    }
    it->points.push_back({static_cast<double>(i), static_cast<double>(shown[i].time)});
  }
  using P = PhaseReport;
  return {
      "phases",
      "Phases",
      2,
      {time, detail::bars<P>(
                 "What all tasks' time units are", x, "time units", 0, std::span<const P>(shown),
                 {{"computation", [](const P& p) { return p.counts.alu + p.counts.idle; }},
                  {"global blocks", [](const P& p) { return p.counts.io(); }},
                  {"shared wavefronts", [](const P& p) { return p.counts.wavefronts(); }},
                  {"atomics", [](const P& p) { return p.counts.serialised; }}})}};
}

Section phases(const RunReport& report) {
  using P = PhaseReport;
  using L = PhaseLine;
  const auto count = [](const char* title, std::int64_t (Counts::*get)() const) {
    return Column<L>{{"", title, Format::integer},
                     [get](const L& line) { return Value((line.sum.counts.*get)()); }};
  };
  const std::vector<Column<L>> shown = {
      {{"", "phase"}, [](const L& line) { return Value(line.label); }},
      {{"", "kernel"}, [](const L& line) { return Value(line.sum.kernel); }},
      {{"", "tasks", Format::integer}, [](const L& line) { return Value(line.sum.tasks); }},
      {{"", "T", Format::integer, true}, [](const L& line) { return Value(line.sum.time); }},
      count("Q", &Counts::io),
      count("instructions", &Counts::instructions),
      count("sectors", &Counts::sectors),
      count("wavefronts", &Counts::wavefronts),
      count("conflicts", &Counts::conflicts)};
  std::vector<Column<P>> all = {
      {{"kernel", ""}, [](const P& phase) { return Value(phase.kernel); }},
      {{"tasks", ""}, [](const P& phase) { return Value(phase.tasks); }},
      {{"T", ""}, [](const P& phase) { return Value(phase.time); }},
      {{"max_task_time", ""}, [](const P& phase) { return Value(phase.max_task_time); }},
      {{"Q", ""}, [](const P& phase) { return Value(phase.counts.io()); }},
      {{"Q_max", ""}, [](const P& phase) { return Value(phase.io_max); }},
      {{"contention", ""}, [](const P& phase) { return Value(phase.contention); }},
      {{"shared_words", ""}, [](const P& phase) { return Value(phase.shared_words); }},
      {{"counts", ""}, [](const P& phase) { return detail::encode(phase.counts); }}};
  const auto add = [&](const char* name, auto member) {
    const auto knows = [member](const P& phase) { return phase.*member != 0; };
    if (std::none_of(report.phases.begin(), report.phases.end(), knows)) return;
    all.push_back({{name, ""}, [member](const P& phase) { return Value(phase.*member); }});
  };
  add("width", &P::width);
  add("registers", &P::registers);
  add("instructions", &P::instructions);
  Section section;
  const std::vector<PhaseLine> lines = phase_lines(report);
  if (report.phases.size() > 1) section.plots = {phases_plot(report, lines)};
  section.tables = {report::table("", shown, lines),
                    report::table("phase_reports", all, report.phases)};
  section.tables[1].for_reader = false;
  section.tables[1].csv = true;
  return section;
}

/// What the source lines of the kernels are charged.
Section lines(const RunReport& report, const std::vector<std::string>& folders) {
  using L = LineCost;
  const Counts total = report.total();
  const auto count = [](const char* key, const char* title, std::int64_t (Counts::*get)() const,
                        int rank = 0) {
    return Column<L>{{.key = key, .title = title, .format = Format::integer, .rank = rank},
                     [get](const L& line) { return Value((line.counts.*get)()); }};
  };
  SourceText sources(folders);
  const std::vector<Column<L>> columns = {
      {{.key = "kernel", .title = "kernel", .rank = 6},
       [](const L& line) { return Value(line.kernel); }},
      {{"", "line"}, [](const L& line) { return Value(place_text(line.file, line.line)); }},
      {{"file", ""}, [](const L& line) { return Value(line.file); }},
      {{"line", ""}, [](const L& line) { return Value(line.line); }},
      count("time", "time units", &Counts::time),
      {{"", "of T", Format::percent, true},
       [&](const L& line) { return ratio(line.counts.time(), total.time()); }},
      count("", "instructions", &Counts::instructions, 4),
      count("Q", "Q", &Counts::io, 1),
      count("", "sectors", &Counts::sectors, 2),
      count("", "wavefronts", &Counts::wavefronts, 3),
      count("", "conflicts", &Counts::conflicts),
      {{"", "lanes", Format::percent},
       [](const L& line) { return ratio(line.counts.active_lanes, line.counts.lane_slots); }},
      {{.key = "", .title = "rounds", .format = Format::integer, .rank = 5},
       [](const L& line) { return Value(line.counts.rounds); }},
      {{"text", "text", Format::code},
       [&](const L& line) { return Value(sources.line(line.file, line.line)); }},
      {{"counts", ""}, [](const L& line) { return detail::encode(line.counts); }}};
  Section section;
  section.heading =
      fmt::format("By source line: {} time units of all tasks, active lanes, rounds of reads\n",
                  integer_text(total.time()));
  section.tables = {report::table("lines", columns, report.lines)};
  section.tables[0].what = "lines";
  return section;
}

}  // namespace

std::vector<Section> cost_sections(const RunReport& report,
                                   const std::vector<std::string>& folders) {
  std::vector<Section> sections = {costs(report), phases(report)};
  if (!report.lines.empty()) sections.push_back(lines(report, folders));
  return sections;
}

std::vector<Fact> cost_cards(const RunReport& report) {
  const Counts total = report.total();
  const Value lanes = ratio(total.active_lanes, total.lane_slots);
  return {{{"", "", Format::integer},
           report.time(),
           "",
           "",
           "T, time units",
           "of the slowest multiprocessor in each phase"},
          {{"", "", Format::integer}, total.io(), "", "", "Q, blocks", "of b words moved"},
          {{"", "", Format::integer},
           total.conflicts(),
           "",
           "",
           "bank conflicts",
           fmt::format("of {} wavefronts", integer_text(total.wavefronts()))},
          {{"", "", Format::percent}, lanes, "", "", "active lanes", "the rest is divergence"}};
}

report::Answer costliest_line(const RunReport& report) {
  const Counts total = report.total();
  std::map<std::pair<std::string, std::uint32_t>, Counts> lines;  // summed over kernels
  for (const LineCost& line : report.lines) lines[{line.file, line.line}] += line.counts;
  const auto line = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.time() < b.second.time();
  });
  if (line == lines.end() || total.time() == 0) return {};
  const auto parts = [](const Counts& counts) {
    std::vector<std::pair<std::string, double>> result;
    for (const auto& [name, count] : {std::pair{"computation", counts.alu + counts.idle},
                                      {"global blocks", counts.io()},
                                      {"shared memory", counts.wavefronts() - counts.conflicts()},
                                      {"bank conflicts", counts.conflicts()},
                                      {"atomics on one word", counts.serialised}}) {
      result.emplace_back(name, static_cast<double>(count));
    }
    return result;
  };
  const auto of_line = parts(line->second);
  const auto most =
      std::max_element(of_line.begin(), of_line.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::int64_t time = line->second.time();
  return {fmt::format("{} takes {} of all time units: {} of its {} are {}.",
                      place_text(line->first.first, line->first.second),
                      report::to_text(ratio(time, total.time()), Format::percent),
                      integer_text(static_cast<std::int64_t>(most->second)), integer_text(time),
                      most->first),
          parts(total)};
}

std::vector<Fact> prediction_facts(const PredictedRun& predicted) {
  const auto& prediction = predicted.prediction;
  std::string time;
  std::string interval;
  if (prediction) {
    time = report::to_text(prediction->milliseconds, Format::decimal) + " ms";
    interval = interval_text(*prediction);
    if (!interval.empty()) time += " (" + interval + ")";
  }
  return {
      {{"predicted_ms", "", Format::decimal},
       prediction ? Value(prediction->milliseconds) : Value(),
       "",
       "",
       prediction ? "predicted, ms" : "",
       interval + (interval.empty() ? "on " : "; on ") + predicted.device},
      {{"predicted_low_ms", ""}, prediction ? Value(prediction->low) : Value()},
      {{"predicted_high_ms", ""}, prediction ? Value(prediction->high) : Value()},
      {{"limit", ""}, prediction ? Value(prediction->limit) : Value()},
      {{"device", ""}, prediction ? Value(predicted.device) : Value()},
      {{"why_not_predicted", ""}, prediction ? Value() : Value(predicted.why_not)},
      {{"", "predicted"},
       prediction ? time : "no:",
       prediction ? fmt::format("on {}, limited by {}{}{}{}", predicted.device, prediction->limit,
                                predicted.compiled ? ", from the compiled kernels" : "",
                                predicted.uncertain.empty() ? "" : "; ", predicted.uncertain)
                  : predicted.why_not}};
}

report::Report to_report(const Algorithm& algorithm, const RunConfig& config,
                         const RunResult& result, const std::optional<CountDifferences>& derived,
                         const LowerBound& bound, const PredictedRun& predicted) {
  report::Report report;
  report.title = config.algorithm;
  if (!config.variant.empty()) report.title += " (" + config.variant + ")";
  report.title += fmt::format(", n = {}, {}, input {}, seed {}", integer_text(config.n),
                              config.type, config.input, config.seed);
  for (const auto& [name, value] : config.parameters) {
    report.title += fmt::format(", {} = {}", name, value);
  }
  std::vector<Section> cost = cost_sections(result.report);
  Section compared = comparison(algorithm, config, result, derived, bound);
  for (Fact& fact : prediction_facts(predicted)) compared.facts.push_back(std::move(fact));
  cost.insert(cost.begin() + 1, std::move(compared));
  cost.insert(cost.begin(), heading(algorithm, config));
  report.answer = costliest_line(result.report);
  report.all_columns = !result.report.lines.empty();
  report.body.sections = std::move(cost);
  return report;
}

}  // namespace agpusim
