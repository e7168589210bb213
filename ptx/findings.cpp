#include "agpusim/ptx/findings.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

struct RuleRow {
  std::string_view name;
  bool goes_on;
};

/// In the order of Rule.
constexpr std::array<RuleRow, 17> rules = {{
    {"out of bounds", false},
    {"freed memory", false},
    {"misaligned", false},
    {"read-only memory", false},
    {"unwritten shared memory", true},
    {"unwritten global memory", true},
    {"race in shared memory", true},
    {"race in global memory", true},
    {"write conflict", true},
    {"divergent barrier", false},
    {"wrong member mask", false},
    {"missing wait for a copy", true},
    {"misuse of an mbarrier", false},
    {"deadlock", false},
    {"assertion", false},
    {"trap", false},
    {"value of an absent lane", true},
}};

}  // namespace

std::string_view to_string(Rule rule) { return rules[static_cast<std::size_t>(rule)].name; }

bool goes_on(Rule rule) { return rules[static_cast<std::size_t>(rule)].goes_on; }

std::string Finding::message() const {
  return fmt::format("{} at {} ({}), CTA {}, warp {}, lane {}: {}", to_string(rule), place, opcode,
                     cta, warp, lane, text);
}

void Findings::add(Finding finding) {
  const auto known = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return other.rule == finding.rule && other.statement == finding.statement;
  });
  if (known == findings_.end()) {
    findings_.push_back(std::move(finding));
    return;
  }
  finding.times += known->times;
  if (finding.cta < known->cta) {
    *known = std::move(finding);
  } else {
    known->times = finding.times;
  }
}

bool Findings::met(Rule rule, std::uint32_t statement, std::int64_t cta, std::int64_t times) {
  for (Finding& known : findings_) {
    if (known.rule != rule || known.statement != statement) continue;
    if (known.cta > static_cast<std::uint64_t>(cta)) return false;
    known.times += times;
    return true;
  }
  return false;
}

void Findings::merge(const Findings& other) {
  for (const Finding& finding : other.findings_) add(finding);
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> result = findings_;
  std::sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.cta, a.statement, a.rule) < std::tie(b.cta, b.statement, b.rule);
  });
  return result;
}

}  // namespace agpusim::ptx
