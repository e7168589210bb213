#include "agpusim/ptx/run/findings.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {
namespace {

enum class Effect : std::uint8_t { stops, goes_on, note };

struct RuleRow {
  std::string_view name;
  Effect effect;
  std::string_view remedy;
  std::string_view in_branch = {};  ///< the remedy there, where it is another
};

/// In the order of Rule.
constexpr std::array<RuleRow, 25> rules = {{
    {"out of bounds", Effect::stops,
     "compare the index with the number of elements before the access"},
    {"freed memory", Effect::stops, "free memory after its last use"},
    {"misaligned", Effect::stops, "access elements at multiples of their size, or smaller ones"},
    {"read-only memory", Effect::stops, "write to memory that was allocated"},
    {"unwritten shared memory", Effect::goes_on,
     "write each element before it is read, or read fewer"},
    {"unwritten global memory", Effect::goes_on,
     "give it values before: cudaMemset, cudaMemcpy or a kernel"},
    {"race in shared memory", Effect::goes_on, "put __syncthreads() between the two accesses",
     "put __syncthreads() between the two accesses, but outside this branch: some threads do not "
     "take it"},
    {"race in global memory", Effect::goes_on,
     "use atomic operations, or a launch for each access: __syncthreads() orders one CTA only"},
    {"write conflict", Effect::goes_on,
     "let one lane write, or each its own element, or use an atomic"},
    {"divergent barrier", Effect::stops, "move the barrier to where all threads of the CTA come"},
    {"wrong member mask", Effect::stops,
     "name in the mask exactly the lanes that come here together"},
    {"missing wait for a copy", Effect::goes_on,
     "wait for the copy, then put __syncthreads() before the use"},
    {"misuse of an mbarrier", Effect::stops,
     "initialise it once, for as many arrivals as there are"},
    {"deadlock", Effect::stops, "let the threads that others wait for come there too"},
    {"assertion", Effect::stops, "see which values of the kernel break what it asserts"},
    {"trap", Effect::stops, "see which values of the kernel lead there"},
    {"value of an absent lane", Effect::goes_on,
     "let the lane take part, or keep the own value: __shfl_sync(mask, v, there ? from : lane)"},
    {"lanes that have ended", Effect::note,
     "let all lanes of the mask come here, and guard what they do instead of returning"},
    {"equal values stored by several threads", Effect::note,
     "let one thread store, or use an atomic operation, if the value may ever differ"},
    {"plain read beside atomic operations", Effect::note,
     "read through an atomic operation or a volatile pointer"},
    {"barrier at two places", Effect::goes_on,
     "put one __syncthreads() where all threads of the CTA come, or a named barrier with a count"},
    {"barrier of a part of a warp", Effect::goes_on, "give it a multiple of 32: whole warps come"},
    {"host access to device memory", Effect::stops,
     "copy it with cudaMemcpy, or allocate it with cudaMallocManaged"},
    {"host access without synchronize", Effect::goes_on,
     "wait before: cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize"},
    {"unordered streams", Effect::goes_on,
     "order them: cudaEventRecord behind the first and cudaStreamWaitEvent before the second, or "
     "one stream"},
}};

}  // namespace

std::string_view to_string(Rule rule) { return rules[static_cast<std::size_t>(rule)].name; }

std::optional<Rule> rule_of(std::string_view name) {
  const auto row = std::find_if(rules.begin(), rules.end(),
                                [&](const RuleRow& each) { return each.name == name; });
  if (row == rules.end()) return std::nullopt;
  return static_cast<Rule>(row - rules.begin());
}

bool goes_on(Rule rule) { return rules[static_cast<std::size_t>(rule)].effect != Effect::stops; }

bool is_note(Rule rule) { return rules[static_cast<std::size_t>(rule)].effect == Effect::note; }

std::string_view remedy_of(Rule rule, bool in_branch) {
  const RuleRow& row = rules[static_cast<std::size_t>(rule)];
  return in_branch && !row.in_branch.empty() ? row.in_branch : row.remedy;
}

std::string Finding::message() const {
  if (is_of_host()) return fmt::format("{} at {}: {}; {}", to_string(rule), place(), text, remedy);
  return fmt::format("{} at {} ({}), CTA {}, warp {}, lane {}: {}; {}", to_string(rule), place(),
                     opcode, cta, warp, lane, text, remedy);
}

void Findings::add(Finding finding) {
  const auto [at, is_new] = at_.try_emplace({finding.rule, finding.statement}, findings_.size());
  if (is_new) {
    findings_.push_back(std::move(finding));
    return;
  }
  Finding& known = findings_[at->second];
  finding.times += known.times;
  if (finding.cta < known.cta) {
    known = std::move(finding);
  } else {
    known.times = finding.times;
  }
}

bool Findings::met(Rule rule, std::uint32_t statement, std::int64_t cta, std::int64_t times) {
  const auto at = at_.find({rule, statement});
  if (at == at_.end()) return false;
  Finding& known = findings_[at->second];
  if (known.cta > static_cast<std::uint64_t>(cta)) return false;
  known.times += times;
  return true;
}

void Findings::settle(const std::function<std::optional<Rule>(std::uint32_t)>& rule_of_race) {
  for (Finding& finding : findings_) {
    if (finding.rule != Rule::shared_race && finding.rule != Rule::global_race) continue;
    const std::optional<Rule> rule = rule_of_race(finding.statement);
    if (!rule) continue;
    finding.rule = *rule;
    finding.remedy = remedy_of(*rule, false);
  }
}

void Findings::merge(const Findings& other) {
  for (const Finding& finding : other.findings_) add(finding);
}

std::vector<Finding> Findings::told(const Program& program,
                                    const std::function<bool(std::uint32_t)>& in_branch) const {
  std::vector<Finding> sorted = findings_;
  std::sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.cta, a.statement, a.rule) < std::tie(b.cta, b.statement, b.rule);
  });
  std::vector<Finding> result;
  std::map<std::tuple<Rule, std::string, std::string>, std::size_t> known;
  for (Finding& finding : sorted) {
    finding.where = program.where(finding.statement);
    const auto [same, is_new] =
        known.try_emplace({finding.rule, finding.place(), finding.array}, result.size());
    if (!is_new) {
      result[same->second].times += finding.times;
      continue;
    }
    if (finding.remedy.empty()) {
      finding.remedy = remedy_of(finding.rule, in_branch(finding.statement));
    }
    result.push_back(std::move(finding));
  }
  return result;
}

}  // namespace agpusim::ptx
