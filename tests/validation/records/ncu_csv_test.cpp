#include "agpusim/validation/records/ncu_csv.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::FileError;
using agpusim::import_counters;
using agpusim::read_ncu_csv;
using agpusim::test::message_of;
using agpusim::test::put;
using agpusim::test::TempFolder;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

const std::string preamble =
    "==PROF== Connected to process 7 (agpusim)\n"
    "[1/2] twice u32 n=1000: done\n"
    "==PROF== Disconnected from process 7\n";
const std::string header =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"" + sectors + "\"\n";
const std::string units = "\"\",\"\",\"\",\"us\",\"sector\"\n";

std::string row(int id, const std::string& kernel, const std::string& count) {
  return "\"" + std::to_string(id) + "\",\"7\",\"" + kernel + "\",\"3.20\",\"" + count + "\"\n";
}

const std::string first = "void agpusim::cuda::launch<agpusim::CopyTile, unsigned int>(T1, T2)";
const std::string second = "void agpusim::cuda::launch<agpusim::CopyBack, unsigned int>(T1, T2)";

/// The message of reading a profile with this content.
std::string csv_refusal(const std::string& text) {
  const TempFolder folder;
  put(folder / "p.csv", text);
  return message_of<FileError>([&] { static_cast<void>(read_ncu_csv(folder / "p.csv")); });
}

agpusim::PlanRecord plan_record() {
  const auto timing = agpusim::test::fake_timing(1000, 1);
  agpusim::PlanRecord record;
  record.environment = timing.environment;
  record.date = timing.date;
  record.config = timing.config;
  record.checksum = timing.checksum;
  record.kernels = {"copy_tile", "copy_back"};
  return record;
}

/// The message of importing a profile of one run with these launches.
std::string import_refusal(const std::string& launches) {
  const TempFolder folder;
  put(folder / "plan.jsonl", to_line(plan_record()) + "\n");
  put(folder / "p.csv", preamble + header + units + launches);
  return message_of<FileError>(
      [&] { static_cast<void>(import_counters(folder / "plan.jsonl", folder / "p.csv")); });
}

}  // namespace

TEST_CASE("a profile gives the counts of its launches", "[validation][ncu]") {
  const TempFolder folder;
  put(folder / "p.csv", preamble + header + units + row(0, first, "8,192") +
                            row(1, "name with \"\"quotes\"\", and comma", "1,234,567"));
  const auto launches = read_ncu_csv(folder / "p.csv");
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == first);
  CHECK(launches[0].metrics == std::map<std::string, std::int64_t>{{sectors, 8192}});
  CHECK(launches[0].line == 6);
  CHECK(launches[1].kernel == "name with \"quotes\", and comma");
  CHECK(launches[1].metrics.at(sectors) == 1234567);
}

TEST_CASE("Windows line ends, absent counts and several tables", "[validation][ncu]") {
  const TempFolder folder;
  std::string text = header + units + row(0, first, "n/a") + preamble.substr(0, 42) + header +
                     units + row(0, second, "5");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  put(folder / "p.csv", text);
  const auto launches = read_ncu_csv(folder / "p.csv");
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].metrics.empty());
  CHECK(launches[1].metrics.at(sectors) == 5);
}

TEST_CASE("a file that is no profile is refused", "[validation][ncu][bad_input]") {
  CHECK_THAT(csv_refusal(""), ContainsSubstring("p.csv: no table of Nsight Compute"));
  CHECK_THAT(csv_refusal(preamble), ContainsSubstring("--csv --page raw"));
  CHECK_THAT(csv_refusal("\"ID\",\"Process ID\"\n"),
             ContainsSubstring("p.csv:1: the table has no column"));
  CHECK_THAT(csv_refusal(header + row(0, first, "1")),
             ContainsSubstring("p.csv:2: the row of units is missing"));
  CHECK_THAT(csv_refusal(header + units + "\"0\",\"7\"\n"),
             ContainsSubstring("p.csv:3: 2 cells in a table of 5 columns"));
  CHECK_THAT(csv_refusal(header + units + "\"0\",\"7"),
             ContainsSubstring("p.csv:3: a quote is not closed"));
  CHECK_THAT(csv_refusal(header + units + row(0, first, "1.5")),
             ContainsSubstring("p.csv:3: '1.5' of " + sectors + " is not a whole number"));
  CHECK_THAT(message_of<agpusim::IoError>([] { static_cast<void>(read_ncu_csv("none.csv")); }),
             ContainsSubstring("none.csv"));
}

TEST_CASE("launches are assigned to the phases of the plan", "[validation][ncu]") {
  const TempFolder folder;
  auto other = plan_record();
  other.config.n = 2000;
  put(folder / "plan.jsonl", to_line(plan_record()) + "\n" + to_line(other) + "\n");
  put(folder / "p.csv", preamble + header + units + row(0, first, "1") + row(1, second, "2") +
                            row(2, first, "3") + row(3, "run_kernel", "4"));
  const auto records = import_counters(folder / "plan.jsonl", folder / "p.csv");
  REQUIRE(records.size() == 4);
  CHECK(records[1].config == plan_record().config);
  CHECK(records[1].checksum == plan_record().checksum);
  CHECK(records[1].launch == 1);
  CHECK(records[1].kernel == "copy_back");
  CHECK(records[1].metrics.at(sectors) == 2);
  CHECK(records[2].config.n == 2000);
  CHECK(records[2].launch == 0);
  CHECK(records[3].metrics.at(sectors) == 4);
}

TEST_CASE("a profile of another plan is refused", "[validation][ncu][bad_input]") {
  CHECK_THAT(import_refusal(row(0, first, "1")), ContainsSubstring("p.csv: 1 launches, the plan"));
  CHECK_THAT(import_refusal(row(0, first, "1") + row(1, second, "1") + row(2, first, "1")),
             ContainsSubstring("p.csv: 3 launches, the plan"));
  const std::string message = import_refusal(row(0, second, "1") + row(1, first, "1"));
  CHECK_THAT(message, ContainsSubstring("p.csv:6: the kernel"));
  CHECK_THAT(message, ContainsSubstring("is not 'copy_tile', phase 0 of twice with n = 1000"));
}

TEST_CASE("a plan is sealed as records are", "[validation][ncu][bad_input]") {
  const TempFolder folder;
  std::string line = to_line(plan_record());
  line.replace(line.find("copy_back"), 9, "copy_bock");
  put(folder / "plan.jsonl", line + "\n");
  const auto reading = [&] {
    return message_of<FileError>(
        [&] { static_cast<void>(agpusim::read_plan(folder / "plan.jsonl")); });
  };
  CHECK_THAT(reading(), ContainsSubstring("plan.jsonl:1: the digest does not match"));
  put(folder / "plan.jsonl", to_line(agpusim::test::fake_timing(5, 1)) + "\n");
  CHECK_THAT(reading(), ContainsSubstring("not a run of a profile plan"));
  CHECK_THAT(message_of<FileError>([&] {
               put(folder / "plan.jsonl", to_line(plan_record()) + "\n");
               static_cast<void>(agpusim::read_records(folder / "plan.jsonl"));
             }),
             ContainsSubstring("kind 'plan' is not a measurement"));
}
