#include "agpusim/validation/analysis/limiting.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

/// More than a sentence can list.
constexpr std::size_t max_stretches = 4;

std::string resource(const std::string& limit) {
  static const std::map<std::string, std::string> names = {
      {"launch", "launching kernels"},
      {"bandwidth", "memory bandwidth"},
      {"atomics", "atomic operations"},
      {"code", "fetching instructions"},
      {"issue", "issuing instructions"},
      {"shared", "shared memory wavefronts"},
      {"latency", "the latency of the longest chain of tasks"}};
  const auto it = names.find(limit);
  return it == names.end() ? limit : it->second;
}

/// Neighbouring rows with one limit.
struct Stretch {
  std::string limit;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::string range(const Stretch& stretch, bool first, bool last) {
  if (first) return "up to n = " + detail::size_text(stretch.last);
  if (last) return "from n = " + detail::size_text(stretch.first);
  if (stretch.first == stretch.last) return "at n = " + detail::size_text(stretch.first);
  return fmt::format("from n = {} to {}", detail::size_text(stretch.first),
                     detail::size_text(stretch.last));
}

/// For limits that change too often to list: "Limited mostly by ... (30 of 40 runs)."
std::string majority(const std::vector<AnalysisRow>& rows) {
  std::map<std::string, int> count;
  for (const AnalysisRow& row : rows) ++count[row.limit];
  const auto most = std::max_element(
      count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return fmt::format("Limited mostly by {} ({} of {} runs).", resource(most->first), most->second,
                     rows.size());
}

}  // namespace

std::string limiting_sentence(const std::vector<AnalysisRow>& rows) {
  if (rows.empty()) throw std::invalid_argument("limit of no rows");
  std::vector<Stretch> stretches;
  for (const AnalysisRow& row : rows) {
    if (stretches.empty() || stretches.back().limit != row.limit) {
      stretches.push_back({row.limit, row.n, row.n});
    }
    stretches.back().last = row.n;
  }
  if (stretches.size() == 1) {
    return fmt::format("Limited by {} at every n.", resource(stretches.front().limit));
  }
  if (stretches.size() > max_stretches) return majority(rows);
  std::string text = "Limited by ";
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const bool last = i + 1 == stretches.size();
    if (i > 0) text += last ? " and by " : ", by ";
    text += resource(stretches[i].limit) + " " + range(stretches[i], i == 0, last);
  }
  return text + ".";
}

}  // namespace agpusim
