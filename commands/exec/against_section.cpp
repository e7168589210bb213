#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/commands/exec/sheet.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

using report::Column;
using report::Format;
using report::Section;
using report::Table;
using report::Value;

/// A cost of a change, and how readers see it.
Value number_of(const Change& change, double cost) {
  return change.cost == "ms" ? Value(cost) : Value(static_cast<std::int64_t>(cost));
}
/// `what`: "rises" or "falls".
Table change_table(const char* key, const char* what, const std::vector<Change>& changes) {
  const std::vector<Column<Change>> columns = {
      {{"", "kernel"}, [](const Change& c) { return Value(short_name(c.kernel)); }},
      {{"name", ""}, [](const Change& c) { return Value(c.kernel); }},
      {{"place", "line"},
       [](const Change& c) { return c.place.empty() ? Value() : Value(c.place); }},
      {{"cost", ""}, [](const Change& c) { return Value(c.cost); }},
      {{"", what}, [](const Change& c) { return Value(c.cost == "ms" ? "predicted ms" : c.cost); }},
      {{"base", ""}, [](const Change& c) { return number_of(c, c.base); }},
      {{"now", ""}, [](const Change& c) { return number_of(c, c.now); }},
      {{"", "base", Format::right}, [](const Change& c) { return Value(number_text(c, c.base)); }},
      {{"", "now", Format::right}, [](const Change& c) { return Value(number_text(c, c.now)); }},
      {{"", "change", Format::signed_percent},
       [](const Change& c) { return report::value_or_null(c.growth()); }},
      {{"text", "text", Format::code},
       [](const Change& c) { return c.text.empty() ? Value() : Value(c.text); }}};
  Table table = report::table(key, columns, changes);
  table.without_empty_columns = true;
  return table;
}

}  // namespace

std::string number_text(const Change& change, double cost) {
  return report::to_text(number_of(change, cost),
                         change.cost == "ms" ? Format::decimal : Format::integer);
}

Section comparison_section(const Comparison& against, std::size_t most) {
  Section section;
  section.key = "against";
  section.heading = "Against the base";
  if (against.time) {
    const Change& time = *against.time;
    section.heading +=
        fmt::format(": {} -> {} ms ({})", number_text(time, time.base), number_text(time, time.now),
                    detail::signed_percent_text(*time.growth()));
  }
  section.sentences = {against.is_dearer()                               ? "dearer"
                       : against.kernels.empty() && against.gone.empty() ? "equal"
                                                                         : "not dearer"};
  if (!against.dearer.empty()) {
    section.sentences[0] += fmt::format(
        ": {}{}", to_text(against.dearer.front()),
        against.dearer.size() == 1 ? "" : fmt::format(", and {} more", against.dearer.size() - 1));
  }
  section.facts = {{{"dearer", ""}, against.is_dearer()},
                   {{"added", ""}, against.added},
                   {{"gone", ""}, against.gone},
                   {{"renamed", ""}, against.renamed}};
  if (!against.added.empty()) {
    section.sentences.push_back(fmt::format("new: {}", fmt::join(against.added, ", ")));
  }
  if (!against.renamed.empty()) {
    section.sentences.push_back(
        fmt::format("renamed, of the same costs: {}", fmt::join(against.renamed, ", ")));
  }
  if (!against.gone.empty()) {
    section.sentences.push_back(fmt::format("gone: {}", fmt::join(against.gone, ", ")));
  }
  for (const auto& [key, changes] :
       {std::pair{"kernels", &against.kernels}, std::pair{"lines", &against.lines}}) {
    Section& inner = section.sections.emplace_back();
    inner.tables = {change_table(key, "", *changes)};
    inner.tables[0].for_reader = false;
    std::array<std::vector<Change>, 2> parts;
    for (const Change& change : *changes) parts[change.now < change.base].push_back(change);
    add_table(inner, change_table("", "rises", parts[0]), most, "rises");
    add_table(inner, change_table("", "falls", parts[1]), most, "falls");
  }
  return section;
}

}  // namespace agpusim::exec
