#include "agpusim/validation/analysis/limiting.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

/// More than a sentence can list.
constexpr std::size_t max_stretches = 4;

std::string limit_text(const std::string& limit) {
  for (const auto& [name, text] : limit_texts()) {
    if (name == limit) return text;
  }
  return limit;
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
  return fmt::format("Limited mostly by {} ({} of {} runs).", limit_text(most->first), most->second,
                     rows.size());
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
