#include "agpusim/commands/compare/detail/remarks.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::contest::detail {
namespace {

using Names = std::vector<std::string>;

/// What a contestant says of each size, by entry; empty where it says nothing.
using Saying = std::function<std::string(const Row&)>;

/// "scan:sum at 3 of 15 sizes (from n = 2^20): reason", one line per contestant and reason, or per
/// contestant with its first reason when they name the sizes.
void add_by_contestant(Names& remarks, const MachineResult& result,
                       const std::vector<Contestant>& contestants, const std::string& verb,
                       const Saying& reason_of) {
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    std::string first_reason;
    std::int64_t first_n = 0;
    std::size_t count = 0;
    for (const SizeRows& row : result.rows) {
      const std::string reason = reason_of(row.entries[i]);
      if (reason.empty()) continue;
      if (count == 0) {
        first_reason = reason;
        first_n = row.n;
      }
      ++count;
    }
    if (count == 0) continue;
    const std::string where =
        count == result.rows.size()
            ? "every n"
            : fmt::format("{} of {} sizes, the first n = {}", count, result.rows.size(),
                          agpusim::detail::size_text(first_n));
    remarks.push_back(
        fmt::format("{} {} at {}: {}", contestants[i].label, verb, where, first_reason));
  }
}

/// One line per reason, with the contestants that have it.
void add_by_reason(Names& remarks, const MachineResult& result,
                   const std::vector<Contestant>& contestants, const std::string& what,
                   const Saying& reason_of) {
  std::map<std::string, Names> by_reason;
  for (const SizeRows& row : result.rows) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::string reason = reason_of(row.entries[i]);
      if (reason.empty()) continue;
      Names& names = by_reason[reason];
      if (std::find(names.begin(), names.end(), contestants[i].label) == names.end()) {
        names.push_back(contestants[i].label);
      }
    }
  }
  for (const auto& [reason, names] : by_reason) {
    remarks.push_back(fmt::format("{} {}: {}", fmt::join(names, ", "), what, reason));
  }
}

}  // namespace

Names remarks_on(const MachineResult& result, const std::vector<Contestant>& contestants) {
  Names remarks;
  if (!result.machine.why_not_predicted.empty()) {
    remarks.push_back("No times are predicted on this machine: " +
                      result.machine.why_not_predicted);
  }
  add_by_contestant(remarks, result, contestants, "is refused",
                    [](const Row& entry) { return entry.refusal; });
  add_by_contestant(remarks, result, contestants, "is extrapolated",
                    [](const Row& entry) -> std::string {
                      if (entry.from_n == 0) return {};
                      return fmt::format(
                          "its counts depend on the keys and are those of n = {}, grown by the "
                          "bound: estimates",
                          agpusim::detail::size_text(entry.from_n));
                    });
  add_by_reason(remarks, result, contestants, "not predicted",
                [](const Row& entry) { return entry.why_not_predicted; });
  return remarks;
}

}  // namespace agpusim::contest::detail
