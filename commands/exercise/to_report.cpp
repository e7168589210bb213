#include <fmt/format.h>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::exercise {

report::Report to_report(const Marks& marks) {
  using report::Value;
  struct Mark {
    const char* name;
    bool given;
    std::string wrong;
  };
  const std::vector<Mark> all = {
      {"result", marks.result.empty(), marks.result},
      {"legality", marks.legality.empty(), marks.legality},
      {"cost", marks.right() && marks.cost.empty(),
       marks.right() ? marks.cost : "not marked before the others are ok"}};
  const std::vector<report::Column<Mark>> mark_columns = {
      {{"mark", "mark"}, [](const Mark& mark) { return Value(mark.name); }},
      {{"given", "given"}, [](const Mark& mark) { return Value(mark.given); }},
      {{"wrong", "wrong"},
       [](const Mark& mark) { return mark.wrong.empty() ? Value() : Value(mark.wrong); }}};
  const std::vector<report::Column<Paid>> cost_columns = {
      {{"cost", "cost"}, [](const Paid& paid) { return Value(paid.limit.cost); }},
      {{"paid", "paid"}, [](const Paid& paid) { return Value(paid.cost); }},
      {{"bound", "bound"}, [](const Paid& paid) { return Value(paid.limit.bound); }},
      {{"", "paid / bound", report::Format::two_digits, true},
       [](const Paid& paid) {
         return paid.limit.bound == 0
                    ? Value()
                    : Value(static_cast<double>(paid.cost) / static_cast<double>(paid.limit.bound));
       }},
      {{"chosen", "chosen as"}, [](const Paid& paid) { return Value(paid.limit.chosen); }},
      {{"best_known", "best known"}, [](const Paid& paid) { return Value(paid.limit.paid); }},
      {{"run", "run"}, [](const Paid& paid) { return Value(paid.run); }}};
  report::Report written;
  written.title = fmt::format("exercise {}", marks.name);
  written.body.facts = {{{"exercise", ""}, marks.name, "", "exercise"},
                        {{"seed", "seed"}, marks.seed, "", "seed"},
                        {{"runs", "runs"}, marks.runs},
                        {{"marks", "marks"}, marks.given(), "of 3", "marks", "marks"}};
  written.body.tables = {report::table("of", mark_columns, all),
                         report::table("costs", cost_columns, marks.costs)};
  written.body.tables.front().csv = true;
  if (!marks.sandbox.empty()) {
    written.body.facts.push_back({{"sandbox", "sandbox"}, marks.sandbox});
  }
  if (!marks.compiler.empty()) written.body.facts.push_back({{"compiler", ""}, marks.compiler});
  return written;
}

}  // namespace agpusim::exercise
