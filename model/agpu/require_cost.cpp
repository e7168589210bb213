#include "agpusim/model/agpu/require_cost.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"

namespace agpusim::detail {
namespace {

constexpr std::size_t most_lines = 5;  // limit for one cost in a message

std::int64_t idle_lanes(const Counts& counts) { return counts.lane_slots - counts.active_lanes; }

struct Term {
  const char* name;
  std::int64_t (*total)(const RunReport&);
  std::int64_t (*of_line)(const Counts&);  ///< null: not a sum over lines
  const char* meaning;                     ///< unit that lines are charged, where it is another
};

constexpr auto time_of_line = [](const Counts& c) { return c.time(); };
constexpr auto io_of_line = [](const Counts& c) { return c.io(); };

constexpr std::array<Term, 13> terms = {{
    {"T", [](const RunReport& r) { return r.time(); }, time_of_line, " time units of all tasks"},
    {"T_tot", [](const RunReport& r) { return r.time_total_max; }, time_of_line,
     " time units of all tasks"},
    {"Q", [](const RunReport& r) { return r.total().io(); }, io_of_line, ""},
    {"Q_max", [](const RunReport& r) { return r.io_max(); }, io_of_line, " blocks of all tasks"},
    {"phases", [](const RunReport& r) { return static_cast<std::int64_t>(r.phases.size()); },
     nullptr, ""},
    {"instructions", [](const RunReport& r) { return r.total().instructions(); },
     [](const Counts& c) { return c.instructions(); }, ""},
    {"sectors", [](const RunReport& r) { return r.total().sectors(); },
     [](const Counts& c) { return c.sectors(); }, ""},
    {"wavefronts", [](const RunReport& r) { return r.total().wavefronts(); },
     [](const Counts& c) { return c.wavefronts(); }, ""},
    {"conflicts", [](const RunReport& r) { return r.total().conflicts(); },
     [](const Counts& c) { return c.conflicts(); }, ""},
    {"rounds", [](const RunReport& r) { return r.total().rounds; },
     [](const Counts& c) { return c.rounds; }, ""},
    {"serialised", [](const RunReport& r) { return r.total().serialised; },
     [](const Counts& c) { return c.serialised; }, ""},
    {"contention", [](const RunReport& r) { return r.contention(); }, nullptr, ""},
    {"idle_lanes", [](const RunReport& r) { return idle_lanes(r.total()); }, idle_lanes, ""},
}};

/// The lines that are charged some of a cost, by what they are.
std::vector<const LineCost*> lines_by(const Term& term, const RunReport& report) {
  std::vector<const LineCost*> lines;
  for (const LineCost& line : report.lines) {
    if (term.of_line(line.counts) > 0) lines.push_back(&line);
  }
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCost* a, const LineCost* b) {
    const std::int64_t x = term.of_line(a->counts);
    const std::int64_t y = term.of_line(b->counts);
    return x != y ? x > y : a->line < b->line;
  });
  return lines;
}

/// The lines that are charged most of a cost.
std::string lines_of(const Term& term, const RunReport& report, SourceText& sources) {
  const std::vector<const LineCost*> lines = lines_by(term, report);
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    const LineCost& line = *lines[i];
    text += fmt::format("\n    {}{} at {} in kernel {}: {}", term.of_line(line.counts),
                        term.meaning, place_text(line.file, line.line), line.kernel,
                        sources.line(line.file, line.line));
  }
  if (lines.size() > most_lines) {
    text += fmt::format("\n    and {} lines with less", lines.size() - most_lines);
  }
  return text;
}

/// Whether `word` stands in `text` by itself.
bool has_word(std::string_view text, std::string_view word) {
  const auto in_a_word = [&](std::size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    // The place before the first one wraps around, past the end.
    if (!in_a_word(at - 1) && !in_a_word(at + word.size())) return true;
  }
  return false;
}

}  // namespace

std::array<std::int64_t, 13> cost_terms(const RunReport& report) {
  std::array<std::int64_t, 13> values{};
  std::transform(terms.begin(), terms.end(), values.begin(),
                 [&](const Term& term) { return term.total(report); });
  return values;
}

std::vector<std::string> cost_names() {
  std::vector<std::string> names;
  for (const Term& term : terms) names.emplace_back(term.name);
  return names;
}

const LineCost* dearest_line(const RunReport& report, const std::string& condition) {
  for (const Term& term : terms) {
    if (term.of_line == nullptr || !has_word(condition, term.name)) continue;
    const std::vector<const LineCost*> lines = lines_by(term, report);
    return lines.empty() ? nullptr : lines.front();
  }
  return nullptr;
}

std::string cost_failure(const RunReport& report, const std::string& condition) {
  std::string text = fmt::format("the cost breaks {}", condition);
  SourceText sources;
  bool has_lines = false;
  for (const Term& term : terms) {
    if (!has_word(condition, term.name)) continue;
    text += fmt::format("\n  {} = {}", term.name, term.total(report));
    if (term.of_line == nullptr) continue;
    has_lines = true;
    text += lines_of(term, report, sources);
  }
  if (has_lines && report.lines.empty()) {
    text += "\n  (simulate with SimulationOptions::by_line to see the source lines)";
  }
  return text;
}

}  // namespace agpusim::detail
