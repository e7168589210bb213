#include "agpusim/commands/why/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::why {
namespace {

using detail::integer_text;

struct Term {
  const char* name;
  double PhaseTerms::*nanoseconds;
};

constexpr std::array<Term, 6> terms = {{{"code", &PhaseTerms::code},
                                        {"issue", &PhaseTerms::issue},
                                        {"shared", &PhaseTerms::shared},
                                        {"bandwidth", &PhaseTerms::bandwidth},
                                        {"atomics", &PhaseTerms::atomics},
                                        {"latency", &PhaseTerms::latency}}};

constexpr std::array<const char*, op_kinds> op_names = {
    "additions", "logic",        "shifts",         "multiplications",
    "divisions", "comparisons",  "min and max",    "selection",
    "casts",     "truth values", "floating point", "floating-point divisions"};

/// The largest `most` of named amounts as "41 % additions, 20 % shifts".
std::string largest(std::vector<std::pair<std::string, double>> amounts, std::size_t most) {
  double sum = 0;
  for (const auto& [name, amount] : amounts) sum += amount;
  std::sort(amounts.begin(), amounts.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [name, amount] : amounts) {
    if (amount <= 0 || parts.size() == most) break;
    parts.push_back(fmt::format("{:.0f} % {}", 100 * amount / sum, name));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string of_instructions(const RunConfig& config, const std::vector<PhaseReport>& phases,
                            const DeviceFile& device) {
  std::array<double, op_kinds> operations{};
  double counted = 0;
  double scalar = 0;
  for (const PhaseReport& phase : phases) {
    for (std::size_t i = 0; i < instruction_prices.size(); ++i) {
      operations[i % op_kinds] += static_cast<double>(phase.execution.total.operations[i]) *
                                  instruction_prices[i].instructions;
    }
    if (phase.instructions > 0) {  // as compiled, where the scalar ones are among them
      counted += static_cast<double>(phase.instructions);
      continue;
    }
    counted += counted_instructions(config.spec, phase);
    scalar += device.value("prologue_instructions") * warps_of(config.spec, phase);
  }
  std::vector<std::pair<std::string, double>> amounts;
  double arithmetic = 0;
  for (std::size_t i = 0; i < op_kinds; ++i) {
    amounts.emplace_back(op_names[i], operations[i]);
    arithmetic += operations[i];
  }
  amounts.emplace_back("accesses and control", counted - arithmetic);
  return fmt::format(
      "{} warp instructions: {}{}", integer_text(std::llround(counted)), largest(amounts, 4),
      scalar > 0
          ? fmt::format("; the model adds {} scalar ones", integer_text(std::llround(scalar)))
          : "");
}

/// The counts behind a resource.
std::string counts_of(const std::string& resource, const RunConfig& config,
                      const std::vector<PhaseReport>& phases, const DeviceFile& device) {
  Counts total;
  Execution executed;
  double rounds = 0;
  double tasks = 0;
  std::int64_t contention = 0;
  for (const PhaseReport& phase : phases) {
    total += phase.counts;
    executed += phase.execution.total;
    rounds += static_cast<double>(phase.counts.rounds);
    tasks += static_cast<double>(phase.tasks);
    contention = std::max(contention, phase.contention);
  }
  if (resource == "launch") return fmt::format("{} launches", integer_text(std::ssize(phases)));
  if (resource == "code") return "instructions of kernels that run for the first time";
  if (resource == "issue") return of_instructions(config, phases, device);
  if (resource == "shared") {
    return fmt::format(
        "{} wavefronts of shared memory, {} of them bank conflicts; {} blocks of global memory "
        "read "
        "and {} written by requests, {} atomic requests",
        integer_text(total.wavefronts()), integer_text(total.conflicts()),
        integer_text(total.global_read.blocks), integer_text(total.global_write.blocks),
        integer_text(total.global_atomic.requests));
  }
  if (resource == "bandwidth") {
    return fmt::format("{} sectors read and {} written; {} of them alone in their block",
                       integer_text(total.global_read.sectors),
                       integer_text(total.global_write.sectors),
                       integer_text(executed.scattered_reads + executed.scattered_writes));
  }
  if (resource == "atomics") {
    return fmt::format("{} atomic requests, at most {} operations on one word",
                       integer_text(total.global_atomic.requests), integer_text(contention));
  }
  return fmt::format(
      "{:.4g} read rounds{} and {} cycles of a lone task on average (memory at {} cycles)",
      rounds / tasks,
      executed.syncs > 0
          ? fmt::format(", {:.4g} sync()", static_cast<double>(executed.syncs) / tasks)
          : "",
      integer_text(std::llround(static_cast<double>(executed.lone[1]) / lone_units / tasks)),
      lone_latencies[1]);
}

/// The model with every resource times a factor.
class Scaled {
 public:
  Scaled(const RunConfig& config, const std::vector<PhaseReport>& phases, const DeviceFile& device)
      : fitted_(FittedConstants::of(device)),
        terms_(terms_of(config.spec, phases, device, fitted_)) {}

  [[nodiscard]] Prediction with(const std::string& resource, double factor) const {
    const FittedConstants fitted = with_launches(resource == "launch" ? factor : 1);
    std::vector<PhaseTerms> scaled = terms_;
    for (const Term& term : terms) {
      if (resource != term.name) continue;
      for (PhaseTerms& phase : scaled) phase.*term.nanoseconds *= factor;
    }
    return combine(scaled, fitted);
  }
  [[nodiscard]] Prediction of(const std::vector<PhaseTerms>& phases) const {
    return combine(phases, with_launches(0));
  }
  [[nodiscard]] const std::vector<PhaseTerms>& phases() const { return terms_; }

  /// The factor with which a resource explains `ms`; nothing when none up to 100 does.
  [[nodiscard]] std::optional<double> needed(const std::string& resource, double ms) const {
    constexpr double most = 100;
    double low = 0;
    double high = most;
    if (with(resource, low).milliseconds > ms || with(resource, high).milliseconds < ms) {
      return std::nullopt;
    }
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (low + high) / 2;
      (with(resource, middle).milliseconds < ms ? low : high) = middle;
    }
    return high;
  }

 private:
  [[nodiscard]] FittedConstants with_launches(double factor) const {
    FittedConstants fitted = fitted_;
    for (double FittedConstants::*const constant :
         {&FittedConstants::first_launch, &FittedConstants::second_launch,
          &FittedConstants::further_launch, &FittedConstants::cold_start}) {
      fitted.*constant *= factor;
    }
    return fitted;
  }

  FittedConstants fitted_;
  std::vector<PhaseTerms> terms_;
};

std::vector<Kernel> kernels_of(const std::vector<PhaseReport>& phases, const Scaled& model) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < phases.size(); ++i) by_name[phases[i].kernel].push_back(i);
  std::vector<Kernel> kernels;
  for (const auto& [name, places] : by_name) {
    Kernel kernel{name, static_cast<std::int64_t>(places.size())};
    std::vector<PhaseTerms> of_kernel;
    for (const std::size_t i : places) {
      of_kernel.push_back(model.phases()[i]);
      if (phases[i].tasks <= kernel.tasks) continue;
      kernel.tasks = phases[i].tasks;
      kernel.resident = model.phases()[i].tasks;
    }
    const Prediction prediction = model.of(of_kernel);
    kernel.ms = prediction.milliseconds;
    kernel.limit = prediction.limit;
    kernels.push_back(std::move(kernel));
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Kernel& a, const Kernel& b) { return a.ms > b.ms; });
  return kernels;
}

/// What a line adds to the counts behind a resource; 0 where no line does.
double count_behind(const std::string& resource, const Counts& counts) {
  const auto blocks = counts.global_read.blocks + 2 * counts.global_write.blocks;
  std::int64_t count = 0;
  if (resource == "issue") count = counts.instructions();
  if (resource == "shared") count = counts.wavefronts() + blocks + counts.global_atomic.requests;
  if (resource == "bandwidth") count = counts.sectors();
  if (resource == "atomics") count = counts.global_atomic.requests + counts.serialised;
  if (resource == "latency") count = counts.rounds;
  return static_cast<double>(count);
}

/// Names the lines behind the largest resource that has any.
void add_lines(Explanation& explanation, const RunReport& by_line, const Scaled& model) {
  constexpr std::size_t most = 5;
  SourceText sources;
  for (const Resource& resource : explanation.resources) {
    double all = 0;
    for (const LineCost& line : by_line.lines) all += count_behind(resource.name, line.counts);
    if (all == 0) continue;
    explanation.of_lines = resource.name;
    for (const LineCost& line : by_line.lines) {
      const double share = count_behind(resource.name, line.counts) / all;
      if (share < 0.01) continue;
      explanation.lines.push_back({line.kernel, place_text(line.file, line.line),
                                   sources.line(line.file, line.line), share,
                                   model.with(resource.name, 1 - share).milliseconds});
    }
    break;
  }
  std::stable_sort(explanation.lines.begin(), explanation.lines.end(),
                   [](const Line& a, const Line& b) { return a.share > b.share; });
  explanation.lines.resize(std::min(explanation.lines.size(), most));
}

}  // namespace

Explanation explain(Row row, const RunReport& by_line) {
  row.require_counted();
  if (!row.predicted) {
    throw UsageError(fmt::format("no time is predicted of {}: {}", row.run.config.algorithm,
                                 row.why_not_predicted));
  }
  const RunConfig& config = row.run.config;
  const DeviceFile& device = *row.run.device;
  const std::vector<PhaseReport>& phases =
      row.compiled.empty() ? row.counted->report.phases : row.compiled;
  const Scaled model(config, phases, device);
  Explanation result;
  std::vector<std::string> names = {"launch"};
  for (const Term& term : terms) names.emplace_back(term.name);
  for (const std::string& name : names) {
    Resource resource{name};
    const auto part = row.predicted->parts.find(name);
    if (part != row.predicted->parts.end()) resource.part_ms = part->second;
    resource.alone_ms = resource.part_ms;
    for (const Term& term : terms) {
      if (name != term.name) continue;
      resource.alone_ms = 0;
      for (const PhaseTerms& phase : model.phases()) {
        resource.alone_ms += phase.*term.nanoseconds * 1e-6;
      }
    }
    if (resource.alone_ms <= 0) continue;
    const Prediction without = model.with(name, 0);
    resource.without_ms = without.milliseconds;
    resource.limit_then = without.limit;
    resource.counts = counts_of(name, config, phases, device);
    if (row.measured) resource.needed = model.needed(name, row.measured->ms);
    result.resources.push_back(std::move(resource));
  }
  std::stable_sort(result.resources.begin(), result.resources.end(),
                   [](const Resource& a, const Resource& b) { return a.part_ms > b.part_ms; });
  result.kernels = kernels_of(phases, model);
  add_lines(result, by_line, model);
  result.row = std::move(row);
  return result;
}

}  // namespace agpusim::why
