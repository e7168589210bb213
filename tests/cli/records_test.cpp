#include <algorithm>
#include <set>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/record.hpp"

using namespace agpusim::test;

namespace {

/// A record as `measure` writes it: a run of the algorithm, its right result, invented times.
agpusim::TimingRecord make_record(
    std::int64_t n, const agpusim::Algorithm& algorithm = all_rows().on_agpu().front()) {
  agpusim::TimingRecord record{.environment = {.device = "NVIDIA H200"},
                               .date = "2026-01-01T00:00:00Z",
                               .config = {.algorithm = algorithm.name, .n = n}};
  record.config = resolve(algorithm, record.config);
  record.checksum = algorithm.reference(record.config);
  record.samples = {{10.0, 10.5, 11.0}, "stable"};
  return record;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void check_bad_file(const std::string& path, const std::string& line, const std::string& part) {
  const Finished finished = run_cli("analyze --verify --no-html '" + path + "'");
  CAPTURE(finished.out, finished.err);
  CHECK(finished.exit_code == 3);
  CHECK(finished.out.empty());
  CHECK(finished.err.find('\n') + 1 == finished.err.size());
  CHECK_THAT(finished.err, says(path + ":" + line, part));
}

/// One line of two cannot be used: the other is, and the text and standard error of CSV say so.
void check_bad_line(const std::string& path, const std::string& line, const std::string& part) {
  const std::string text = output_of_cli("analyze --verify --no-html '" + path + "'");
  CHECK_THAT(text, says("the times of 1 run of", path + ":" + line, part));
  const Finished csv = run_cli("analyze --verify --csv '" + path + "'");
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 2);
  CHECK_THAT(csv.err, says(part));
}

}  // namespace

TEST_CASE("without records analyze takes the bundled ones of the H200", "[cli]") {
  // The latest of several records of one run counts.
  std::set<std::string> timed;
  std::set<std::string> profiled;
  const auto bundled = agpusim::read_all_records(agpusim::record_folders({"analysis", "table"}));
  for (const auto& record : bundled.timings) {
    if (record.environment.device != "NVIDIA H200") continue;
    if (record.config.n <= 1 << 12) timed.insert(config_to_json(record.config));
  }
  for (const auto& record : bundled.counters) {
    if (record.config.n > 1 << 12) continue;
    profiled.insert(config_to_json(record.config) + " " + std::to_string(record.launch));
  }
  REQUIRE(timed.size() > 1);
  REQUIRE(profiled.size() > 1);

  const Finished text = run_cli("analyze --no-html --n-max 2^12");
  CAPTURE(text.out, text.err);
  REQUIRE(text.exit_code == 0);
  CHECK(text.err.find("error") == std::string::npos);  // progress, where it takes long
  CHECK(text.out.starts_with("Predicted and measured on NVIDIA H200\n" +
                             agpusim::detail::integer_text(std::ssize(timed)) + " runs of "));
  CHECK_THAT(text.out, says("with each algorithm left out of the fit"));
  CHECK(std::count(text.out.begin(), text.out.end(), '\n') <= 60);
  const Finished rows = run_cli("analyze --no-html --rows --n-max 2^12");
  CHECK(std::count(rows.out.begin(), rows.out.end(), '\n') >
        static_cast<std::ptrdiff_t>(timed.size()));
  CHECK(text.out.find("nan") == std::string::npos);
  CHECK(text.out.find("DIFFERENT") == std::string::npos);

  const auto counters = json_of_cli("analyze --n-max 2^12").at("counters");
  CHECK(counters.at("launches") == profiled.size());
  for (const auto& difference : counters.at("differences")) {
    CAPTURE(difference.dump());
    CHECK(difference.at("reason") != "unexplained");
  }
}

TEST_CASE("a damaged, edited or foreign record is told with its place", "[cli][error]") {
  const TempFolder folder;
  const std::string path = folder.file("times.jsonl");
  const std::string first = to_line(make_record(1 << 10)) + "\n";
  const std::string second = to_line(make_record(1 << 12)) + "\n";

  put(path, first + second.substr(0, second.size() / 2));
  check_bad_line(path, "2", "truncated");
  put(path, first.substr(0, first.size() / 2) + "\n" + second);
  check_bad_line(path, "1", "not valid JSON");
  put(path, first + replaced(second, "\"n\":4096", "\"n\":4097"));
  check_bad_line(path, "2", "digest");
  put(path, first + replaced(second, "\"schema\":1", "\"schema\":9"));
  check_bad_line(path, "2", "schema 9");
  put(path, first + std::string("\0\0\0", 3));
  check_bad_line(path, "2", "no record");
  put(path, first + "\n");
  check_bad_line(path, "2", "no record");
  agpusim::TimingRecord unknown = make_record(1 << 12);
  unknown.config.algorithm = "another";
  put(path, first + to_line(unknown) + "\n");
  check_bad_line(path, "2", "this agpusim has no algorithm 'another'");

  put(path, "not a record\n");
  check_bad_file(path, "1", "no record: a line of a record file is a JSON object");
  put(path, std::string("\x7f\x45LF\0\xff\xfe binary", 14));
  check_bad_file(path, "1", "no record: a line of a record file is a JSON object");
}

TEST_CASE("a record whose checksum is not the run's is refused", "[cli][error]") {
  const TempFolder folder;
  const std::string path = folder.file("times.jsonl");
  agpusim::TimingRecord record = make_record(1 << 10);
  ++record.checksum;
  put(path, to_line(record) + "\n");
  check_bad_file(path, "1", "checksum");
  put(path, to_line(record) + "\n" + to_line(make_record(1 << 12)) + "\n");
  check_bad_line(path, "1", "checksum");
}

TEST_CASE("count --check says how many runs have no counts", "[cli]") {
  const TempFolder folder;
  const std::string records = folder.file("times.jsonl");
  const std::string out = folder.file("counts.jsonl");
  const agpusim::Algorithm& depends_on_data = row("merge_sorted");
  const auto line = [&](std::int64_t n) { return to_line(make_record(n, depends_on_data)) + "\n"; };
  put(records, line(1 << 10));
  const std::string files = "'" + records + "' --out '" + out + "'";
  REQUIRE(run_cli("count " + files).exit_code == 0);
  put(records, to_line(make_record(1 << 12)) + "\n" + line(1 << 10) + line(1 << 11));
  const auto checked = json_of_cli("count --check " + files);
  CHECK(checked.at("stored") == 1);
  CHECK(checked.at("recorded") == 3);
  CHECK(checked.at("uncounted") == 1);
  CHECK_FALSE(json_of_cli("count --check --out '" + out + "'").contains("uncounted"));
}

TEST_CASE("import-counters names a plan or profile it cannot read", "[cli][error]") {
  const TempFolder folder;
  const std::string out = " --out '" + folder.file("counters.jsonl") + "'";
  const Finished missing = run_cli("import-counters no-plan.jsonl no-profile.csv" + out);
  CHECK(missing.exit_code == 5);
  CHECK_THAT(missing.err, says("no-plan.jsonl"));
  put(folder.file("plan.jsonl"), to_line(make_record(1 << 10)) + "\n");
  put(folder.file("profile.csv"), "no table\n");
  const Finished wrong = run_cli("import-counters '" + folder.file("plan.jsonl") + "' '" +
                                 folder.file("profile.csv") + "'" + out);
  CHECK(wrong.exit_code == 3);
  CHECK_FALSE(std::filesystem::exists(folder.file("counters.jsonl")));
}

TEST_CASE("import-counters says which metrics are missing and how to profile them",
          "[cli][error]") {
  const TempFolder folder;
  const std::string plan =
      std::string(AGPUSIM_TEST_DIR) + "/validation/records/foreign_profiles/plan.jsonl";
  const auto import = [&](const std::string& metric) {
    put(folder.file("profile.csv"), "\"ID\",\"Kernel Name\",\"" + metric +
                                        "\"\n\"\",\"\",\"sector\"\n" +
                                        "\"0\",\"run_kernel\",\"1024\"\n");
    return run_cli("import-counters '" + plan + "' '" + folder.file("profile.csv") + "' --out '" +
                   folder.file("counters.jsonl") + "'");
  };
  const std::string command =
      "--metrics device__attribute_display_name,smsp__inst_executed.sum,"
      "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum,";
  const Finished none = import("dram__sectors_read.sum");
  CHECK(none.exit_code == 3);
  CHECK_THAT(none.err, says(command));
  CHECK_FALSE(std::filesystem::exists(folder.file("counters.jsonl")));
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  const Finished some = import(loads);
  CAPTURE(some.err);
  CHECK(some.exit_code == 0);
  CHECK_THAT(some.err, says("no launch has smsp__inst_executed.sum, ", command));
  CHECK(some.err.find(loads + ", ") == std::string::npos);  // it is there
}
