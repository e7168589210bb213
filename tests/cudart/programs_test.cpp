// Programs on the CUDA runtime of `agpusim exec`: their own checks pass, and the parent is told
// what happened.
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/exec/launch_record.hpp"
#include "agpusim/validation/exec/settings.hpp"

namespace agpusim::test {
namespace {

exec::Settings settings_for_tests() {
  exec::Settings settings;
  settings.device_file = AGPUSIM_TEST_DIR "/../validation/devices/h200.json";
  return settings;
}

/// A program that has ended, and what it told the parent.
struct Told {
  Finished finished;
  std::vector<exec::LaunchRecord> launches;
  std::vector<exec::RefusedKernel> refused;
  std::vector<std::string> unsupported;
  std::vector<exec::Copies> copies;
  std::size_t begun = 0;
  std::size_t ended = 0;
};

Told run_program(const std::string& name, const exec::Settings& settings = settings_for_tests()) {
  const TempFolder folder;
  Told told;
  told.finished = shell(fmt::format("{}='{}' {}='{}' '{}' '{}'", exec::report_variable,
                                    folder.file("report"), exec::settings_variable,
                                    exec::to_json(settings), AGPUSIM_CUDART_PROGRAM_PATH, name));
  std::istringstream lines(content(folder / "report"));
  for (std::string line; std::getline(lines, line);) {
    exec::Record record = exec::record_of(line);
    if (auto* const launch = std::get_if<exec::LaunchRecord>(&record)) {
      told.launches.push_back(std::move(*launch));
    } else if (const auto* const kernel = std::get_if<exec::RefusedKernel>(&record)) {
      told.refused.push_back(*kernel);
    } else if (const auto* const call = std::get_if<exec::UnsupportedCall>(&record)) {
      told.unsupported.push_back(call->function);
    } else if (const auto* const copies = std::get_if<exec::Copies>(&record)) {
      told.copies.push_back(*copies);
    }
    told.begun += std::size_t{std::holds_alternative<exec::ProgramStart>(record)};
    told.ended += std::size_t{std::holds_alternative<exec::ProgramEnd>(record)};
  }
  return told;
}

struct ProgramRow {
  std::string name;
  std::size_t launches = 1;
  std::string refused = {};  ///< part of the message
  std::string finding = {};  ///< of the launch, where there is one
  std::size_t processes = 1;
  bool ends = true;
};

const std::vector<ProgramRow> programs = {
    {.name = "plain"},
    {.name = "zstd"},
    {.name = "lz4", .launches = 0, .refused = "LZ4"},
    {.name = "machine code", .launches = 0, .refused = "code=compute_90"},
    {.name = "damaged", .launches = 0, .refused = "no fat binary"},
    {.name = "linked"},
    {.name = "symbols"},
    {.name = "managed", .launches = 2},
    {.name = "heap", .launches = 2},
    {.name = "deadlock", .finding = "deadlock"},
    {.name = "reset"},
    {.name = "copies", .launches = 0},
    {.name = "wrong arguments", .launches = 0},
    {.name = "destroyed handles", .launches = 0},
    {.name = "host functions", .launches = 0},
    {.name = "events", .launches = 2},
    {.name = "graph", .launches = 3},
    {.name = "cooperative"},
    {.name = "memory", .launches = 0},
    {.name = "fault", .finding = "out of bounds"},
    {.name = "races", .finding = "race in global memory"},
    {.name = "refused", .refused = "barrier.cluster.arrive"},
    {.name = "unsupported", .launches = 0},
    {.name = "fork", .launches = 3, .processes = 2},
    {.name = "threads", .launches = 20},
    {.name = "closed"},
    {.name = "dies", .ends = false},
};

}  // namespace

TEST_CASE("programs on the CUDA runtime of exec pass their own checks", "[cudart]") {
  for (const ProgramRow& row : programs) {
    const Told told = run_program(row.name);
    CAPTURE(row.name, told.finished.out, told.finished.err);
    CHECK((told.finished.exit_code == 0) == row.ends);
    CHECK(told.begun == row.processes);
    CHECK(told.ended == (row.ends ? row.processes : 0));
    CHECK(told.launches.size() == row.launches);
    REQUIRE(told.refused.size() == (row.refused.empty() ? 0 : 1));
    if (!row.refused.empty()) CHECK(contains(told.refused[0].message, row.refused));
    std::string findings;
    for (const exec::LaunchRecord& launch : told.launches) {
      for (const ptx::Finding& finding : launch.findings) {
        findings += ptx::to_string(finding.rule);
        CHECK(contains(finding.where.at.file, "kernels.cu"));
      }
    }
    CHECK(contains(findings, row.finding));
    CHECK(findings.empty() == row.finding.empty());
  }
}

TEST_CASE("kernels that nvcc compiled leave through the CUDA runtime what the host computes",
          "[cudart]") {
  const Told told = run_program("corpus");
  CAPTURE(told.finished.out, told.finished.err);
  CHECK(told.finished.exit_code == 0);
  CHECK(told.launches.size() >= 40);
  for (const exec::LaunchRecord& launch : told.launches) {
    CAPTURE(launch.kernel);
    CHECK(launch.complete);
    CHECK(launch.findings.empty());
    CHECK(launch.milliseconds.value_or(0) > 0);
  }
}

TEST_CASE("a launch is reported with its costs, by line", "[cudart]") {
  const Told told = run_program("plain");
  REQUIRE(told.launches.size() == 1);
  const exec::LaunchRecord& launch = told.launches[0];
  CHECK(launch.kernel == "add");
  CHECK(launch.grid == std::array<std::uint32_t, 3>{4, 1, 1});
  CHECK(launch.block == std::array<std::uint32_t, 3>{256, 1, 1});
  // 32 warps read 32 words of each vector, the last one 8.
  CHECK(launch.phase.counts.global_read.requests == 64);
  CHECK(launch.phase.counts.global_read.sectors == 2 * 125);
  CHECK(launch.phase.counts.global_write.sectors == 125);
  std::int64_t sectors = 0;
  for (const LineCost& line : launch.lines) {
    CHECK(line.file == "tests/cudart/kernels.cu");
    sectors += line.counts.global_read.sectors;
  }
  CHECK(sectors == 250);
  REQUIRE(told.copies.size() == 1);
  CHECK(told.copies[0].count == 4);
  CHECK(told.copies[0].h2d_bytes == 3 * 4000);
  CHECK(told.copies[0].d2h_bytes == 4000);
}

TEST_CASE("memory of the host is no memory of the card, pinned or not", "[cudart]") {
  const Told told = run_program("pinned");
  REQUIRE(told.copies.size() == 1);
  CHECK(told.copies[0].h2d_bytes == 200);
  CHECK(told.copies[0].count == 2);
}

TEST_CASE("events measure the predicted time of the launches between them", "[cudart]") {
  const Told told = run_program("events");
  REQUIRE(told.launches.size() == 2);
  const double predicted = *told.launches[0].milliseconds + *told.launches[1].milliseconds;
  CHECK(std::stod(told.finished.out) == Approx(predicted).epsilon(1e-5));
}

TEST_CASE("a function that is not supported says so once", "[cudart]") {
  const Told told = run_program("unsupported");
  CHECK(told.unsupported == std::vector<std::string>{"cudaMallocArray"});
  CHECK(told.finished.err == "agpusim: cudaMallocArray is not supported\n");
}

TEST_CASE("the settings of exec choose launches and checks", "[cudart]") {
  exec::Settings settings = settings_for_tests();
  settings.first = 1;
  const Told first = run_program("events", settings);
  REQUIRE(first.launches.size() == 2);
  CHECK_FALSE(first.launches[0].skipped);
  CHECK(first.launches[1].skipped);
  settings = settings_for_tests();
  settings.only = "scale";
  CHECK(run_program("plain", settings).launches.at(0).skipped);
  settings = settings_for_tests();
  settings.checks = {"bounds"};
  CHECK(run_program("races", settings).launches.at(0).findings.empty());
}

TEST_CASE("the CUDA runtime of exec shows the names of the interface, and no other", "[cudart]") {
  std::istringstream names(shell("nm -D --defined-only '" AGPUSIM_CUDART_PATH "'").out);
  std::size_t count = 0;
  std::string address;
  std::string kind;
  for (std::string name; names >> address >> kind >> name; ++count) {
    if (kind == "A") continue;  // the version itself
    CAPTURE(name);
    CHECK((name.starts_with("cuda") || name.starts_with("__cuda")));
    CHECK(name.ends_with("@@libcudart.so.13"));
  }
  CHECK(count > 400);
}

TEST_CASE("a device that cannot be simulated is said once, and no call succeeds", "[cudart]") {
  exec::Settings settings = settings_for_tests();
  settings.device_file = "/no/such/file.json";
  const Told told = run_program("plain", settings);
  CHECK(told.finished.exit_code != 0);
  CHECK(contains(told.finished.err, "/no/such/file.json"));
  CHECK(told.begun == 0);
}

}  // namespace agpusim::test
