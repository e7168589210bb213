#include "agpusim/validation/records/ncu_csv.hpp"

#include <utility>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;
using namespace agpusim::test;

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

auto launches_of(const std::string& profile) {
  const TempFolder folder;
  put(folder / "p.csv", profile);
  return read_ncu_csv(folder / "p.csv");
}

PlanRecord plan_record() {
  const auto timing = fake_timing(1000, 1);
  return PlanRecord{.environment = timing.environment,
                    .date = timing.date,
                    .config = timing.config,
                    .checksum = timing.checksum,
                    .kernels = {"copy_tile", "copy_back"}};
}

auto imported(const std::vector<PlanRecord>& plan, const std::string& profile) {
  const TempFolder folder;
  std::string lines;
  for (const PlanRecord& record : plan) lines += to_line(record) + "\n";
  put(folder / "plan.jsonl", lines);
  put(folder / "p.csv", profile);
  return import_counters(folder / "plan.jsonl", folder / "p.csv");
}

/// The message of importing a profile of one run with these launches.
std::string import_refusal(const std::string& launches) {
  return message_of<FileError>(
      [&] { return imported({plan_record()}, preamble + header + units + launches); });
}

}  // namespace

TEST_CASE("a profile gives the counts of its launches", "[validation][ncu]") {
  const auto launches = launches_of(preamble + header + units + row(0, first, "8,192") +
                                    row(1, "name with \"\"quotes\"\", and comma", "1,234,567"));
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == first);
  CHECK(launches[0].metrics == std::map<std::string, std::int64_t>{{sectors, 8192}});
  CHECK(launches[0].line == 6);
  CHECK(launches[1].kernel == "name with \"quotes\", and comma");
  CHECK(launches[1].metrics.at(sectors) == 1234567);
}

TEST_CASE("Windows line ends, absent counts and several tables", "[validation][ncu]") {
  std::string text = header + units + row(0, first, "n/a") + preamble.substr(0, 42) + header +
                     units + row(0, second, "5");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  const auto launches = launches_of(text);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].metrics.empty());
  CHECK(launches[1].metrics.at(sectors) == 5);
}

TEST_CASE("a file that is no profile is refused", "[validation][ncu][bad_input]") {
  const auto count_in = [](const std::string& unit, const std::string& count) {
    return header + "\"\",\"\",\"\",\"us\",\"" + unit + "\"\n" + row(0, first, count);
  };
  const std::pair<std::string, std::string> rows[] = {
      {"", "p.csv: no table of Nsight Compute"},
      {preamble, "--csv --page raw"},
      {"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric "
       "Value\"\n\"0\",\"add\",\"Duration\",\"3.20\"\n",
       "p.csv:1: the table has no columns of metrics; run ncu with --csv --page raw"},
      {"\"ID\",\"Process ID\"\n", "p.csv:1: the table has no column"},
      {header + row(0, first, "1"), "p.csv:2: the row of units is missing"},
      {header + units + "\"0\",\"7\"\n", "p.csv:3: 2 cells in a table of 5 columns"},
      {header + units + "\"0\",\"7", "p.csv:3: a quote is not closed"},
      {header + units + row(0, first, "1.5"),
       "p.csv:3: '1.5' of " + sectors + " is not a whole number"},
      {count_in("Minst", "1"),
       "p.csv:3: '1' of " + sectors +
           " is in Minst, which is rounded; run ncu with --print-units base"},
      {count_in("parsec", "1"),
       "p.csv:3: '1' of " + sectors + " is in 'parsec', which is no known unit"},
      {count_in("sector", "-5"), "p.csv:3: '-5' of " + sectors + " is negative"},
      {count_in("", "3,20"), "p.csv:3: '3,20' of " + sectors + " is not a whole number"},
      {count_in("", "1,024,5"), "is not a whole number"},
  };
  for (const auto& [text, part] : rows) {
    CHECK_THAT(message_of<FileError>([&, text = text] { return launches_of(text); }), says(part));
  }
  CHECK_THAT(message_of<IoError>([] { return read_ncu_csv("none.csv"); }), says("none.csv"));
}

TEST_CASE("launches are assigned to the phases of the plan", "[validation][ncu]") {
  auto other = plan_record();
  other.config.n = 2000;
  const auto records =
      imported({plan_record(), other}, preamble + header + units + row(0, first, "1") +
                                           row(1, second, "2") + row(2, first, "3") +
                                           row(3, "run_kernel", "4"))
          .records;
  REQUIRE(records.size() == 4);
  CHECK(records[1].config == plan_record().config);
  CHECK(records[1].checksum == plan_record().checksum);
  CHECK(records[1].date == plan_record().date);
  CHECK(records[1].environment.device == plan_record().environment.device);
  CHECK(records[1].launch == 1);
  CHECK(records[1].kernel == "copy_back");
  CHECK(records[1].metrics.at(sectors) == 2);
  CHECK(records[2].config.n == 2000);
  CHECK(records[2].launch == 0);
  CHECK(records[3].metrics.at(sectors) == 4);
}

TEST_CASE("a profile of another plan is refused", "[validation][ncu][bad_input]") {
  CHECK_THAT(import_refusal(row(0, first, "1")), says("p.csv: 1 launches, the plan"));
  CHECK_THAT(import_refusal(row(0, first, "1") + row(1, second, "1") + row(2, first, "1")),
             says("p.csv: 3 launches, the plan"));
  const std::string message = import_refusal(row(0, second, "1") + row(1, first, "1"));
  CHECK_THAT(message,
             says("p.csv:6: the kernel",
                  "is not 'copy_tile' as agpusim launches it, phase 0 of twice with n = 1000"));
}

TEST_CASE("a launch says when the profiler was not connected to its process", "[validation][ncu]") {
  const auto last_launch = [](const std::string& text) { return launches_of(text).back(); };
  const std::string other = "==PROF== Connected to process 8 (agpusim)\n";
  const std::string table = header + units + row(0, first, "1");
  CHECK(last_launch(other + table).unconnected ==
        "the launch is of process 7, the profiler was connected to process 8 (agpusim)");
  const auto second_run = last_launch(preamble + table + other + table);
  CHECK(second_run.line == 10);
  CHECK_FALSE(second_run.unconnected.empty());
  for (const std::string& text : {table, preamble + other + table, other + preamble + table}) {
    CHECK(last_launch(text).unconnected.empty());
    CHECK(last_launch(text).process == "7");
  }
}

TEST_CASE("launches of other programs and processes are left out and said", "[validation][ncu]") {
  const std::string cub = "void cub::DeviceRadixSortKernel<cub::Policy900>(T1)";
  const auto of_process = [](std::string line, const std::string& process) {
    return line.replace(line.find("\"7\""), 3, '"' + process + '"');
  };
  const auto import = [&](std::int64_t process, const std::string& launches) {
    auto plan = plan_record();
    plan.process = process;
    return imported({plan}, preamble + "==PROF== Connected to process 8 (agpusim)\n" + header +
                                units + launches);
  };
  const auto between = import(0, row(0, cub, "9") + row(1, first, "1") + row(2, cub, "9") +
                                     row(3, second, "2") + row(4, "warm_up(int)", "9"));
  REQUIRE(between.records.size() == 2);
  CHECK(between.records[0].metrics.at(sectors) == 1);
  CHECK(between.records[1].metrics.at(sectors) == 2);
  CHECK(between.left_out == 3);
  CHECK_THAT(between.notes.at(0), says("left out: 3 launches", "p.csv:7: the kernel 'void cub::"));
  // another run of agpusim, with kernels of the same names
  const std::string both = of_process(row(0, first, "9"), "8") + row(1, first, "1") +
                           of_process(row(2, second, "9"), "8") + row(3, second, "2");
  const auto of_two = import(7, both);
  REQUIRE(of_two.records.size() == 2);
  CHECK(of_two.records[1].metrics.at(sectors) == 2);
  CHECK(of_two.left_out == 2);
  CHECK_THAT(of_two.notes.at(0), says("the launch is of process 8, the plan of process 7"));
  CHECK_THAT(message_of<FileError>([&] { return import(0, both); }),
             says("p.csv: 4 launches, the plan"));
  CHECK_THAT(message_of<FileError>([&] { return import(9, both); }),
             says("p.csv:7: the launch is of process 8, the plan of process 9, and no "
                  "launch is of the plan"));
}

TEST_CASE("a kernel is compared by its whole name", "[validation][ncu]") {
  const auto refusal = [](const std::string& kernel, const std::string& profiled) {
    auto plan = plan_record();
    plan.kernels = {kernel};
    return message_of<FileError>(
        [&] { return imported({plan}, header + units + row(0, profiled, "1")); });
  };
  const auto launch_of = [](const std::string& type) {
    return "void agpusim::run_kernel<" + type + ", (bool)1, unsigned int *>(T1, long, long, int)";
  };
  const std::pair<const char*, std::string> ours[] = {
      {"add", launch_of("agpusim::vector_add::Add")},
      {"add", "run_kernel"},
      {"add", "agpusim::run_kernel"},
      // As the profiler of CUDA 13 prints it.
      {"add", "void run_kernel<Add, 0, unsigned int *>(T1, long, long, int, T3...)"},
      {"segment_reduce",
       launch_of("agpusim::SegmentReduce<agpusim::Plus<int>, agpusim::Same<int>>")},
      {"transpose_naive", launch_of("agpusim::transpose::Naive")},
      {"transpose_tiled", launch_of("agpusim::transpose::Tiled<unsigned int>")},
      {"histogram_global", launch_of("agpusim::histogram::GlobalBins")},
      {"add_tables", launch_of("agpusim::histogram::AddTables")},
      {"own", launch_of("agpusim::<unnamed>::Own")},
  };
  for (const auto& [kernel, launch] : ours) CHECK(refusal(kernel, launch).empty());
  const std::pair<const char*, std::string> foreign[] = {
      {"add", "add"},
      {"add", "launch"},
      {"add", "run_kernel_2"},
      {"add", "void other::run_kernel<agpusim::vector_add::Add>(T1)"},
      {"add", "void agpusim::run_kernel_of<agpusim::vector_add::Add>(T1)"},
      {"add", launch_of("agpusim::histogram::AddTables")},
      {"add", launch_of("agpusim::SegmentReduce<agpusim::Add>")},
      {"add", launch_of("agpusim::add::Other")},
      {"rank_in_place", launch_of("agpusim::RankInPlaceArray")},
      {"histogram_shared", launch_of("agpusim::histogram::GlobalBins")},
  };
  for (const auto& [kernel, launch] : foreign) {
    CHECK_THAT(refusal(kernel, launch),
               says("p.csv:3: the kernel '" + launch + "' is not '" + kernel + "'"));
  }
}

TEST_CASE("a profile of another program, card or process is refused",
          "[validation][ncu][bad_input]") {
  const auto folder =
      data_folder().parent_path() / "tests" / "validation" / "records" / "foreign_profiles";
  const auto refusal = [&](const std::string& file) {
    return message_of<FileError>(
        [&] { return import_counters(folder / "plan.jsonl", folder / file); });
  };
  const auto records = import_counters(folder / "plan.jsonl", folder / "ours.csv").records;
  REQUIRE(records.size() == 1);
  CHECK(records[0].date == "2026-11-22T18:53:15Z");
  CHECK(records[0].kernel == "add");
  CHECK(records[0].metrics == std::map<std::string, std::int64_t>{{sectors, 1024}});
  const std::pair<std::string, std::string> rows[] = {
      {"sgemm.csv", ":4: the kernel 'ampere_sgemm_128x64_tn' is not 'add'"},
      {"padded.csv", ":4: the kernel 'my_padding_kernel(int)' is not 'add'"},
      {"plain_add.csv", ":4: the kernel 'add' is not 'add' as agpusim launches it"},
      {"functor.csv", ":4: the kernel 'void at::"},
      {"other_device.csv",
       ":4: the device 'NVIDIA GeForce RTX 4090' is not 'NVIDIA H200', phase 0 of vector_add"},
      {"two_processes.csv",
       ":4: the launch is of process 9, the profiler was connected to process 7 (agpusim)"},
      {"kilo.csv", "is in Ksector"},
      {"negative.csv", ":3: '-5' of"},
  };
  for (const auto& [file, part] : rows) {
    CHECK_THAT(refusal(file), says(file, part));
  }
}

TEST_CASE("a device is compared by its name, which the profile may lack", "[validation][ncu]") {
  auto plan = plan_record();
  plan.kernels = {"copy_tile"};
  const auto import = [&](const std::string& name, const std::string& device) {
    return imported({plan}, "\"ID\",\"Kernel Name\",\"Device\"," + name + "\"" + sectors +
                                "\"\n\"\",\"\",\"\"," + (name.empty() ? "" : "\"\",") +
                                "\"sector\"\n\"0\",\"" + first + "\",\"0\"," + device + "\"1\"\n");
  };
  const auto numbered = import("", "");
  CHECK(numbered.records.size() == 1);
  REQUIRE(numbered.notes.size() == 2);
  CHECK_THAT(numbered.notes[0], says("no column \"Process ID\""));
  CHECK_THAT(numbered.notes[1], says("add device__attribute_display_name to ncu's"));
  const std::string named = "\"device__attribute_display_name\",";
  CHECK(import(named, '"' + plan.environment.device + "\",").notes.size() == 1);
  CHECK_THAT(message_of<FileError>([&] { return import(named, "\"NVIDIA Titan V\","); }),
             says("p.csv:3: the device 'NVIDIA Titan V' is not '"));
}

TEST_CASE("a plan is sealed as records are", "[validation][ncu][bad_input]") {
  const TempFolder folder;
  std::string line = to_line(plan_record());
  line.replace(line.find("copy_back"), 9, "copy_bock");
  put(folder / "plan.jsonl", line + "\n");
  const auto reading = [&] {
    return message_of<FileError>([&] { return read_plan(folder / "plan.jsonl"); });
  };
  CHECK_THAT(reading(), says("plan.jsonl:1: the digest does not match"));
  put(folder / "plan.jsonl", to_line(fake_timing(5, 1)) + "\n");
  CHECK_THAT(reading(), says("not a run of a profile plan"));
  CHECK_THAT(message_of<FileError>([&] {
               put(folder / "plan.jsonl", to_line(plan_record()) + "\n");
               static_cast<void>(read_records(folder / "plan.jsonl"));
             }),
             says("kind 'plan' is not a measurement"));
}
