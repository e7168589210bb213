// Exercises: gaps do not pass, solutions get all marks, wrong answers lose the mark of wrong.diff.
#include <algorithm>
#include <fstream>
#include <map>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include "agpusim/commands/exercise/exercise_compiler.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/answers.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

using namespace agpusim::test;
using Catch::Matchers::StartsWith;

namespace {

std::vector<Answer> all_answers() {
  std::vector<Answer> all;
  add_answers_1(all);
  add_answers_2(all);
  add_answers_3(all);
  add_answers_4(all);
  return all;
}

Finished grade(const std::string& exercise, const std::string& name,
               const std::string& options = "") {
  for (const Answer& answer : all_answers()) {
    if (answer.exercise == exercise && answer.name == name) {
      return run_cli("exercise grade " + answer.file + " --as " + exercise + options);
    }
  }
  FAIL("there is no answer " << exercise << "/" << name);
  return {};
}

}  // namespace

TEST_CASE("solutions get all marks, a gap does not, and a wrong answer loses the mark it says",
          "[cli][exercise]") {
  std::map<std::string, int> wrong;
  std::map<std::string, agpusim::exercise::Trials> trials;
  for (const agpusim::exercise::Exercise& exercise : agpusim::bundled_exercises()) {
    if (!exercise.solution) continue;  // a question, or in CUDA: tests/exercise_cuda
    trials.emplace(exercise.name, exercise.trials(exercise.solution, 1));
  }
  for (const Answer& answer : all_answers()) {
    const agpusim::exercise::Marks marks =
        mark(answer.exercise, 1, trials.at(answer.exercise), answer.ask);
    CAPTURE(answer.exercise, answer.name, marks.text());
    CHECK(marks.name == answer.exercise);
    CHECK(marks.runs > 0);
    if (answer.lost == "none") {
      CHECK(marks.given() == 3);
    } else if (answer.lost == "any") {
      CHECK(marks.given() < 3);
    } else {
      if (answer.lost != "legality") CHECK(marks.result.empty() == (answer.lost != "result"));
      CHECK(marks.legality.empty() == (answer.lost != "legality"));
      CHECK((marks.right() && !marks.cost.empty()) == (answer.lost == "cost"));
      if (answer.lost == "cost") CHECK(marks.cost != marks.fewer);
      ++wrong[answer.exercise];
    }
  }
  const Finished list = run_cli("exercise list");
  for (const auto& [exercise, count] : wrong) {
    CAPTURE(exercise);
    CHECK(count >= 4);
    CHECK_THAT(list.out, says("\n" + exercise + " "));
  }
}

TEST_CASE("what a question asks for is what the commands print", "[cli][exercise]") {
  const auto steps = [&](const std::string& command) {
    return json_of_cli("step " + command).at("runs").at(0).at("steps");
  };
  std::map<std::string, std::string> right;  // value by exercise and name
  const auto put = [&](const std::string& name, const auto& value) {
    right.emplace(name, fmt::format("{}", value));
  };
  const std::string transpose = "transpose --n 64 --machine textbook --variant ";
  for (const auto& step : steps(transpose + "tiled")) {
    if (step.at("conflicts") == 0) continue;
    put("first_conflict step", step.at("step").get<int>());
    put("first_conflict turns", step.at("T").get<int>());
  }
  for (const auto& step : steps(transpose + "padded")) {
    if (step.at("instruction") == "read tile") {
      put("first_conflict padded_turns", step.at("T").get<int>());
    }
  }
  int barriers = 0;
  int alone = 0;
  for (const auto& step :
       steps("reduce --n 128 --set per_lane=8 --machine textbook --phase 0 --task 0")) {
    barriers += step.at("instruction") == "sync" ? 1 : 0;
    alone += step.at("T") > 0 && step.at("lanes").size() == 1 ? 1 : 0;
  }
  put("lanes_at_work barriers", barriers);
  put("lanes_at_work alone", alone);
  const auto why = json_of_cli("why transpose --variant naive --n 2^24");
  put("what_limits resource", why.at("limit").get<std::string>());
  put("what_limits then", why.at("resources").at(0).at("limit_then").get<std::string>());
  CHECK(why.at("resources").at(0).at("resource") == why.at("limit"));
  put("what_limits sectors", (1 << 24) * 4 / 32);
  const auto sorts = json_of_cli(
      "compare gpu_warpsort multiway_merge_sort bitonic_sort --n 2^10..2^13 --machine textbook");
  const auto& rows = sorts.at("machines").at(0).at("rows");
  for (const auto& row : rows) {
    if (row.at("algorithm") == "bitonic_sort" && row.at("n") == 4096) {
      put("sorts_cross phases", row.at("phases").template get<int>());
    }
    if (row.at("algorithm") != "multiway_merge_sort") continue;
    const bool least = std::all_of(rows.begin(), rows.end(), [&](const auto& other) {
      return other.at("n") != row.at("n") || row.at("T") <= other.at("T");
    });
    if (least) put("sorts_cross n", row.at("n").template get<int>());
  }
  const std::string scan = "pipeline scan --n 10^8 --budget 256MB --streams ";
  const double least = json_of_cli(scan + "8").at("seconds");
  for (int streams = 1; streams < 8; ++streams) {
    const auto plan = json_of_cli(scan + std::to_string(streams));
    if (plan.at("seconds") > 1.01 * least) continue;
    put("out_of_core streams", streams);
    put("out_of_core bytes", plan.at("copied_bytes").template get<std::int64_t>());
    const auto& engines = plan.at("engines");
    const auto busiest = std::max_element(
        engines.begin(), engines.end(),
        [](const auto& a, const auto& b) { return a.at("busy_seconds") < b.at("busy_seconds"); });
    put("out_of_core engine", busiest->at("engine").template get<std::string>());
  }

  std::size_t asked = 0;
  for (const agpusim::exercise::Exercise& exercise : agpusim::bundled_exercises()) {
    std::string answer;
    for (const auto& [name, value] : exercise.values) {
      CAPTURE(exercise.name, name);
      CHECK(right[exercise.name + ' ' + name] == value);
      answer += name + "=" + value + "\n";
      ++asked;
    }
    if (answer.empty()) continue;
    using agpusim::exercise::mark_values;
    CHECK(mark_values(exercise, 1, answer).given() == 3);
    CHECK(mark_values(exercise, 1, exercise.start).given() == 0);
    CHECK(mark_values(exercise, 1, answer + "nonsense\n").given() == 0);
    const std::string& name = exercise.values.front().first;
    const auto wrong = mark_values(exercise, 1, name + " = nothing # of it\n" + answer);
    CHECK(wrong.given() == 1);
    CHECK(wrong.result == name + " = nothing is not right");
  }
  CHECK(asked == right.size());
  const auto commas = agpusim::find_exercise(agpusim::bundled_exercises(), "out_of_core");
  CHECK(mark_values(commas, 1, "bytes = 1,600,000,000\nstreams = 3\nengine = Copy in\n").given() ==
        3);
}

TEST_CASE("an exercise is listed, started once and marked for line and lane", "[cli][exercise]") {
  const TempFolder folder;
  CHECK_THAT(run_cli("exercise list").out, says("prefix sums with one reader of each cell"));
  const std::string there = "cd " + folder.path().string() + " && $AGPUSIM exercise ";
  CHECK(shell(there + "start reverse").exit_code == 0);
  CHECK(shell(there + "start reverse").exit_code == 2);
  CHECK(shell(there + "start nothing").exit_code == 2);
  CHECK_THAT(shell("touch " + folder.file("ann.hpp") + "; " + there + "grade ann.hpp").err,
             says("--as"));
  const Finished none = shell("CXX= PATH=/nonexistent " + std::string() +
                              "$AGPUSIM exercise grade " + folder.file("reverse.hpp"));
  CAPTURE(none.out, none.err);
  CHECK(none.exit_code == 6);
  std::ofstream(folder.file("reverse.hpp")) << "this is no C++;\n";
  const Finished broken = shell(there + "grade reverse.hpp");
  CAPTURE(broken.err);
  CHECK(broken.exit_code == 7);
  CHECK_THAT(broken.err, StartsWith("reverse.hpp:1:1: error: "));
  CHECK_THAT(broken.err, says("reverse.hpp does not compile"));
  const Finished rows = grade("reverse", "wrong_rows");
  CHECK_THAT(rows.out, says("must be ", "written by lane ", " at wrong_rows.hpp:"));
  const Finished scattered =
      grade("reverse", "wrong_scattered", " --csv --html " + folder.file("marks.html"));
  CHECK(scattered.exit_code == 7);
  CHECK_THAT(scattered.out, says("exercise,seed,marks,mark,given,wrong\n"
                                 "reverse,1,2,result,true,\n"
                                 "reverse,1,2,legality,true,\n"
                                 "reverse,1,2,cost,false,",
                                 "wrong_scattered.hpp:"));
  CHECK_THAT(agpusim::read_file(folder.file("marks.html")), says("exercise reverse"));
}

TEST_CASE("of an answer that does not compile one sees the line, the remedy and no mark",
          "[cli][exercise]") {
  const TempFolder folder;
  // Each is a line and the remedy that the message names.
  const std::pair<const char*, const char*> all[] = {
      {"if (first + lane < n) return;", "cast an operand first, as in cast"},
      {"if (lane < 5) return;", "write mp.when(condition, [&] { ... }) for `if`"},
      {"if (lane < 5 && lane > 2) return;", "write mp.when(condition"},
      {"y = lane < 5 ? x : y;", "agpusim::select(condition, a, b)"},
      {"while (lane < 5) y = x;", "mp.while_any([&]"},
      {"for (int i = 0; i < lane; ++i) y = x;", "count with a plain number"},
      {"mp.when(!lane, [&] {});", "write x == 0"},
      {"switch (lane) { default: return; }", "mp.when for each case"},
      {"out.write(-lane, x);", "write 0 - x"},
      {"y += x;", "write x = x + y"},
      {"y <<= 1;", "write x = x << y"},
      {"y++;", "write x = x + 1"},
      {"out[lane] = in[lane];", "in.read(index)"},
      {"int t[32]; t[lane] = 3;", "one index for all lanes"},
      {"y = x + lane;", "cast an operand first"},
      {"out.write(agpusim::cast<std::int64_t>(lane), x);", "std::int32_t> index"},
      {"out.write(lane, 0);", "mp.varying(value)"},
      {"auto z = std::abs(lane);", "agpusim::abs(x)"},
      {"auto z = std::sqrt(f);", "agpusim::sqrt(x)"},
      {"auto z = ::exp(f);", "agpusim::exp(x)"},
      {"auto z = threadIdx.x;", "write mp.lane()"},
      {"__syncthreads();", "write mp.sync()"},
      {"y = std::min(x, y);", "agpusim::min(a, b)"},
      {"auto t = mp.shared<int>(5, \"t\");", "mp.template shared<T>"},
      {"auto t = mp.template shared<std::string>(5);", "LaneScalar"},
      {"std::cout << x;", "write it to out"},
      {"int k = lane;", "keep it in auto"},
      {"static __thread int z;", "variables of all tasks are no memory"},
      {"auto z = x.data()[0];", "lanes and arrays have no data()"}};
  std::size_t number = 10;
  for (const auto& [line, remedy] : all) {
    std::ofstream(folder.file("w" + std::to_string(number++) + "_reverse.hpp"))
        << "#include <cmath>\n#include <iostream>\nstruct Reverse {\n"
        << "  static constexpr const char* name = \"reverse\";\n  std::int64_t n;\n"
        << "  template <class Mp, class View>\n"
        << "  void operator()(Mp& mp, View in, View out) const {\n"
        << "    const auto lane = mp.lane(); const std::int64_t first = mp.task() * mp.width();\n"
        << "    const auto x = in.from(first).read(lane); auto y = x;\n"
        << "    const auto f = agpusim::cast<float>(x);\n    " << line << "\n  }\n};\n";
  }
  const auto answers = json_of_cli("exercise grade " + folder.path().string())["answers"];
  REQUIRE(answers.size() == std::size(all));
  for (std::size_t i = 0; i < std::size(all); ++i) {
    CAPTURE(all[i].first);
    const std::string text = answers[i]["message"];
    CHECK(answers[i]["marks"] == 0);
    CHECK_THAT(text,
               StartsWith("it does not compile: w" + std::to_string(10 + i) + "_reverse.hpp:11:"));
    CHECK_THAT(text, says(all[i].second));
  }
  const Finished one = run_cli("exercise grade " + folder.file("w11_reverse.hpp") + " --json");
  CHECK(one.exit_code == 7);
  CHECK_THAT(one.err, StartsWith("w11_reverse.hpp:11:"));
  CHECK(std::count(one.err.begin(), one.err.end(), '\n') <= 5);
  CHECK(nlohmann::json::parse(one.out)["marks"] == 0);
  const Finished more = run_cli("exercise grade " + folder.file("w11_reverse.hpp") + " --verbose");
  CHECK_THAT(more.err, says("In file included"));
  // The answer is empty: the error is not the answer's, and the compiler's words need not be UTF-8.
  std::ofstream(folder.file("reverse.hpp")) << "#warning \xff\n";
  const Finished empty = run_cli("exercise grade " + folder.file("reverse.hpp") + " --json");
  CAPTURE(empty.out, empty.err);
  CHECK_THAT(empty.err, says("error: 'Reverse' was not declared"));
  CHECK(nlohmann::json::parse(empty.out)["marks"] == 0);
}

TEST_CASE("answers that cheat, waste or break rules get what they earn, and plain right ones all",
          "[cli][exercise]") {
  struct Row {
    const char* answer;  ///< answer and exercise
    bool result, legality, cost;
    const char* message;
  };
  const Row rows[] = {
      {"always_illegal pram_histogram", false, false, false, "pram_histogram.hpp:2"},
      {"always_illegal reverse", false, false, false, "reverse.hpp:10"},
      {"cells_in_a_step pram_sum", false, true, false, "must be"},
      {"cells_outside pram_sum", false, false, false, "p.read(array, index)"},
      {"captured_variable pram_or_tree", true, true, false, "change one C++ variable"},
      {"captured_variable pram_sum", false, true, false, "change one C++ variable"},
      {"copy_constructor tree_sum", false, false, false, "a kernel holds plain values only"},
      {"cost stencil", true, true, false, "is above"},
      {"cost transpose", true, true, false, "conflicts = "},
      {"cost tree_sum", true, true, false, "T = "},
      {"empty reverse", false, false, false, "no run wrote anything"},
      {"forged reverse", false, false, false, "ended before it handed over its run (code 100)"},
      {"illegal stencil", false, false, false, "lane 1"},
      {"illegal transpose", false, false, false, "lane 0"},
      {"large_stack pram_sum", false, true, false, "change one C++ variable"},
      {"large_statics pram_sum", true, true, false, "variables take more than 16 MiB"},
      {"macro tree_sum", true, true, true, ""},
      {"named_data tree_sum", true, true, true, ""},
      {"one_task reverse", true, true, false, "T = "},
      {"only_rules_broken tree_sum", false, false, false, "out of bounds"},
      {"only_tested_sizes reverse", false, true, false, "nobody wrote it"},
      {"race tree_sum", false, false, false, "race_tree_sum.hpp:"},
      {"right pram_histogram", true, true, true, ""},
      {"right pram_scan", true, true, true, ""},
      {"right pram_sum", true, true, true, ""},
      {"right reverse", true, true, true, ""},
      {"right stencil", true, true, true, ""},
      {"right sum", true, true, true, ""},
      {"right transpose", true, true, true, ""},
      {"right tree_sum", true, true, true, ""},
      {"serial histogram", true, true, false, "T = "},
      {"serial sum", true, true, false, "T = "},
      {"sleeps reverse", false, false, false, "it was stopped after"},
      {"sorted_by_host sort_tile", true, true, false, " is above "},
      {"static pram_sum", true, true, false, "a static or global variable changes"},
      {"static_state tree_sum", true, false, false, "plain C++ variables are one for all lanes"},
      {"stack pram_sum", true, true, false, "C++ variables take more than 512 KiB"},
      {"storage tree_sum", false, false, false, "lanes and arrays have no data()"},
      {"view_of_another tree_sum", false, false, false, "words that it has not read"},
      {"view_of_shared tree_sum", false, false, false, "words that it has not read"},
      {"view_of_unwritten tree_sum", false, false, false,
       "shared memory that this task has not written"},
      {"view_storage tree_sum", false, false, false, "words that it has not read"},
      {"waste transpose", true, true, false, "T = "}};
  struct Change {
    std::string answer, of;  ///< an answer is another one but for what stands `from` in it
    std::string from, to;
  };
  const std::string tree_loop = "for (std::int32_t h = V / 2; h > 0; h /= 2) {\n      mp.sync();\n";
  // The words behind a view, by where it keeps their address.
  const std::string storage = "(*(agpusim::GlobalStorage**)((char*)&in + 8))->bytes()";
  const std::string sum = "std::uint32_t sum = 0; for (int i = 0; i < V; ++i) sum += words[i];\n";
  const std::string words = "auto* words = (std::uint32_t*)";
  const std::string tree = "tile.read(lane) + tile.read(lane + h)";
  const std::string result = "out.write(lane, tile.read(lane))";
  const Change changes[] = {
      {"view_storage_tree_sum", "right_tree_sum", "mp.sync();\n    mp.when(",
       words + storage + ";" + sum + "mp.when("},
      {"view_storage_tree_sum", "view_storage_tree_sum", tree, "tile.read(lane)"},
      {"view_storage_tree_sum", "view_storage_tree_sum", result,
       "out.write(lane, mp.varying(sum))"},
      {"view_of_another_tree_sum", "view_storage_tree_sum", "&in + 8", "&far + 8"},
      {"view_of_another_tree_sum", "view_of_another_tree_sum", "const auto tile",
       "const auto far = in.from(1); const auto tile"},
      {"view_of_shared_tree_sum", "view_storage_tree_sum", storage, "*(void**)((char*)&tile + 24)"},
      {"view_of_unwritten_tree_sum", "view_storage_tree_sum", "mp.varying(sum)",
       "((*(std::uint32_t**)((char*)&tile + 24))[V] = sum, tile.read(lane + V))"},
      {"view_of_unwritten_tree_sum", "view_of_unwritten_tree_sum", "(V, ", "(2 * V, "},
      {"cells_in_a_step_pram_sum", "right_pram_sum", "p.read(in, p.id() + h)",
       "((const std::int64_t**)&p)[2][p.id() + h]"},
      {"cells_outside_pram_sum", "right_pram_sum", "p.read(in, 0)", "pram.values(in)[0]"},
      {"always_illegal_reverse", "right_reverse", "n - 1 - first", "n - first"},
      {"cost_transpose", "right_transpose", "row * (V + 1)", "row * V"},
      {"cost_transpose", "cost_transpose", "lane * (V + 1)", "lane * V"},
      {"cost_tree_sum", "right_tree_sum", "V / 2; h > 0; h /= 2", "1; h < V; h *= 2"},
      {"cost_tree_sum", "cost_tree_sum", "lane < h", "lane % (2 * h) == 0"},
      {"illegal_stencil", "right_stencil", "mp.sync();", ""},
      {"illegal_transpose", "right_transpose", "mp.sync();", ""},
      {"only_tested_sizes_reverse", "right_reverse", "mp.when(", "if (n < 1026) mp.when("},
      {"serial_sum", "right_sum", tree_loop, "mp.sync(); for (int h = 1; h < V; ++h) {\n"},
      {"serial_sum", "serial_sum", "lane < h", "lane == 0"},
      {"static_pram_sum", "captured_variable_pram_sum", "inline",
       "std::int64_t much[1 << 18], total;\ninline"},
      {"static_pram_sum", "static_pram_sum", "std::int64_t total = 0", "total = 0"},
      {"large_statics_pram_sum", "static_pram_sum", "<< 18", "<< 22"},
      {"large_stack_pram_sum", "captured_variable_pram_sum", "std::int64_t L",
       "char much[200000]; much[0] = 1; std::int64_t L"},
      {"stack_pram_sum", "large_stack_pram_sum", "200000", "600000"},
      {"copy_constructor_tree_sum", "right_tree_sum", "template <",
       "TreeSum() {} TreeSum(const TreeSum&) {} template <"},
      {"macro_tree_sum", "right_tree_sum", "struct", "#define launch_fresh(...)\nstruct"},
      {"named_data_tree_sum", "right_tree_sum", "tile", "data"},
      {"waste_transpose", "right_transpose", "mp.sync();",
       "for (int k = 0; k < 1000; ++k) (void)(lane * 3 + k); mp.sync();"}};
  const TempFolder folder;
  std::filesystem::copy(AGPUSIM_TEST_DIR "/answers", folder.path());
  for (const auto& [answer, of, from, to] : changes) {
    CAPTURE(answer, from);
    const std::string text = content(folder / (of + ".hpp"));
    REQUIRE(contains(text, from));
    put(folder / (answer + ".hpp"), boost::replace_all_copy(text, from, to));
  }
  std::map<std::string, nlohmann::json> answers;
  const auto json = json_of_cli("exercise grade " + folder.path().string() + " --seconds 6");
  for (const auto& answer : json["answers"]) {
    answers[answer["student"].get<std::string>() + ' ' + answer["exercise"].get<std::string>()] =
        answer;
  }
  CHECK(answers.size() == std::size(rows));
  for (const Row& row : rows) {
    const nlohmann::json& answer = answers[row.answer];
    CAPTURE(row.answer, answer.dump());
    CHECK(answer["result"] == row.result);
    CHECK(answer["legality"] == row.legality);
    CHECK(answer["cost"] == row.cost);
    CHECK_THAT(answer["message"].get<std::string>(), says(row.message));
  }
}

TEST_CASE("a teacher's exercise is named where something is wrong with it", "[cli][exercise]") {
  const TempFolder folder;
  const std::string there = "cd " + folder.path().string() + " && $AGPUSIM exercise ";
  CHECK(shell(there + "new sum").exit_code == 2);
  CHECK(shell(there + "new Bad").exit_code == 2);
  REQUIRE(shell(there + "new own --pram").exit_code == 0);
  CHECK(shell(there + "new own").exit_code == 2);
  CHECK_THAT(shell(there + "check .").err, says(". has no exercise.hpp"));
  CHECK_THAT(shell(there + "list --with own --with own").err,
             says("there is another exercise own"));
  CHECK_THAT(shell(there + "list --with .").out, says("\nown  "));

  const auto change = [&](const std::string& file, const std::string& from, const std::string& to) {
    std::string text = agpusim::read_file(folder.file("own/" + file));
    REQUIRE(text.find(from) != std::string::npos);
    std::ofstream(folder.file("own/" + file)) << text.replace(text.find(from), from.size(), to);
  };
  // A wrong answer that is right, and one that loses another mark.
  change("wrong_cost_one_processor.hpp", "2 *", "3 *");
  std::filesystem::copy(folder.file("own/solution.hpp"), folder.file("own/wrong_result_none.hpp"));
  const Finished wrong = shell(there + "check own");
  CAPTURE(wrong.out, wrong.err);
  CHECK(wrong.exit_code == 7);
  CHECK_THAT(wrong.err, says("processor.hpp: it must lose cost, and loses result",
                             "none.hpp: it must lose result, and loses none"));
  // The judge: its solution breaks a rule, it says too little, it is no C++.
  change("solution.hpp", "out, p.id()", "out, 0");
  CHECK_THAT(shell(there + "check own").err, says("judge.hpp: the own solution: "));
  change("judge.hpp", "judge.out =", "const auto out =");
  CHECK_THAT(shell(there + "check own").err, says("judge.hpp: judge() sets no out"));
  change("judge.hpp", "return judge;", "return nothing;");
  const Finished broken = shell(there + "check own");
  CHECK(broken.exit_code == 3);
  CHECK_THAT(broken.err, says("judge.hpp:17:10: error: 'nothing' was not declared"));
  change("exercise.hpp", "// exercise own", "// Own");
  CHECK_THAT(shell(there + "check own").err, says("exercise.hpp:1: must be"));
}

TEST_CASE("an answer harms nothing, and what it writes beside its run is no mark",
          "[cli][exercise]") {
  const TempFolder folder;
  struct Attack {
    const char* does;
    int marks;  ///< 3: it had no effect on a right answer
  };
  const Attack attacks[] = {
      {"char z[64] = {20}; ::write(4, z, 64);", 0},
      {"::close(4);", 0},
      {"::kill(getppid(), SIGKILL);", 3},
      {"if (fork() == 0) for (;;) pause();", 3},
      {"if (socket(AF_INET, SOCK_STREAM, 0) >= 0) ::_exit(100);", 3},
      {"std::ofstream(\"written\") << 1; if (access(\"written\", F_OK) == 0) ::_exit(100);", 3},
      {"for (int i = 0; i < 1000; ++i) std::puts(\"3 of 3\");", 3},
      {"std::vector<char> much(std::size_t{8} << 30, 1);", 0}};
  const std::string right = agpusim::read_file(AGPUSIM_TEST_DIR "/answers/right_reverse.hpp");
  const std::string at = "const auto lane";
  int number = 0;
  for (const Attack& attack : attacks) {
    std::string answer = right;
    answer.insert(answer.find(at), attack.does);
    std::ofstream(folder.file(std::to_string(number++) + "_reverse.hpp"))
        << "#include <csignal>\n#include <cstdio>\n#include <fstream>\n#include <unistd.h>\n"
        << "#include <sys/socket.h>\n"
        << answer;
  }
  const auto json = json_of_cli("exercise grade " + folder.path().string());
  if (json["sandbox"].get<std::string>().starts_with("none")) return;
  REQUIRE(json["answers"].size() == std::size(attacks));
  for (std::size_t i = 0; i < std::size(attacks); ++i) {
    CAPTURE(attacks[i].does);
    CHECK(json["answers"][i]["marks"] == attacks[i].marks);
  }
}

TEST_CASE("an answer that ends the grading program gets no marks, and Ctrl-C is no answer",
          "[cli][exercise]") {
  const TempFolder folder;
  std::ofstream(folder.file("reverse.hpp")) << "// an answer\n";
  struct Ending {
    const char* compiler;  ///< what it does in place of compiling
    const char* program;   ///< what it makes
    int exit_code;
  };
  const Ending endings[] = {{"", "exit 0", 7},       {"", "exit 1", 7},         {"", "exit 100", 7},
                            {"", "kill -INT $$", 7}, {"kill -INT $$", "", 130}, {"exit 1", "", 7}};
  for (const Ending& ending : endings) {
    CAPTURE(ending.compiler, ending.program);
    std::ofstream(folder.file("cxx"))
        << "#!/bin/sh\n"
        << ending.compiler << "\nuntil [ \"$1\" = -o ]; do shift; done\n"
        << "printf '#!/bin/sh\\n%s\\n' '" << ending.program << "' >\"$2\"; chmod +x \"$2\"\n";
    std::filesystem::permissions(folder.file("cxx"), std::filesystem::perms::owner_all);
    const Finished graded =
        shell("CXX=" + folder.file("cxx") + " TMPDIR=" + folder.path().string() +
              " $AGPUSIM exercise grade " + folder.file("reverse.hpp"));
    CAPTURE(graded.out, graded.err);
    CHECK(graded.exit_code == ending.exit_code);
    CHECK(graded.err.empty() == (ending.exit_code != 7));
  }
  std::filesystem::remove(folder.file("cxx"));
  std::filesystem::remove(folder.file("reverse.hpp"));
  CHECK(std::filesystem::is_empty(folder.path()));
}
