// Programs on the CUDA runtime of `agpusim exec`: their own checks pass, and the parent is told
// what happened.
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/cudart/texture_cases.hpp"
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
  std::vector<exec::LaunchRecord> running;          ///< all that was told, also of those that ended
  std::map<std::int64_t, exec::FailedCall> failed;  ///< the last of each
  std::vector<exec::Copies> copies;
  std::vector<exec::ProgramFinding> found;
  std::vector<exec::SteppedCta> steps;
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
      (launch->runs ? told.running : told.launches).push_back(std::move(*launch));
    } else if (const auto* const kernel = std::get_if<exec::RefusedKernel>(&record)) {
      told.refused.push_back(*kernel);
    } else if (const auto* const call = std::get_if<exec::UnsupportedCall>(&record)) {
      told.unsupported.push_back(call->function);
    } else if (const auto* const failed = std::get_if<exec::FailedCall>(&record)) {
      told.failed[failed->index] = *failed;
    } else if (const auto* const copies = std::get_if<exec::Copies>(&record)) {
      told.copies.push_back(*copies);
    } else if (const auto* const found = std::get_if<exec::ProgramFinding>(&record)) {
      told.found.push_back(*found);
    } else if (const auto* const stepped = std::get_if<exec::SteppedCta>(&record)) {
      told.steps.push_back(*stepped);
    }
    told.begun += std::size_t{std::holds_alternative<exec::ProgramStart>(record)};
    told.ended += std::size_t{std::holds_alternative<exec::ProgramEnd>(record)};
  }
  return told;
}

struct ProgramRow {
  std::string name;
  std::size_t launches = 1;
  std::string refused = {};  ///< part of the last message
  std::size_t refusals = 1;  ///< messages that differ
  std::string finding = {};  ///< finding of the launch, where there is one
  std::size_t processes = 1;
  bool ends = true;
};

const std::vector<ProgramRow> programs = {
    {.name = "plain"},
    {.name = "zstd"},
    {.name = "registers"},
    {.name = "lz4"},
    {.name = "damaged lz4", .launches = 0, .refused = "no LZ4"},
    {.name = "machine code", .launches = 0, .refused = "code=compute_90"},
    {.name = "damaged", .launches = 0, .refused = "no fat binary"},
    {.name = "damaged claims", .launches = 0, .refused = "no kernel race", .refusals = 10},
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
    {.name = "graph", .launches = 5},
    {.name = "textures", .launches = test::texture_cases().size()},
    {.name = "surfaces", .launches = 11},
    {.name = "array copies", .launches = 0},
    {.name = "wrong textures", .launches = 0},
    {.name = "freed array", .finding = "freed memory"},
    {.name = "destroyed texture", .finding = "freed memory"},
    {.name = "cooperative"},
    {.name = "memory", .launches = 0},
    {.name = "fault", .finding = "out of bounds"},
    {.name = "races", .finding = "race in global memory"},
    {.name = "refused", .refused = "discard.global.L2"},
    {.name = "unsupported", .launches = 0},
    {.name = "fork", .launches = 20},
    {.name = "threads", .launches = 20},
    {.name = "zeros", .launches = 0},
    {.name = "null results", .launches = 0},
    {.name = "impossible sizes", .launches = 0},
    {.name = "destructors", .launches = 4},
    {.name = "closed"},
    {.name = "dies", .ends = false},
    {.name = "driver"},
    {.name = "driver launches", .launches = 4, .refused = "clusters"},
    {.name = "driver fills", .launches = 0},
    {.name = "driver images", .launches = 5},
    {.name = "driver wrong images", .launches = 0},
    {.name = "driver errors", .launches = 0},
    {.name = "driver beside the runtime"},
    {.name = "driver fault", .finding = "out of bounds"},
    {.name = "driver addresses", .launches = 0},
    {.name = "driver questions", .launches = 0},
    {.name = "driver mapping", .launches = 0},
    {.name = "other driver", .launches = 0},
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
    CHECK(told.found.empty());
    REQUIRE(told.refused.size() == (row.refused.empty() ? 0 : row.refusals));
    if (!row.refused.empty()) CHECK(contains(told.refused.back().message, row.refused));
    std::string findings;
    for (const exec::LaunchRecord& launch : told.launches) {
      for (const ptx::Finding& finding : launch.findings) {
        findings += ptx::to_string(finding.rule);
        CHECK(contains(finding.where.at.file, ".cu"));
      }
    }
    CHECK(contains(findings, row.finding));
    CHECK(findings.empty() == row.finding.empty());
  }
}

TEST_CASE("a launch has the registers of the machine code, or those of the PTX", "[cudart]") {
  CHECK(run_program("registers").launches.at(0).machine == ptx::MachineCode{12, 0});
  CHECK(run_program("plain").launches.at(0).machine == ptx::MachineCode{16, 0});
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
    CHECK(launch.predicted.prediction.value_or(Prediction{}).milliseconds > 0);
  }
}

TEST_CASE("a launch is reported with its costs, by line", "[cudart]") {
  const Told told = run_program("plain");
  REQUIRE(told.launches.size() == 1);
  const exec::LaunchRecord& launch = told.launches[0];
  CHECK(launch.kernel == "add");
  CHECK(launch.grid == ptx::Dim3{4, 1, 1});
  CHECK(launch.block == ptx::Dim3{256, 1, 1});
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
  REQUIRE_FALSE(told.copies.empty());
  CHECK(told.copies.back().count == 4);
  CHECK(told.copies.back().h2d_bytes == 3 * 4000);
  CHECK(told.copies.back().d2h_bytes == 4000);
}

TEST_CASE("memory of the host is no memory of the card, pinned or not", "[cudart]") {
  const Told told = run_program("pinned");
  REQUIRE_FALSE(told.copies.empty());
  CHECK(told.copies.back().h2d_bytes == 200);
  CHECK(told.copies.back().count == 2);
}

TEST_CASE("events measure the predicted time of the launches between them", "[cudart]") {
  const Told told = run_program("events");
  REQUIRE(told.launches.size() == 2);
  double predicted = 0;
  for (const exec::LaunchRecord& one : told.launches)
    predicted += one.predicted.prediction.value().milliseconds;
  CHECK(std::stod(told.finished.out) == Approx(predicted).epsilon(1e-5));
}

TEST_CASE("a function that is not supported says so once", "[cudart]") {
  const Told told = run_program("unsupported");
  CHECK(told.unsupported == std::vector<std::string>{"cudaFreeMipmappedArray"});
  CHECK(told.finished.err == "agpusim: cudaFreeMipmappedArray is not supported\n");
}

TEST_CASE("what fails in the driver is told as the driver names it", "[cudart]") {
  const Told told = run_program("driver errors");
  CHECK(told.unsupported == std::vector<std::string>{"cuArrayCreate"});
  const std::vector<std::pair<const char*, const char*>> first = {
      {"cuDeviceGetCount", "CUDA_ERROR_NOT_INITIALIZED"},
      {"cuInit", "CUDA_ERROR_INVALID_VALUE"},
      {"cuDeviceGet", "CUDA_ERROR_INVALID_DEVICE"},
      {"cuMemAlloc", "CUDA_ERROR_INVALID_CONTEXT"}};
  REQUIRE(told.failed.size() > first.size());
  for (const auto& [index, call] : told.failed) {
    CAPTURE(call.function, call.error);
    CHECK(call.function.starts_with("cu"));
    CHECK_FALSE(call.function.ends_with("_v2"));
    CHECK(call.error.starts_with("CUDA_ERROR_"));
    CHECK(call.looked == (call.error == "CUDA_ERROR_NOT_FOUND" ? call.times : 0));
    if (static_cast<std::size_t>(index) >= first.size()) continue;
    CHECK(call.function == first[static_cast<std::size_t>(index)].first);
    CHECK(call.error == first[static_cast<std::size_t>(index)].second);
  }
  CHECK(contains(told.failed.rbegin()->second.reason, "linked with a static CUDA runtime"));
  const Told other = run_program("other driver");
  REQUIRE(other.failed.size() == 1);
  CHECK(other.failed.at(0).of_simulator);
  CHECK(contains(other.failed.at(0).reason, "libcuda.so, whose launches nobody counts"));
  const Told images = run_program("driver wrong images");
  CHECK(contains(images.failed.at(0).reason, "PTX, line 4: expected .param"));
  CHECK(images.failed.rbegin()->second.of_simulator);
  CHECK(contains(images.failed.rbegin()->second.reason, "ptxas keep it with -lineinfo"));
}

TEST_CASE("a launch of the driver has the lines that its PTX names", "[cudart]") {
  const exec::LaunchRecord launch = run_program("driver").launches.at(0);
  CHECK(launch.phase.counts.global_read.sectors == 2 * 125);
  REQUIRE_FALSE(launch.lines.empty());
  for (const LineCost& line : launch.lines) CHECK(line.file == "tests/cudart/kernels.cu");
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
  settings.step = "add";
  const Told stepped = run_program("plain", settings);
  REQUIRE(stepped.steps.size() == 1);
  CHECK(stepped.steps[0].trace.phases[0].kernel == "add");
  CHECK(stepped.steps[0].trace.instructions.size() ==
        static_cast<std::size_t>(stepped.steps[0].trace.seen));
  settings = settings_for_tests();
  settings.checks = {"bounds"};
  CHECK(run_program("races", settings).launches.at(0).findings.empty());
}

TEST_CASE("a call that fails is told with its function, its reason and how often", "[cudart]") {
  struct Row {
    const char* function;
    const char* kernel;
    const char* error;
    const char* reason;
    std::int64_t times = 1;
  };
  const std::vector<Row> rows = {
      {"cudaLaunchKernel", "load", "cudaErrorInvalidConfiguration",
       "2,048 threads; a CTA has at most 1,024", 3},
      {"cudaLaunchKernel", "load", "cudaErrorInvalidConfiguration",
       "0 x 1 x 1 CTAs of 32 x 1 x 1 threads; none may be 0"},
      {"cudaLaunchKernel", "load", "cudaErrorInvalidConfiguration", "of 64 threads in z"},
      {"cudaLaunchKernel", "load", "cudaErrorInvalidConfiguration",
       "1 x 65536 x 1 CTAs of 1 x 1 x 1 threads"},
      {"cudaLaunchKernel", "small", "cudaErrorInvalidConfiguration",
       "128 threads; a CTA has at most 64, by __launch_bounds__"},
      {"cudaLaunchKernel", "small", "cudaErrorInvalidValue",
       "65,536 bytes of dynamic shared memory; 48,128 beside 1,024 static ones without "
       "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)"},
      {"cudaLaunchKernel", "", "cudaErrorInvalidDeviceFunction", "invalid device function"},
      {"cudaLaunchKernel", "load", "cudaErrorInvalidResourceHandle", "invalid resource handle"},
      {"cudaMemcpy", "", "cudaErrorInvalidValue", "500 bytes; allocation 1 has 400"},
      {"cudaMemset", "", "cudaErrorInvalidValue", "which is no memory of the device"},
      {"cudaMalloc", "", "cudaErrorMemoryAllocation", "1125899906842624 bytes are asked for"},
      {"cudaFree", "", "cudaErrorInvalidValue", "free already"},
      {"cudaEventQuery", "", "cudaErrorInvalidResourceHandle", "invalid resource handle"}};
  for (const bool seen : {false, true}) {
    const Told told = run_program(seen ? "seen failures" : "unseen failures");
    CAPTURE(seen, told.finished.out, told.finished.err);
    CHECK(told.finished.exit_code == 0);
    CHECK(told.launches.empty());
    REQUIRE(told.failed.size() == rows.size() - std::size_t{!seen});
    for (const auto& [index, call] : told.failed) {
      const Row& row = rows[static_cast<std::size_t>(index)];
      CHECK(call.function == row.function);
      CHECK(call.kernel == row.kernel);
      CHECK(call.error == row.error);
      CHECK_THAT(call.reason, Catch::Matchers::ContainsSubstring(row.reason));
      CHECK(call.times == row.times);
      CHECK(call.looked == (seen ? row.times : 0));
      CHECK_FALSE(call.of_simulator);
    }
  }
}

TEST_CASE("what the program sees otherwise is no failed call", "[cudart]") {
  for (const char* const program :
       {"plain", "deadlock", "refused", "unsupported", "machine code"}) {
    CAPTURE(program);
    CHECK(run_program(program).failed.empty());
  }
}

TEST_CASE("a host without memory for a kernel is told, with the kernel", "[cudart]") {
  const Told told = run_program("no memory");
  CAPTURE(told.finished.out, told.finished.err);
  REQUIRE(told.failed.size() == 1);
  const exec::FailedCall& failed = told.failed.begin()->second;
  CHECK(failed.kernel == "load");
  CHECK(failed.of_simulator);
  CHECK(failed.looked == 1);
  CHECK_THAT(failed.reason, Catch::Matchers::ContainsSubstring("the host has no memory for "));
  REQUIRE(told.launches.size() == 1);
  CHECK(told.launches[0].limit() == "not run: " + failed.reason);
}

TEST_CASE("what a skipped kernel was given counts as written, and nothing else", "[cudart]") {
  exec::Settings settings = settings_for_tests();
  settings.only = "load";
  const Told told = run_program("skips", settings);
  REQUIRE(told.launches.size() == 3);
  CHECK(told.launches[0].skipped);
  CHECK(told.launches[1].findings.empty());
  REQUIRE(told.launches[2].findings.size() == 1);
  CHECK(told.launches[2].findings[0].rule == ptx::Rule::unwritten_global);
  const Told list = run_program("skips list", settings);
  REQUIRE(list.launches.size() == 2);
  CHECK(list.launches[1].findings.empty());
}

TEST_CASE("a launch is told when it begins, and again while it runs", "[cudart]") {
  CHECK(run_program("plain").running.at(0).kernel == "add");
  exec::Settings settings = settings_for_tests();
  settings.loop_seconds = 1.2;  // more than one round of a CTA counts
  const Told told = run_program("never ends", settings);
  CAPTURE(told.finished.out, told.finished.err);
  CHECK(told.finished.exit_code == 0);
  REQUIRE(told.running.size() >= 2);
  CHECK(told.running.front().grid.count() == 3);
  CHECK(told.running.front().findings.empty());
  REQUIRE(told.running.back().findings.size() == 1);
  CHECK(told.running.back().findings[0].rule == ptx::Rule::unwritten_global);
  REQUIRE(told.launches.size() == 1);
  CHECK(told.launches[0].limit() == "stopped by a finding");
  REQUIRE(told.launches[0].findings.size() == 2);
  CHECK(told.launches[0].findings[1].rule == ptx::Rule::deadlock);
  CHECK(told.launches[0].findings[1].where.at.line == 9);
  CHECK(run_program("turns long", settings).launches.at(0).complete);
}

TEST_CASE("copies are told before a program dies", "[cudart]") {
  const Told told = run_program("dies after copies");
  REQUIRE_FALSE(told.copies.empty());
  CHECK(told.copies.back().h2d_bytes == 300);
}

TEST_CASE("what the host half of a program may not do is found", "[cudart]") {
  struct Row {
    const char* program;
    const char* rule = "";  ///< none: there is no finding
    const char* text = "";
    bool ends = true;
  };
  constexpr const char* access = "host access to device memory";
  constexpr const char* early = "host access without synchronize";
  constexpr const char* unordered = "unordered streams";
  const std::vector<Row> rows = {
      {"stores to the device", access, "writes to offset 12 of 256 bytes of allocation 2", false},
      {"reads the device", access, "reads offset 4000 of 5000 bytes of allocation 1", false},
      {"reads rows", access, "reads offset 512 of 2048 bytes of allocation 1", false},
      {"reads a variable", access, "reads offset 0 of 4 bytes of variable", false},
      {"takes a result on the device", access, "writes to offset 0 of 8 bytes of allocation 1",
       false},
      {"copies a variable"},
      {"frees and takes much"},
      {"reads copied values"},
      {"reads values beside a copy"},
      {"reads copied rubbish", "unwritten global memory", "of allocation 2"},
      {"reads before it waits", early,
       "reads offset 20 of 256 bytes of allocation 1, which kernel put writes and nobody has"},
      {"reads after it waits"},
      {"writes what a kernel reads", early, "writes to offset 0 of 256 bytes of allocation 1"},
      {"writes what a copy reads", early, "allocation 1, which a copy reads"},
      {"writes pageable memory"},
      {"fills"},
      {"fills, and does not wait", early, "allocation 1, which a fill writes"},
      {"counts before it waits", early, "which kernel count writes"},
      {"looks for a flag"},
      {"waits for an event before", early, "which kernel put writes"},
      {"waits for another stream", early, "which kernel put writes"},
      {"registered"},
      {"registered, before it waits", early, "registered memory, which kernel put writes"},
      {"two writers", unordered,
       "kernel put writes bytes 0 to 255 of allocation 1, which kernel put writes in another"},
      {"a writer and a reader", unordered,
       "kernel put writes bytes 252 to 255 of allocation 1, which kernel get reads"},
      {"a writer and a counter", unordered, "bytes 0 to 3 of allocation 1, which kernel count"},
      {"two counters"},
      {"in order of an event before", unordered, "a fill writes bytes 0 to 255 of allocation 1"},
      {"beside the legacy stream", unordered, "kernel get reads bytes 0 to 255 of allocation 1"},
      {"a copy beside a kernel", unordered, "a copy reads bytes 0 to 255 of allocation 2"},
      {"a pipeline"},
      {"a pipeline that does not wait", early, "reads offset 25000 of 40000 bytes of allocation 1"},
  };
  for (const Row& row : rows) {
    const Told told = run_program(row.program);
    CAPTURE(row.program, told.finished.out, told.finished.err);
    CHECK((told.finished.exit_code == 0) == row.ends);
    std::vector<ptx::Finding> findings;
    for (const exec::ProgramFinding& each : told.found) {
      findings.push_back(each.finding);
      CHECK(each.finding.where.at.file.starts_with("agpusim_cudart_program+0x"));
    }
    for (const exec::LaunchRecord& launch : told.launches) {
      findings.insert(findings.end(), launch.findings.begin(), launch.findings.end());
    }
    REQUIRE(findings.size() == std::size_t{*row.rule != '\0'});
    if (findings.empty()) continue;
    CHECK(ptx::to_string(findings[0].rule) == row.rule);
    CHECK_THAT(findings[0].text, Catch::Matchers::ContainsSubstring(row.text));
  }
}

TEST_CASE("the CUDA runtime of exec shows the names of the interface, and no other", "[cudart]") {
  std::istringstream names(shell("nm -D --defined-only '" AGPUSIM_CUDART_PATH "'").out);
  const std::string_view other =
      " cudaCreateTextureObject cudaFuncGetAttributes cudaGetDeviceProperties "
      "cudaGetTextureObjectTextureDesc cudaGraphAddDependencies cudaRuntimeGetVersion ";
  std::size_t count = 0;
  for (std::string name, address, kind; names >> address >> kind >> name; ++count) {
    if (kind == "A") continue;  // the version itself
    CAPTURE(name);
    const bool is_ours = name.starts_with("agpusim");
    CHECK((is_ours || name.starts_with("cu") || name.starts_with("__cuda")));
    // Programs of older CUDA bind to the rest, but for what differs.
    const bool differs = other.find(' ' + name.substr(0, name.find('@')) + ' ') != other.npos;
    CHECK(name.ends_with("@@libcudart.so.13") == (is_ours || differs));
  }
  CHECK(count > 1000);
}

TEST_CASE("programs of older CUDA run on the same runtime", "[cudart]") {
  for (const std::string cuda : {"12", "11.0"}) {
    const Finished run = shell("$AGPUSIM exec -- '" AGPUSIM_CUDART_PROGRAM_PATH "_" + cuda + "'");
    CAPTURE(cuda, run.out, run.err);
    CHECK(run.exit_code == (cuda == "12" ? 6 : 0));
    CHECK(contains(run.out, "1 kernel, 1 launch"));
    CHECK(contains(run.out, "cudaGraphAddNode") == (cuda == "12"));
    CHECK_FALSE(contains(run.out, "not as expected"));
  }
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
