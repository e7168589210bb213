#include <map>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;

TEST_CASE("rows of a program without styles are left out by algorithm", "[cli][validate]") {
  std::ifstream all(data_folder() / "data" / "h100" / "table" / "times.jsonl");
  std::map<std::string, int> taken;
  std::string some;
  for (std::string line; std::getline(all, line);) {
    for (const std::string name : {"reduce", "vector_add"}) {
      if (line.find("\"algorithm\":\"" + name + "\"") == std::string::npos) continue;
      if (++taken[name] <= 5) some += line + "\n";
    }
  }
  const test::TempFolder folder;
  test::put(folder / "times.jsonl", some);
  const std::string own =
      test::output_of_cli("validate --json --own '" + folder.file("times.jsonl") + "'");
  const auto report = nlohmann::json::parse(own);
  std::map<std::string, nlohmann::json> by_fit;
  for (const auto& line : report["scores"]) {
    by_fit[line["predicted"].get<std::string>() + " / " + line["fitted_to"].get<std::string>()] =
        line;
  }
  CHECK(by_fit.at("from counts / (device file)")["rows"] == 10);
  CHECK(by_fit.at("from counts, each algorithm left out / the other algorithms")["rows"] == 10);
  CHECK(by_fit.at("from counts / the table on NVIDIA H200")["mape"] < 0.5);
  // Transposes and sorts, of which none is among what the constants are fitted to.
  CHECK(by_fit.at("the table on NVIDIA H100 80GB HBM3 / these, from counts")["rows"] == 594);
}
