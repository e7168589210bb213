#include "agpusim/validation/predict/parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

using detail::integer_text;

struct Term {
  const char* name;
  double PhaseTerms::*nanoseconds;
};

constexpr std::array<Term, 7> terms = {{{"code", &PhaseTerms::code},
                                        {"issue", &PhaseTerms::issue},
                                        {"shared", &PhaseTerms::shared},
                                        {"bandwidth", &PhaseTerms::bandwidth},
                                        {"atomics", &PhaseTerms::atomics},
                                        {"dispatch", &PhaseTerms::dispatch},
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

std::string of_instructions(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
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
    counted += counted_instructions(spec, phase);
    scalar += device.value("prologue_instructions") * warps_of(spec, phase);
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
std::string counts_of(const std::string& resource, const AgpuSpec& spec,
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
  if (resource == "launch") return detail::counted(std::ssize(phases), "launch", "es");
  if (resource == "code") return "instructions of kernels that run for the first time";
  if (resource == "issue") return of_instructions(spec, phases, device);
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
  if (resource == "dispatch") return detail::counted(std::llround(tasks), "CTA");
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

}  // namespace

PartsModel::PartsModel(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
                       const DeviceFile& device, TimedBy timed_by)
    : spec_(spec),
      counted_(phases),
      device_(device),
      fitted_(constants_for(device, timed_by)),
      terms_(terms_of(spec, phases, device, fitted_)) {}

Prediction PartsModel::with(const std::string& resource, double factor) const {
  std::vector<PhaseTerms> scaled = terms_;
  for (const Term& term : terms) {
    if (resource != term.name) continue;
    for (PhaseTerms& phase : scaled) phase.*term.nanoseconds *= factor;
  }
  return combine(scaled, with_launches(resource == "launch" ? factor : 1));
}

Prediction PartsModel::of(const std::vector<PhaseTerms>& phases) const {
  return combine(phases, with_launches(0));
}

std::vector<Resource> PartsModel::resources(std::optional<double> measured_ms) const {
  const Prediction all = combine(terms_, fitted_);
  std::vector<std::string> names = {"launch"};
  for (const Term& term : terms) names.emplace_back(term.name);
  std::vector<Resource> resources;
  for (const std::string& name : names) {
    Resource resource{name};
    const auto part = all.parts.find(name);
    if (part != all.parts.end()) resource.part_ms = part->second;
    resource.alone_ms = resource.part_ms;
    for (const Term& term : terms) {
      if (name != term.name) continue;
      resource.alone_ms = 0;
      for (const PhaseTerms& phase : terms_) resource.alone_ms += phase.*term.nanoseconds * 1e-6;
    }
    if (resource.alone_ms <= 0) continue;
    const Prediction without = with(name, 0);
    resource.without_ms = without.milliseconds;
    resource.limit_then = without.limit;
    resource.counts = counts_of(name, spec_, counted_, device_);
    if (measured_ms) resource.needed = needed(name, *measured_ms);
    resources.push_back(std::move(resource));
  }
  std::stable_sort(resources.begin(), resources.end(),
                   [](const Resource& a, const Resource& b) { return a.part_ms > b.part_ms; });
  return resources;
}

std::optional<double> PartsModel::needed(const std::string& resource, double ms) const {
  constexpr double most = 100;
  double low = 0;
  double high = most;
  if (with(resource, low).milliseconds > ms || with(resource, high).milliseconds < ms) return {};
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (with(resource, middle).milliseconds < ms ? low : high) = middle;
  }
  return high;
}

FittedConstants PartsModel::with_launches(double factor) const {
  FittedConstants fitted = fitted_;
  for (double FittedConstants::*const constant :
       {&FittedConstants::first_launch, &FittedConstants::second_launch,
        &FittedConstants::further_launch, &FittedConstants::cold_start}) {
    fitted.*constant *= factor;
  }
  return fitted;
}

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

}  // namespace agpusim
