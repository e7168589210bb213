#include <map>
#include <utility>

#include "agpusim/model/pram/detail/replay_step.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/steps/report.hpp"

#include "embed/page_css.hpp"
#include "embed/step_css.hpp"
#include "embed/step_js.hpp"

namespace agpusim {
namespace {

using Json = nlohmann::ordered_json;

/// The source files of all runs, each once.
class Files {
 public:
  /// The place of a line, the file by its number.
  Json place(const std::string& file, std::uint32_t line) {
    const auto [entry, is_new] = numbers_.try_emplace(file, files_.size());
    if (is_new) {
      files_.push_back({{"name", file_text(file)}, {"lines", sources_.lines(file)}});
    }
    return Json::array({entry->second, line});
  }
  [[nodiscard]] const Json& all() const { return files_; }

 private:
  SourceText sources_;
  std::map<std::string, std::size_t> numbers_;
  Json files_ = Json::array();
};

/// Numbers at equal distances as [count, first, distance].
Json elements_json(const std::vector<std::int64_t>& elements) {
  if (elements.size() < 4) return elements;
  const std::int64_t distance = elements[1] - elements[0];
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (elements[i] - elements[i - 1] != distance) return elements;
  }
  return {{"count", elements.size()}, {"first", elements[0]}, {"distance", distance}};
}

Json encode(const TracedInstruction& traced) {
  const Counts& cost = traced.cost;
  const bool full = traced.mask.find('0') == std::string::npos;
  return Json::array({static_cast<int>(traced.kind), traced.place, traced.phase, traced.task,
                      full ? "" : traced.mask, traced.array, elements_json(traced.elements),
                      traced.values, traced.after, cost.time(), cost.io(), cost.sectors(),
                      cost.wavefronts(), cost.conflicts(), cost.serialised, cost.rounds,
                      cost.instructions()});
}

Json encode(const StepTrace& trace, Files& files) {
  Json places = Json::array();
  for (const SourcePlace& place : trace.places)
    places.push_back(files.place(place.file, place.line));
  Json arrays = Json::array();
  for (const TracedArray& array : trace.arrays) {
    arrays.push_back({{"name", array.name},
                      {"shared", array.shared},
                      {"words", array.words},
                      {"first", array.first},
                      {"size", array.size},
                      {"initial", array.initial}});
  }
  Json phases = Json::array();
  for (const TracedPhase& phase : trace.phases) {
    phases.push_back({{"kernel", phase.kernel},
                      {"tasks", phase.tasks},
                      {"T", phase.time},
                      {"multiprocessors", phase.multiprocessors}});
  }
  Json events = Json::array();
  for (const TracedInstruction& traced : trace.instructions) events.push_back(encode(traced));
  return {{"kind", "agpu"},
          {"spec", detail::encode(trace.spec)},
          {"multiprocessors", trace.spec.multiprocessors()},
          {"places", places},
          {"arrays", arrays},
          {"phases", phases},
          {"events", events},
          {"seen", trace.seen},
          {"violation_place", trace.violation_place}};
}

Json encode(const std::vector<PramAccessRecord>& accesses) {
  Json json = Json::array();
  for (const PramAccessRecord& access : accesses) {
    json.push_back({access.processor, access.cell, access.value, access.accumulate ? 1 : 0});
  }
  return json;
}

/// What every cell that a step wrote holds after it: [cell, value].
Json results_of(const PramTrace& trace, const std::vector<PramAccessRecord>& effective,
                std::vector<std::int64_t>& memory) {
  Json json = Json::array();
  const std::vector<PramAccessRecord> sorted = detail::by_cell(effective);
  PramSpec spec = trace.spec;
  spec.sum = SumReading::values;  // effective writes of counted writers have the value 1
  detail::for_each_cell(sorted, [&](std::span<const PramAccessRecord> writers) {
    std::int64_t& cell = memory[static_cast<std::size_t>(writers[0].cell)];
    cell = detail::written(spec, writers, cell);
    json.push_back({writers[0].cell, cell});
  });
  return json;
}

Json encode(const PramTrace& trace, Files& files) {
  Json arrays = Json::array();
  for (const PramTraceArray& array : trace.arrays) {
    arrays.push_back({{"name", array.name}, {"first", array.first}, {"size", array.size}});
  }
  Json initial = Json::array();
  for (std::size_t i = 0; i < trace.initial.size(); ++i) {
    initial.push_back(trace.initially_written[i] ? Json(trace.initial[i]) : Json(nullptr));
  }
  const auto encoded = [&](const PramStepTrace& step, Json results) {
    return Json{{"name", step.name},
                {"processors", step.processors},
                {"place", files.place(step.where.file_name(), step.where.line())},
                {"reads", encode(step.reads)},
                {"writes", encode(step.writes)},
                {"computing", step.computing},
                {"results", std::move(results)}};
  };
  Json steps = Json::array();
  std::vector<std::int64_t> memory = trace.initial;
  const auto effective = detail::effective_writes(trace);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    steps.push_back(encoded(trace.steps[i], results_of(trace, effective[i], memory)));
  }
  return {{"kind", "pram"},
          {"access", to_string(trace.spec.access)},
          {"arrays", arrays},
          {"initial", initial},
          {"steps", steps},
          {"broken", trace.broken ? encoded(*trace.broken, Json::array()) : Json(nullptr)}};
}

Json encode(const SteppedRun& run, Files& files) {
  Json json = run.agpu ? encode(*run.agpu, files) : encode(*run.pram, files);
  json["title"] = run.title;
  json["machine"] = run.machine;
  json["n"] = run.n;
  json["variant"] = run.variant;
  json["violation"] = run.violation;
  json["left_out"] = left_out(run);
  if (run.agpu && run.violation.empty() && run.report.time() > 0) {
    const Counts total = run.report.total();
    json["totals"] = {{"T", run.report.time()},
                      {"Q", total.io()},
                      {"conflicts", total.conflicts()},
                      {"instructions", total.instructions()}};
  }
  return json;
}

}  // namespace

std::string step_page(const std::vector<SteppedRun>& runs) {
  Files files;
  Json encoded = Json::array();
  for (const SteppedRun& run : runs) encoded.push_back(encode(run, files));
  const Json data = {{"runs", encoded}, {"files", files.all()}};
  return detail::fill_page(std::string(embed::page_css()).append(embed::step_css()),
                           embed::step_js(), data.dump());
}

}  // namespace agpusim
