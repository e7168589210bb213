#include "agpusim/validation/io/text_table.hpp"

#include <cstdint>
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
