// What of a compiler's errors a student sees.
#include "agpusim/cli/compiler_errors.hpp"

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::test::TempFolder;
using Catch::Matchers::StartsWith;

TEST_CASE("a host line has a remedy of its own, and none of lanes", "[cli][exercise]") {
  const TempFolder folder;
  const std::string file = folder.file("mine.hpp");
  struct Row {
    const char* line;
    std::string said;    ///< by g++ 12
    const char* remedy;  ///< empty: what it says itself
  };
  const std::string assigned = "no match for 'operator=' (operand types are '";
  const std::string call = "no matching function for call to 'agpusim::OwnRun<X, unsigned int>::";
  const Row rows[] = {
      {"}};",
       assigned + "std::function<agpusim::LowerBound(const agpusim::RunConfig&)>' and "
                  "'<brace-enclosed initializer list>')",
       "lower_bound is a function: [](const agpusim::RunConfig& run) { return "
       "agpusim::LowerBound{io, time, source}; }"},
      {"row.lower_bound = 5;",
       assigned + "std::function<agpusim::LowerBound(const agpusim::RunConfig&)>' and 'int')",
       "lower_bound is a function"},
      {"row.formulas = f;", assigned + "std::vector<agpusim::Formula>' and 'agpusim::Formula')",
       "formula_of_io("},
      {"return 3;",
       "inconsistent types 'std::nullopt_t' and 'long int' deduced for lambda return type",
       "-> std::optional<std::int64_t>"},
      {"row.variants = \"plain\";",
       assigned + "std::vector<agpusim::Variant>' and 'const char [6]')", ".name = \"plain\""},
      {"row.variants = {\"plain\", \"blocked\"};",
       "static assertion failed: result type must be constructible from input type",
       ".name = \"plain\""},
      {"row.parameters = {{\"tile\", \"edge\", 32}};",
       assigned + "std::vector<agpusim::Parameter>' and '<brace-enclosed initializer list>')",
       "return std::int64_t{32}"},
      {"row.io = \"2n/b\";", assigned + "agpusim::Bound' and 'const char [5]')",
       "a text and a function"},
      {"row.check = f;",
       assigned + "std::function<void(const agpusim::RunConfig&)>' and 'f()::<lambda(int)>')",
       "throw agpusim::UsageError"},
      {"row.inputs = \"uniform\";",
       assigned + "std::vector<std::__cxx11::basic_string<char> >' and 'const char [8]')",
       "inputs is a list"},
      {"run.launch(n, Copy{}, in);",
       "no match for call to '(const Copy) (agpusim::SimulatedMp&, agpusim::GlobalView<unsigned "
       "int>)'",
       "an array for each view"},
      {"const auto y = run.array(\"y\", n);", call + "array(const char [2], int64_t)'",
       "the size comes first"},
      {"const auto x = in[0];",
       "no match for 'operator[]' (operand types are 'const agpusim::GlobalArray<unsigned int>' "
       "and 'int')",
       "the host cannot look into an array"},
      {"keys += 1;",
       "no match for 'operator+=' (operand types are 'std::vector<unsigned int>' and 'int')", ""},
      {"++keys;", "no match for 'operator++' (operand type is 'std::vector<unsigned int>')", ""},
      {"k = -keys;", "no match for 'operator-' (operand type is 'std::vector<unsigned int>')", ""},
      {"k = m[\"tile\"];",
       "no match for 'operator[]' (operand types are 'const std::map<std::string, int>' and 'const "
       "char [5]')",
       ""},
      {"y += x;",
       "no match for 'operator+=' (operand types are 'agpusim::Varying<unsigned int>' and 'int')",
       "lanes have no +=: write x = x + y"},
      {"out[lane] = 0;",
       "no match for 'operator[]' (operand types are 'agpusim::GlobalView<unsigned int>' and "
       "'const agpusim::Varying<int>')",
       "a view has no []"}};
  for (const Row& row : rows) {
    CAPTURE(row.line);
    std::ofstream(file) << row.line << "\n";
    const std::string remedy = *row.remedy == '\0' ? row.said : row.remedy;
    const auto shown = agpusim::first_error(file + ":1:4: error: " + row.said + "\n", file);
    CHECK_THAT(shown.front(), StartsWith("mine.hpp:1:4: error: "));
    CHECK_THAT(shown.front(), says(remedy));
  }
}

TEST_CASE("an error in a header stands at the innermost line that leads to it", "[cli][exercise]") {
  const std::string said =
      "/h/view.hpp: In instantiation of 'f()':\n"
      "/a/sort.hpp:15:12:   required from 'operator()'\n"
      "/a/sort.hpp:32:58:   required from here\n"
      "/h/view.hpp:26:28: error: no type\n";
  CHECK(agpusim::first_error(said, "/a/sort.hpp").front() == "sort.hpp:15:12: error: no type");
}
