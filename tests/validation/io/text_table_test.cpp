#include "agpusim/validation/io/text_table.hpp"

#include <limits>
#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::detail;

TEST_CASE("columns are aligned and lines have no trailing spaces", "[validation][table]") {
  CHECK(text_table({"name", "n"}, {{"a", "1,000"}, {"longer", "7"}}, 1) ==
        "name        n\n"
        "a       1,000\n"
        "longer      7\n");
  CHECK(text_table({"a", "b"}, {{"x", ""}}, 2) == "a  b\nx\n");
  CHECK(text_table({"Φ", "b"}, {{"xy", "1"}}, 1) == "Φ   b\nxy  1\n");
  CHECK_THROWS_AS(text_table({"a", "b"}, {{"x"}}, 1), std::out_of_range);
}

TEST_CASE("a table that is wider than its page gives up code, words, then columns", "[table]") {
  const std::string name = "a_kernel_with_a_long_name";
  const std::string code = "out[blockIdx.x * blockDim.x + threadIdx.x] = 0;";
  const std::vector<TextColumn> columns = {{"kernel", Cells::words},
                                           {"sectors"},
                                           {.title = "requests", .rank = 2},
                                           {.title = "wavefronts", .rank = 1},
                                           {"text", Cells::code}};
  const std::vector<std::vector<std::string>> rows = {{name, "7", "1", "2", code}};
  const auto fit = [&](std::size_t width) { return fitted_table(columns, rows, {width}); };
  const TextTable all = fit(0);
  CHECK(all.width == 16 + 2 + 7 + 2 + 8 + 2 + 10 + 2 + 28);
  CHECK(all.text ==
        "kernel                     sectors  requests  wavefronts  text\n"
        "a_kernel_with_a_long_name        7         1           2  " +
            code + "\n");
  CHECK(fit(25 + 2 + 7 + 2 + 8 + 2 + 10 + 2 + 47).text == all.text);
  CHECK(fit(all.width).left_out.empty());
  CHECK(fit(all.width - 1).left_out == std::vector<std::string>{"requests"});
  CHECK(fit(100).text ==
        "kernel                     sectors  requests  wavefronts  text\n"
        "a_kernel_with_a_long_name        7         1           2  "
        "out[blockIdx.x * blockDim.x + threadIdx...\n");
  CHECK(fit(80).text ==
        "kernel               sectors  requests  wavefronts  text\n"
        "a_kernel_wit...name        7         1           2  out[blockIdx.x * blockDim...\n");
  const TextTable narrow = fit(62);
  CHECK(narrow.left_out == std::vector<std::string>{"requests", "wavefronts"});
  CHECK(narrow.text ==
        "kernel                   sectors  text\n"
        "a_kernel_with_a..._name        7  out[blockIdx.x * blockDim...\n");
  // Nothing may be left out: code keeps little, numbers all.
  const std::vector<TextColumn> fixed = {{"sectors"}, {"text", Cells::code}};
  CHECK(fitted_table(fixed, {{"7", code}}, {20}).text ==
        "sectors  text\n"
        "      7  out[bloc...\n");
  CHECK(fitted_table(fixed, {{"7", code}}, {10}).text ==
        "sectors  text\n"
        "      7  out[b...\n");
}

TEST_CASE("words go on in the next line, a place keeps its file, a name its end", "[table]") {
  const std::vector<TextColumn> columns = {{"n"}, {"why", Cells::words}};
  CHECK(fitted_table(columns, {{"8", "no barrier between the two"}, {"9", "Φ"}}, {22}).text ==
        "n  why\n"
        "8  no barrier between\n"
        "   the two\n"
        "9  Φ\n");
  CHECK(fitted_table(columns, {{"8", "some/folder/file.cu:14"}}, {21}).text ==
        "n  why\n"
        "8  some.../file.cu:14\n");
  CHECK(broken_lines("  a fact with words", 12, 4) ==
        std::vector<std::string>{"  a fact", "    with", "    words"});
  CHECK(broken_lines("a_word_without_space and", 8) ==
        std::vector<std::string>{"a_word_without_space", "and"});
}

TEST_CASE("colours are those of alarms and of one row", "[table]") {
  const std::vector<TextColumn> columns = {
      {.title = "finding", .cells = Cells::words, .red = true}};
  const std::vector<std::vector<std::string>> rows = {{"race"}, {"sync"}};
  CHECK(fitted_table(columns, rows, {80}, 1).text == "finding\nrace\nsync\n");
  CHECK(fitted_table(columns, rows, {80, true}, 1).text ==
        "finding\n"
        "\033[31mrace\033[39m\n"
        "\033[1m\033[31msync\033[39m\033[22m\n");
}

TEST_CASE("numbers for people", "[validation][table]") {
  CHECK(size_text(1048576) == "2^20");
  CHECK(size_text(512) == "512");
  CHECK(size_text(1000003) == "1,000,003");
  CHECK(size_text(0) == "0");
  CHECK(integer_text(999) == "999");
  CHECK(integer_text(-1234567) == "-1,234,567");
  CHECK(integer_text(-123) == "-123");
  CHECK(integer_text(std::numeric_limits<std::int64_t>::min()) == "-9,223,372,036,854,775,808");
  CHECK(decimal_text(0.37123) == "0.3712");
  CHECK(decimal_text(0.0026) == "0.002600");
  CHECK(decimal_text(12.345) == "12.35");
  CHECK(decimal_text(12345.6) == "12346");
  CHECK(decimal_text(0) == "0");
  CHECK(percent_text(0.1234) == "12.3 %");
  CHECK(signed_percent_text(0.1234) == "+12.3 %");
  CHECK(signed_percent_text(-2) == "-200.0 %");
}
