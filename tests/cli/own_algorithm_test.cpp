// Algorithms of their own, as a program outside the repository writes them. tests/install runs the
// command line of such a program.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/agpusim.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

/// c[i] = a[i] + b[i] in rows of V lanes.
struct AddRows {
  static constexpr const char* name = "add_rows";
  static constexpr bool oblivious = true;
  std::int64_t n;

  template <class Mp, class View>
  void operator()(Mp& mp, View a, View b, View c) const {
    const std::int64_t first = mp.task() * mp.width();
    const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(n - first, mp.width()));
    for_lanes(mp, count, [&](const auto& i) {
      c.from(first).write(i, a.from(first).read(i) + b.from(first).read(i));
    });
  }
};

/// Adds 1, 2, 3, ... to the keys.
template <class... Types>
OwnAlgorithm add_positions() {
  const auto program = [](auto& run) {
    using T = typename std::remove_reference_t<decltype(run)>::Element;
    const auto in = run.input();
    const auto added = run.upload(run.n(), "positions", [n = run.n()] {
      std::vector<T> positions(static_cast<std::size_t>(n));
      std::iota(positions.begin(), positions.end(), T{1});
      return positions;
    });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), AddRows{run.n()}, in, added, out);
    run.result(out);
  };
  const auto reference = [](auto keys) {
    using T = typename decltype(keys)::value_type;
    T position{0};
    for (T& key : keys) key += ++position;
    return keys;
  };
  return algorithm<Types...>("add_positions", program, reference);
}

RunConfig run_of(std::int64_t n, const std::string& type = "", const std::string& input = "") {
  return RunConfig{.type = type, .n = n, .input = input};
}

}  // namespace

TEST_CASE("a row of kernel, program and reference runs, and costs what its kernel says",
          "[algorithms][own]") {
  const OwnAlgorithm row = add_positions<std::uint32_t, std::uint64_t>();
  const std::int64_t b = AgpuSpec{}.block_words;
  for (const std::int64_t n : {1, 31, 32, 33, 1000, 4096}) {
    CAPTURE(n);
    for (const std::string type : {"u32", "u64"}) {
      const RunResult result = simulate(row, run_of(n, type));
      const std::int64_t words = type == "u64" ? 2 : 1;
      CHECK(result.correct);
      CHECK(result.report.total().io() == 3 * ((n * words + b - 1) / b));
      CHECK(result.report.total().conflicts() == 0);
      CHECK(result.report.phases.size() == 1);
    }
  }
}

TEST_CASE("what a row leaves out has defaults", "[algorithms][own]") {
  Registry registry;
  registry.add(add_positions<>());
  const Algorithm& row = registry.find("add_positions");
  CHECK(row.types == std::vector<std::string>{"u32"});
  CHECK(row.inputs == input_kinds());
  CHECK(row.time.text == "none known");
  CHECK(row.io.text == "none known");
  CHECK(row.lower_bound(resolve(row, run_of(1000))).io == 0);
  CHECK(registry.find_or_null("add_positions") == &row);
  CHECK(registry.find_or_null("add") == nullptr);
  // Derived, so not simulated: an array of this size would not fit.
  const auto report = row.derive(resolve(row, run_of(std::int64_t{1} << 36)));
  REQUIRE(report);
  CHECK(report->total().io() == 3 * (std::int64_t{1} << 31));
}

TEST_CASE("an own algorithm takes signed and floating-point elements", "[algorithms][own]") {
  const OwnAlgorithm row = add_positions<float, std::int32_t, std::uint32_t>();
  CHECK(row.types == std::vector<std::string>{"f32", "i32", "u32"});
  for (const std::string& type : row.types) {
    for (const std::string& input : row.inputs) {
      CAPTURE(type, input);
      CHECK(simulate(row, run_of(100, type, input)).correct);
    }
  }
  CHECK(std::count(row.inputs.begin(), row.inputs.end(), "sorted") == 1);
}

TEST_CASE("a wrong own algorithm is found out", "[algorithms][own]") {
  const auto copies = [](auto& run) { run.result(run.input()); };
  const auto sorts = [](auto keys) {
    std::sort(keys.begin(), keys.end());
    return keys;
  };
  const RunResult wrong = simulate(algorithm("copies", copies, sorts), run_of(100));
  CHECK_FALSE(wrong.correct);
  std::vector<std::uint32_t> keys = input_of<std::uint32_t>(run_of(100, "u32", "uniform"));
  const std::vector<std::uint32_t> sorted = sorts(keys);
  const auto [left, right] = std::mismatch(keys.begin(), keys.end(), sorted.begin());
  REQUIRE(wrong.differences.first.size() == 5);
  CHECK(wrong.differences.count > 90);
  CHECK(wrong.differences.of == 100);
  CHECK(wrong.differences.first[0].index == left - keys.begin());
  CHECK(wrong.differences.first[0].got == std::to_string(*left));
  CHECK(wrong.differences.first[0].expected == std::to_string(*right));
  const auto shortens = [](auto all) {
    all.pop_back();
    return all;
  };
  CHECK(simulate(algorithm("copies", copies, shortens), run_of(3)).differences.text() ==
        fmt::format("1 of 3 numbers differ: [2] is {}, must be none", keys[2]));
  const auto forgets = [](auto& run) { static_cast<void>(run.input()); };
  CHECK(test::message_of<UsageError>([&] {
          return simulate(algorithm("forgets", forgets, sorts), run_of(100));
        }) == "the program of forgets names no result: call run.result(array)");
}

TEST_CASE("the reference of an own algorithm knows the run, and parameters need a row",
          "[algorithms][own]") {
  const auto program = [](auto& run) {
    const std::vector<std::uint32_t> added(static_cast<std::size_t>(run.n()),
                                           static_cast<std::uint32_t>(run.parameter("step")));
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), AddRows{run.n()}, run.input(),
               run.upload(run.n(), "added", [=] { return added; }), out);
    run.result(out);
  };
  const auto reference = [](auto keys, const RunConfig& run) {
    for (auto& key : keys) key += static_cast<std::uint32_t>(run.parameters.at("step"));
    return keys;
  };
  OwnAlgorithm row = algorithm("steps", program, reference);
  CHECK(test::message_of<UsageError>([&] { return simulate(row, run_of(100)); }) ==
        "the program of steps asks for the parameter 'step', which is none of its row: add it to "
        "row.parameters");
  row.parameters = {{"step", "what is added", [](const RunConfig&) { return std::int64_t{7}; }}};
  for (const std::int64_t step : {0, 1, 1000}) {
    RunConfig run = run_of(100);
    if (step > 0) run.parameters["step"] = step;
    CHECK(simulate(row, run).correct);
  }
}

TEST_CASE("a row without a reference is counted, and its result is not checked",
          "[algorithms][own]") {
  const auto copies = [](auto& run) { run.result(run.input()); };
  const OwnAlgorithm own = algorithm("copies", copies);
  const RunResult result = simulate(own, run_of(100));
  CHECK_FALSE(result.checked);
  CHECK(result.correct);
  Registry registry;
  registry.add(own);
  const Algorithm& row = registry.on_agpu().front();
  CHECK(row.reference(resolve(row, run_of(100))) == result.checksum);
}

TEST_CASE("a row needs a name of its own and a program", "[algorithms][own]") {
  const Algorithm whole = add_positions<>();
  Registry registry;
  registry.add(whole);
  CHECK_THROWS_AS(registry.add(whole), std::logic_error);
  for (const auto spoil :
       {+[](Algorithm& row) { row.name = ""; }, +[](Algorithm& row) { row.program = nullptr; }}) {
    Algorithm row = whole;
    row.name = "other";
    spoil(row);
    CHECK_THROWS_AS(registry.add(row), std::logic_error);
  }
}

TEST_CASE("the rows of the repository leave nothing out", "[algorithms]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    CAPTURE(row.name);
    CHECK(row.summary != "no summary");
    CHECK(row.source != "no source");
    for (const RunConfig& form : forms_of(row)) {
      CAPTURE(form.variant);
      CHECK(time_bound(row, form).text != "none known");
      CHECK(io_bound(row, form).text != "none known");
      CHECK(time_bound(row, form).value);
      CHECK(io_bound(row, form).value);
    }
    for (const Variant& variant : row.variants) {
      CAPTURE(variant.name, variant.help);
      CHECK_FALSE(variant.help.empty());
      CHECK(variant.help.size() <= 100);
    }
  }
}

TEST_CASE("new writes a project once, and only for a name that an algorithm can have", "[cli]") {
  const test::TempFolder folder;
  const std::string project = folder.file("my_sort");
  CHECK_THAT(test::output_of_cli("new my_sort --folder " + project), says("my_sort.hpp"));
  for (const std::string file :
       {"my_sort.hpp", "main.cpp", "test.cpp", "CMakeLists.txt", "README.md"}) {
    CAPTURE(file);
    const std::string text = test::content(folder.path() / "my_sort" / file);
    CHECK_THAT(text, says("my_sort"));
    CHECK(text.find("@name@") == std::string::npos);
  }
  // It is for the user to say what a cost does not depend on.
  CHECK(test::content(folder.path() / "my_sort" / "my_sort.hpp").find("oblivious") ==
        std::string::npos);
  const std::string before = test::content(folder.path() / "my_sort" / "my_sort.hpp");
  const test::Finished again = test::run_cli("new my_sort --folder " + project);
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.err, says("exists already"));
  CHECK(test::content(folder.path() / "my_sort" / "my_sort.hpp") == before);
  for (const std::string name : {"My_sort", "9lives", "a-b", "scan", "maximum", "test"}) {
    CAPTURE(name);
    const std::string other = folder.file("other");
    CHECK(test::run_cli("new " + name + " --folder " + other).exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(other));
  }
  const std::string spaced = "'" + folder.file("two words") + "'";
  CHECK(test::run_cli("new my_scan --folder " + spaced)
            .out.find("cmake -S " + spaced + " -B " + spaced + "/build") != std::string::npos);
  CHECK(test::run_cli("new my_scan --folder /dev/null/my_scan").exit_code == 5);
  CHECK(test::run_cli("new my_scan --folder \"\"").exit_code == 2);
}

}  // namespace agpusim
