#include "agpusim/commands/exercise/exercise_export.hpp"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

using Key = std::pair<std::string, std::string>;  // participant and name

/// An exercise that somebody hands in again counts once, with the most marks.
std::map<std::pair<Key, std::string>, const MarkedAnswer*> best_of(
    const std::vector<MarkedAnswer>& all, bool of_one_student) {
  std::map<std::pair<Key, std::string>, const MarkedAnswer*> best;
  for (const MarkedAnswer& one : all) {
    const Key whose = of_one_student ? Key() : Key(one.answer.participant, one.answer.student);
    const MarkedAnswer*& kept = best[{whose, one.marks.name}];
    if (kept == nullptr || one.marks.given() > kept->marks.given()) kept = &one;
  }
  return best;
}

}  // namespace

void put_moodle(const std::vector<MarkedAnswer>& all, const std::string& file) {
  struct Student {
    std::string name;
    std::string participant;
    int marks = 0;
    int most = 0;
    std::string comments;
  };
  std::map<Key, Student> students;
  for (const auto& [key, kept] : best_of(all, false)) {
    const MarkedAnswer& one = *kept;
    Student& student = students[key.first];
    student.name = one.answer.student;
    student.participant = one.answer.participant;
    student.marks += one.marks.given();
    student.most += 3;
    std::string wrong = one.marks.first_wrong();
    wrong = wrong.substr(0, wrong.find('\n'));
    student.comments +=
        fmt::format("{}{}: {} of 3{}{}", student.comments.empty() ? "" : "; ", one.marks.name,
                    one.marks.given(), wrong.empty() ? "" : ", ", wrong);
  }
  std::vector<Student> rows;
  for (const auto& [name, student] : students) rows.push_back(student);
  using report::Value;
  const std::vector<report::Column<Student>> columns = {
      {{"Identifier", ""},
       [](const Student& s) {
         return Value(s.participant.empty() ? "" : "Participant " + s.participant);
       }},
      {{"Full name", ""}, [](const Student& s) { return Value(s.name); }},
      {{"Grade", ""}, [](const Student& s) { return Value(s.marks); }},
      {{"Maximum Grade", ""}, [](const Student& s) { return Value(s.most); }},
      {{"Feedback comments", ""}, [](const Student& s) { return Value(s.comments); }}};
  report::Report sheet;
  sheet.body.tables = {report::table("grades", columns, rows)};
  sheet.body.tables.front().csv = true;
  write_file(file, report::to_csv(sheet));
}

void put_gradescope(const std::vector<MarkedAnswer>& all, const std::string& file) {
  auto tests = nlohmann::json::array();
  for (const auto& [key, kept] : best_of(all, true)) {
    const exercise::Marks& marks = kept->marks;
    const std::string late = marks.right() ? marks.cost : "not marked before the others are ok";
    const std::vector<exercise::NamedText> wrongs = {
        {"result", marks.compiler + marks.result}, {"legality", marks.legality}, {"cost", late}};
    for (const auto& [mark, wrong] : wrongs) {
      tests.push_back({{"name", marks.name + ": " + mark},
                       {"score", wrong.empty() ? 1 : 0},
                       {"max_score", 1},
                       {"status", wrong.empty() ? "passed" : "failed"},
                       {"output", wrong}});
    }
  }
  write_file(file, nlohmann::json{{"tests", tests}}.dump(2, ' ', false,
                                                         nlohmann::json::error_handler_t::replace) +
                       '\n');
}

}  // namespace agpusim
