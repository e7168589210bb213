#include "agpusim/validation/records/config_json.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

using namespace agpusim;
using namespace agpusim::test;

TEST_CASE("a configuration is one line of JSON and comes back", "[validation][config_json]") {
  auto config = fake_config(1000);
  config.variant = "padded";
  config.spec.next_fit_cap = 7;
  CHECK(config_from_json(config_to_json(config)) == config);
  CHECK(
      config_to_json(fake_config(5)) ==
      R"({"algorithm":"twice","input":"uniform","machine":{"M":14528,"V":32,"assignment":"static",)"
      R"("b":32,"bank_mode":"merge","next_fit_cap":0,"p":16896,"skip_empty":true,"w":32},"n":5,)"
      R"("parameters":{"tile":32},"seed":1,"type":"u32","variant":""})");
}

TEST_CASE("a configuration that lacks a field is refused", "[validation][config_json][bad_input]") {
  const auto refusal = [](const std::string& text) {
    return message_of<FileError>([&] { return config_from_json(text); });
  };
  CHECK_THAT(refusal("{}"), says("run configuration: field 'algorithm' is missing"));
  CHECK_THAT(refusal("{"), says("not valid JSON"));
  std::string text = config_to_json(fake_config(5));
  text.replace(text.find("\"w\":32"), 6, "\"w\":true");
  CHECK_THAT(refusal(text), says("field 'w' is not an integer"));
}
