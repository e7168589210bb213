#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/report/report_data.hpp"

namespace {

std::string packed(const char* text) {
  return agpusim::report::packed(agpusim::report::Value::parse(text)).dump();
}

}  // namespace

TEST_CASE("objects are packed as columns", "[validation][packed]") {
  CHECK(
      packed(
          R"([{"n":1,"of":"a","b":null},{"n":2,"of":"c","b":null},{"n":3,"of":"a","b":null}])") ==
      R"({"packed":3,"columns":{"n":[1,2,3],"of":{"texts":["a","c"],"index":[0,1,0]},"b":{"all":null}}})");
  CHECK(packed(R"({"rows":[{"at":{"x":1}},{"at":{"x":2.5}}]})") ==
        R"({"rows":{"packed":2,"columns":{"at":{"packed":2,"columns":{"x":[1,2.5]}}}}})");
}

TEST_CASE("absent members are no nulls", "[validation][packed]") {
  CHECK(packed(R"([{"x":1},{"x":2,"y":3}])") ==
        R"({"packed":2,"sparse":{"x":[1,2],"y":[null,3]}})");
  const char* const both = R"([{"x":null},{"x":2,"y":3}])";
  CHECK(packed(both) == both);
}

TEST_CASE("what is no rows stays as it is", "[validation][packed]") {
  for (const char* const text :
       {"[]", R"([{"x":1}])", "[1,[2,3]]", R"([{"x":1},2])", R"({"x":{}})", "null"})
    CHECK(packed(text) == text);
}
