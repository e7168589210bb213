#include "agpusim/commands/analyze/limiting.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

/// A sentence, or the cell of a table, can list.
constexpr std::size_t max_stretches = 4;

std::string limit_text(const std::string& limit) {
  for (const auto& [name, text] : limit_texts()) {
    if (name == limit) return text;
  }
  return limit;
}

std::size_t place_of(const std::string& limit) {
  const auto& all = limit_texts();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == limit; });
  return static_cast<std::size_t>(at - all.begin());
}

std::string range(const LimitStretch& stretch, bool first, bool last) {
  if (first) return "up to n = " + detail::size_text(stretch.last);
  if (last) return "from n = " + detail::size_text(stretch.first);
  if (stretch.first == stretch.last) return "at n = " + detail::size_text(stretch.first);
  return fmt::format("from n = {} to {}", detail::size_text(stretch.first),
                     detail::size_text(stretch.last));
}

/// For limits that change too often to list: "Limited mostly by ... (30 of 40 runs)."
std::string majority(const std::vector<const AnalysisRow*>& rows) {
  const std::string limit = limit_of(rows);
  const auto runs = std::count_if(rows.begin(), rows.end(), [&](const AnalysisRow* row) {
    return row->predicted->limit == limit;
  });
  return fmt::format("Limited mostly by {} ({} of {} runs).", limit_text(limit), runs, rows.size());
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& limit_texts() {
  static const std::vector<std::pair<std::string, std::string>> texts = {
      {"launch", "starting kernels"},
      {"latency", "tasks that wait for their own reads and instructions"},
      {"issue", "issuing the instructions of all resident tasks"},
      {"shared", "wavefronts of shared memory"},
      {"bandwidth", "device memory and the L2 cache"},
      {"atomics", "atomic operations"},
      {"code", "fetching instructions for the first time"}};
  return texts;
}

std::string limit_of(const std::vector<const AnalysisRow*>& rows, const std::string& before) {
  if (rows.empty()) throw std::invalid_argument("limit of no rows");
  std::map<std::string, int> count;
  for (const AnalysisRow* row : rows) ++count[row->predicted->limit];
  const auto rank = [&](const auto& one) {
    return std::tuple(-one.second, one.first != before, place_of(one.first));
  };
  return std::min_element(count.begin(), count.end(),
                          [&](const auto& a, const auto& b) { return rank(a) < rank(b); })
      ->first;
}

std::vector<LimitStretch> limits_by_size(const std::vector<const AnalysisRow*>& rows) {
  std::map<std::int64_t, std::vector<const AnalysisRow*>> of_size;
  for (const AnalysisRow* row : rows) of_size[row->n()].push_back(row);
  std::vector<LimitStretch> stretches;
  for (const auto& [n, same] : of_size) {
    const std::string limit = limit_of(same, stretches.empty() ? "" : stretches.back().limit);
    if (stretches.empty() || stretches.back().limit != limit) stretches.push_back({limit, n, n});
    stretches.back().last = n;
  }
  return stretches;
}

std::string limits_text(const std::vector<std::string>& limits) {
  if (limits.size() <= max_stretches) return fmt::format("{}", fmt::join(limits, ", "));
  std::vector<std::string> once;
  for (const std::string& limit : limits) {
    if (std::find(once.begin(), once.end(), limit) == once.end()) once.push_back(limit);
  }
  return fmt::format("changes among {}", fmt::join(once, ", "));
}

std::string limiting_sentence(const std::vector<AnalysisRow>& all) {
  std::vector<const AnalysisRow*> rows;
  for (const AnalysisRow& row : all) rows.push_back(&row);
  if (rows.empty()) throw std::invalid_argument("limit of no rows");
  const std::vector<LimitStretch> stretches = limits_by_size(rows);
  if (stretches.size() == 1) {
    return fmt::format("Limited by {} at every n.", limit_text(stretches.front().limit));
  }
  if (stretches.size() > max_stretches) return majority(rows);
  std::string text = "Limited by ";
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const bool last = i + 1 == stretches.size();
    if (i > 0) text += last ? " and by " : ", by ";
    text += limit_text(stretches[i].limit) + " " + range(stretches[i], i == 0, last);
  }
  return text + ".";
}

}  // namespace agpusim
