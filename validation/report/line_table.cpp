#include "agpusim/validation/report/line_table.hpp"

#include <vector>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::detail {
namespace {

std::string share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? percent_text(static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

std::vector<std::string> cells(const std::string& kernel, const std::string& place,
                               const Counts& counts, const Counts& total) {
  return {kernel,
          place,
          integer_text(counts.time()),
          share(counts.time(), total.time()),
          integer_text(counts.instructions()),
          integer_text(counts.io()),
          integer_text(counts.sectors()),
          integer_text(counts.wavefronts()),
          integer_text(counts.conflicts()),
          share(counts.active_lanes, counts.lane_slots),
          integer_text(counts.rounds)};
}

}  // namespace

std::string line_table(const RunReport& report) {
  const Counts total = report.total();
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> texts;
  SourceText sources;
  for (const LineCost& line : report.lines) {
    rows.push_back(cells(line.kernel, place_text(line.file, line.line), line.counts, total));
    texts.push_back(sources.line(line.file, line.line));
  }
  rows.push_back(cells("all", "", total, total));
  texts.emplace_back();
  const std::string table = text_table({"kernel", "line", "time units", "", "instructions", "Q",
                                        "sectors", "wavefronts", "conflicts", "active", "rounds"},
                                       rows, 2);
  std::string text = "\nBy source line: time units of all tasks, active lanes, rounds of reads\n\n";
  std::size_t row = 0;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    text += table.substr(begin, end - begin);
    if (row > 0 && !texts[row - 1].empty()) text += "  " + texts[row - 1];
    text += '\n';
    begin = end + 1;
    ++row;
  }
  return text;
}

}  // namespace agpusim::detail
