#include "agpusim/commands/compare/compare.hpp"

#include <algorithm>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/record.hpp"

using namespace agpusim::test;
using Json = nlohmann::json;

namespace {

Json comparison(const std::string& arguments) { return json_of_cli("compare " + arguments); }

/// The middle of the values, the mean of two middle ones.
double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// A record file with one time of vector_add per device.
std::string records_of(const TempFolder& folder, const std::vector<std::string>& devices) {
  std::vector<std::string> lines;
  for (const std::string& device : devices) {
    agpusim::TimingRecord record{
        .environment = {.device = device},
        .date = "2026-11-20T10:00:00Z",
        .config = {.algorithm = "vector_add", .n = 1024, .parameters = {{"rows", 8}}},
        .samples = {.microseconds = {2000}, .stop = "stable"}};
    lines.push_back(agpusim::to_line(record));
  }
  agpusim::append_records(folder.file("r.jsonl"), lines);
  return "--records '" + folder.file("r.jsonl") + "'";
}

}  // namespace

TEST_CASE("compare counts what run simulates, for every contestant and n", "[cli][compare]") {
  const Json result = comparison("scan:sum scan:blelloch,rows=2 reduce --n 2^10,3000 --M 4096");
  const auto& machine = result.at("machines").at(0);
  CHECK(machine.at("label") == "h200 M=4096");
  const std::string runs[] = {"scan --variant sum", "scan --variant blelloch --set rows=2",
                              "reduce"};
  REQUIRE(machine.at("rows").size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& row = machine.at("rows").at(i);
    const Json sheet = json_of_cli("run " + runs[i % 3] + " --n " +
                                   std::to_string(row.at("n").get<int>()) + " --M 4096");
    CHECK(row.at("T") == sheet.at("T"));
    CHECK(row.at("Q") == sheet.at("Q"));
    CHECK(row.at("phases") == sheet.at("phases"));
    CHECK(row.at("T_lower") == sheet.at("lower_bound").at("T"));
    CHECK(row.at("Q_lower") == sheet.at("lower_bound").at("Q"));
    CHECK(row.at("parameters") == sheet.at("config").at("parameters"));
  }
}

TEST_CASE("compare knows who moves fewer blocks and where they were measured", "[cli][compare]") {
  const Json result = comparison("transpose:naive transpose:padded --n 2^10..2^12");
  const auto& machine = result.at("machines").at(0);
  CHECK(machine.at("device") == "NVIDIA H200");
  for (const auto& row : machine.at("rows")) {
    const auto n = row.at("n").get<std::int64_t>();
    // Reading n words takes n/32 blocks; written padded as many, naive a block per word.
    const bool naive = row.at("contestant") == "transpose:naive";
    CHECK(row.at("Q") == (naive ? n / 32 + n : 2 * n / 32));
    const std::vector<std::string> smallest = row.at("smallest");
    CHECK((std::find(smallest.begin(), smallest.end(), "Q") == smallest.end()) == naive);
  }
  const auto file =
      agpusim::read_records(agpusim::data_folder() / "data" / "h200" / "table" / "times.jsonl.xz");
  std::int64_t found = 0;
  for (const agpusim::TimingRecord& record : file.timings) {
    const agpusim::RunConfig& config = record.config;
    if (config.algorithm != "transpose" || config.variant != "naive" || config.type != "u32" ||
        config.n != 1024 || config.spec != agpusim::AgpuSpec{} || config.input != "uniform") {
      continue;
    }
    ++found;
    const auto& row = machine.at("rows").at(0);
    CHECK(row.at("measured_ms").get<double>() ==
          Catch::Approx(middle(record.samples.microseconds) / 1000));
    CHECK(row.at("samples") == record.samples.microseconds.size());
  }
  CHECK(found == 1);
}

TEST_CASE("compare shows a library beside the rows that were measured on the same keys",
          "[cli][compare]") {
  const Json result = comparison(
      "hp_sort cub_radix_sort:all_bits --n 1e5,1e6 --input distinct --machine h200-block");
  CHECK(result.at("contestants").at(1).at("measured_only") == true);
  std::map<std::int64_t, std::int64_t> fastest;  // by n
  for (const auto& row : result.at("machines").at(0).at("rows")) {
    for (const auto& by : row.at("smallest")) fastest[row.at("n")] += by == "measured";
    if (row.at("contestant") != "cub_radix_sort:all_bits") continue;
    CHECK(row.at("T").is_null());
    CHECK(row.at("predicted_ms").is_null());
    CHECK(row.at("measured_ms").get<double>() > 0);
    CHECK(row.at("parameters").at("range") == row.at("n"));
  }
  CHECK(fastest == std::map<std::int64_t, std::int64_t>{{100'000, 1}, {1'000'000, 1}});
  const Json few = comparison(
      "hp_sort cub_radix_sort:all_bits --n 1e6 --set range=1000 --set values=100 --machine "
      "h200-block");
  for (const auto& row : few.at("machines").at(0).at("rows")) {
    CHECK(row.at("parameters").at("range") == 1000);
  }
}

TEST_CASE("compare takes every combination of lists of machine parameters", "[cli][compare]") {
  const Json result = comparison(
      "vector_add reduce --n 2^10 --machine h200 --machine textbook --b 16,32 --M 2^12..2^13");
  std::vector<std::string> labels;
  for (const auto& machine : result.at("machines")) labels.push_back(machine.at("label"));
  CHECK(labels == std::vector<std::string>{"h200 b=16 M=4096", "h200 b=16 M=8192",
                                           "h200 b=32 M=4096", "h200 b=32 M=8192",
                                           "textbook b=16 M=4096", "textbook b=16 M=8192",
                                           "textbook b=32 M=4096", "textbook b=32 M=8192"});
  const auto predicted = [&](std::size_t i) {
    return !result.at("machines").at(i).at("rows").at(0).at("predicted_ms").is_null();
  };
  CHECK_FALSE(predicted(0));
  CHECK(predicted(2));
  CHECK_FALSE(predicted(6));
  CHECK(result.at("machines").at(2).at("device") == "NVIDIA H200");
  CHECK(result.at("machines").at(6).at("device").is_null());
  const Json named = comparison("vector_add reduce --n 2^10 --p 1024 --device h200");
  CHECK(named.at("machines").at(0).at("device") == "NVIDIA H200");
  CHECK(named.at("machines").at(0).at("rows").at(0).at("predicted_ms") > 0);
}

TEST_CASE("a machine that cannot exist is shown, unless there is no other", "[cli][compare]") {
  const Json result = comparison("vector_add reduce --n 2^10 --p 100 --b 10,32");
  REQUIRE(result.at("machines").size() == 2);
  CHECK(result.at("machines").at(0).at("refusal").is_null());
  CHECK(contains(result.at("machines").at(1).at("refusal"), "p = 100 is not a multiple of b = 32"));
  CHECK(result.at("machines").at(1).at("rows").empty());
  CHECK(comparison("vector_add reduce --n 8 --machine h200,h200").at("machines").size() == 1);
}

TEST_CASE("compare simulates on request", "[cli][compare]") {
  const Json result = comparison("scan:sum scan:kogge_stone --n 1..16 --simulate --threads 1");
  REQUIRE(result.at("machines").at(0).at("rows").size() == 10);
  for (const auto& row : result.at("machines").at(0).at("rows")) {
    CHECK(row.at("counts") == "simulated");
    CHECK(row.at("differences").empty());
  }
  const Finished open = run_cli("compare scan:sum reduce --n 2^10 --assignment next-fit");
  CHECK(contains(open.out, "h200 assignment=next-fit: "));
}

TEST_CASE("compare takes given keys", "[cli][compare]") {
  const Json result = comparison("hp_sort run_head_hp_sort --input values:3,3,1,2");
  REQUIRE(result.at("machines").at(0).at("rows").size() == 2);
  CHECK(result.at("machines").at(0).at("rows").at(1).at("n") == 4);
}

TEST_CASE("the records say whose times they are", "[cli][compare]") {
  const TempFolder one;
  const Json result =
      comparison("vector_add reduce --n 2^10 " + records_of(one, {"Somebody's GPU"}));
  const auto& machine = result.at("machines").at(0);
  CHECK(machine.at("device") == "Somebody's GPU");
  CHECK(machine.at("rows").at(0).at("measured_ms") == 2);
  CHECK(machine.at("rows").at(0).at("predicted_ms").is_null());
  CHECK(contains(machine.at("remarks").dump(), "unknown device 'Somebody's GPU'"));
  const TempFolder two;
  const std::string records = records_of(two, {"NVIDIA H200", "Somebody's GPU"});
  check_refused(run_cli("compare vector_add reduce --n 2^10 " + records), 2,
                "several devices: choose one with --device: NVIDIA H200, Somebody's GPU");
  const Json chosen = comparison("vector_add reduce --n 2^10 --device 'NVIDIA H200' " + records);
  const auto& entry = chosen.at("machines").at(0).at("rows").at(0);
  CHECK(entry.at("measured_ms") == 2);
  CHECK(entry.at("predicted_ms") > 0);
}

TEST_CASE("compare refuses what it cannot use in one line", "[cli][compare][error]") {
  check_refusals(
      "compare",
      {
          {"", "contestants is required"},
          {"vector_add reduce", "--n is required, for example --n 2^10..2^20"},
          {"vector_add --n 8", "two contestants or more"},
          {"reduce reduce:commutative --n 8", "'reduce:commutative' is named twice"},
          {"vector_ad reduce --n 8", "unknown contestant 'vector_ad': did you mean 'vector_add'?"},
          {"cub_sca reduce --n 8", "did you mean 'cub_scan'?"},
          {"sum reduce --n 8", "'sum' runs on a PRAM only"},
          {"scan:su reduce --n 8", "unknown variant of scan 'su': did you mean 'sum'?"},
          {"vector_add:x reduce --n 8", "vector_add has no variants; leave ':x' out"},
          {"cub_radix_sort hp_sort --n 8",
           "choose cub_radix_sort:all_bits or cub_radix_sort:fitted"},
          {"cub_scan:x scan --n 8", "cub_scan has no variants; leave ':x' out"},
          {"scan,rows reduce --n 8", "contestant 'scan,rows': --set 'rows' is not NAME=VALUE"},
          {"scan,rows=x reduce --n 8", "'x' is not a size"},
          {"scan,rows=0 reduce --n 8", "rows = 0: must be at least 1"},
          {"scan,row=1 reduce --n 8", "did you mean 'rows'?"},
          {"scan,rows=1,rows=2 reduce --n 8", "the parameter rows is given twice"},
          {"cub_scan,rows=1 scan --n 8", "cub_scan has no parameters"},
          {"scan reduce --n 8 --set range=4", "unknown parameter of the contestants 'range'"},
          {"scan reduce --n 8 --set range", "--set 'range' is not NAME=VALUE"},
          {"scan reduce --n 2^20..2^10", "ends before it begins"},
          {"scan reduce --n 1,x", "--n 'x' is not a size"},
          {"scan reduce --n 8 --type f32", "no contestant can be compared: scan has no type 'f32'"},
          {"scan reduce --n 8 --b 16,x", "--b 'x' is not a size"},
          {"scan reduce --n 8 --b 2048", "--b '2048' is too large"},
          {"scan reduce --n 8 --machine h20", "did you mean 'h200'?"},
          {"scan reduce --n 8 --seed x", "--seed 'x' is not a size"},
          {"scan reduce --n 8 --device Foo", "unknown device 'Foo'"},
          {"vector_add reduce --n 2^10 --p 100 --b 32", "p = 100 is not a multiple of b = 32"},
      });
  check_refused(run_cli("compare scan reduce --n 8 --records no.jsonl"), 5, "no.jsonl");
  const TempFolder folder;
  const std::string page = "compare vector_add reduce --n 8 --html '" + folder.path().string();
  check_refused(run_cli(page + "/no/p.html'"), 5, "choose another place with --html");
  check_refused(run_cli(page + "'"), 5, "names a folder");
}

TEST_CASE("compare is stopped by Ctrl-C", "[cli][compare]") {
  const Finished stopped = shell(
      "timeout --preserve-status -s INT 0.7 \"$AGPUSIM\" compare bitonic_sort scan --n 2^24 "
      "--simulate --threads 1");
  CHECK(stopped.exit_code == 130);
  CHECK(stopped.out.empty());
}
