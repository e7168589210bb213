// agpusim exec as a user calls it, of programs that report what a test has written down.
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/validation/exec/records.hpp"

using namespace agpusim;
using namespace agpusim::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// A program in its folder, a script that reports `records`, says "sum 42" and does what `then`
/// says.
struct Reporting {
  explicit Reporting(const std::vector<exec::Record>& records, const std::string& then = "") {
    std::string lines = exec::to_line(exec::ProgramStart{7, "/prog", "13"});
    for (const exec::Record& record : records) lines += exec::to_line(record);
    put(folder / "lines", lines);
    put(folder / "prog",
        "#!/bin/sh\necho sum 42\ncat \"${0%/*}/lines\" >> \"$AGPUSIM_EXEC\"\n" + then + "\n");
    std::filesystem::permissions(folder / "prog", std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Finished run(const std::string& options = "") const {
    return run_cli("exec " + options + " -- '" + folder.file("prog") + "'");
  }

  TempFolder folder;
};

}  // namespace

TEST_CASE("exec prints what the kernels of a program cost, behind its own output", "[cli][exec]") {
  const Reporting program(
      {launch_of("_Z6reducePi"), launch_of("_Z6reducePi"), exec::Copies{7, 4096, 0, 0, 1}});
  const Finished run = program.run();
  CAPTURE(run.out, run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, StartsWith("sum 42\n\n") &&
                          ContainsSubstring(": 1 kernel, 2 launches, results computed in full; 0 "
                                            "findings\nreduce.cu:5 takes 69.2 % of all") &&
                          ContainsSubstring("\n0.5000 ms (0.4000 to 0.6000) on NVIDIA H200"));
  CHECK_THAT(run.out, ContainsSubstring("reduce         2    64x2 x 256") &&
                          ContainsSubstring("0.5000  0.4000 to 0.6000  shared"));
  CHECK_THAT(run.out, ContainsSubstring("reduce.cu:5 "));
  const Finished quiet = program.run("--quiet-program --json -");
  const nlohmann::json sheet = nlohmann::json::parse(quiet.out);
  CHECK(sheet["launches"][0]["sectors"] == 320);
  CHECK(sheet["launches"][0]["efficiency"] == 0.125);
  CHECK(sheet["lines"][0]["efficiency"].is_null());  // it uses shared memory only
  CHECK(sheet["lines"][1]["efficiency"] == 0.125);
  CHECK(sheet["lines"][0]["conflicts"] == 140);
  CHECK(sheet["copies"]["h2d_bytes"] == 4096);
  exec::LaunchRecord other = launch_of("reduce");
  other.skipped = true;
  const Finished misspelt = Reporting({other}).run("--only redcue");
  CHECK(misspelt.exit_code == 2);
  CHECK_THAT(misspelt.err, ContainsSubstring("redcue") && ContainsSubstring("reduce"));
}

TEST_CASE("exec fails where a condition does not hold", "[cli][exec]") {
  const Reporting program({launch_of("_Z6reducePi")});
  CHECK(program.run("--require 'kernel reduce: sectors == 160'").exit_code == 0);
  const Finished run = program.run("--require 'sectors == 160' --require 'conflicts == 0'");
  CHECK(run.exit_code == 7);
  CHECK_THAT(run.out, ContainsSubstring("holds: sectors == 160\n"));
  CHECK_THAT(run.out, ContainsSubstring("70 at reduce.cu:5 in kernel reduce"));
  CHECK(run.err == "agpusim: error: --require fails: conflicts == 0\n");
  check_refused(program.run("--require 'conflict == 0'"), 2, "--require 'conflict == 0'");
}

TEST_CASE("exec names short launches in a row", "[cli][exec]") {
  exec::LaunchRecord brief = launch_of("_Z4stepPi");
  brief.predicted.prediction->milliseconds = 0.0031;
  const exec::LaunchRecord slow = launch_of("_Z6reducePi");
  const std::string advice =
      " launches take less than 5 us each, most of which is the launch: fuse";
  const Finished run = Reporting({brief, slow, brief, brief}).run("--why");
  CAPTURE(run.out, run.err);
  CHECK_THAT(run.out,
             ContainsSubstring("Why reduce takes 0.25") && ContainsSubstring("3" + advice));
  CHECK_THAT(Reporting({brief, slow, brief}).run("--why").out, !ContainsSubstring(advice));
}

TEST_CASE("exec prints what a CTA did in place of the sheet", "[cli][exec]") {
  exec::SteppedCta stepped{7, {}};
  stepped.trace.places = {{"/src/reduce.cu", 5}};
  stepped.trace.arrays = {{"sums", true, 1, 0, 64, {}}};
  stepped.trace.phases = {{"_Z6reducePi", 128, 130}};
  stepped.trace.instructions = {
      {InstructionKind::read, 0, 0, 5, "11" + std::string(30, '0'), 0, {0, 32}, "7 9", ""}};
  stepped.trace.instructions[0].cost.shared_read = {1, 2, 1};
  stepped.trace.seen = 2;
  const Reporting program({launch_of("_Z6reducePi"), stepped});
  const Finished run = program.run("--step reduce --cta 5");
  CAPTURE(run.out, run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, ContainsSubstring("phase 0 reduce, task 5 of 128") &&
                          ContainsSubstring("[0]7") && ContainsSubstring("[32]9") &&
                          ContainsSubstring("2 T, 1 CONFLICTS") &&
                          ContainsSubstring("1 of 2 instructions are recorded"));
  const Finished json = program.run("--quiet-program --step reduce --cta 5 --json -");
  CHECK(nlohmann::json::parse(json.out)["runs"][0]["steps"][0]["conflicts"] == 1);
  const Finished beyond = program.run("--step reduce --cta 128");
  CHECK(beyond.exit_code == 2);
  CHECK_THAT(beyond.err, ContainsSubstring("--cta 128: reduce has 128 CTAs"));
  CHECK_THAT(Reporting({launch_of("_Z6reducePi")}).run("--step reduce:3").err,
             ContainsSubstring("--step: reduce has no launch 3"));
  check_refused(program.run("--cta 1"), 2, "--step");
  exec::LaunchRecord wrong = launch_of("_Z6reducePi");
  wrong.findings = {race()};
  CHECK(Reporting({wrong, stepped}).run("--step reduce").exit_code == 4);
}

TEST_CASE("exec fails where the program has become dearer than its base", "[cli][exec]") {
  const Reporting before({launch_of("_Z6reducePi")});
  const std::string base = before.folder.file("base.json");
  REQUIRE(before.run("--json '" + base + "'").exit_code == 0);
  CHECK_THAT(before.run("--against '" + base + "'").out,
             ContainsSubstring("Against the base: 0.2500 -> 0.2500 ms (+0.0 %)\nequal\n"));
  const Reporting after({launch_of("_Z6reducePi"), launch_of("_Z6reducePi")});
  const Finished run = after.run("--against '" + base + "'");
  CAPTURE(run.out);
  CHECK(run.exit_code == 7);
  CHECK_THAT(run.out, ContainsSubstring("Against the base: 0.2500 -> 0.5000 ms (+100.0 %)\n"
                                        "dearer: sectors of reduce (+100.0 %), and "));
  CHECK(after.run("--tolerance 100 --against '" + base + "'").exit_code == 0);
  CHECK(after.run("--tolerance 99 --costs ms --against '" + base + "'").exit_code == 7);
  check_refused(after.run("--costs T,time --against '" + base + "'"), 2, "unknown cost 'time'");
  check_refused(after.run("--tolerance -1 --against '" + base + "'"), 2, "--tolerance");
  put(after.folder / "other.json", "{}");
  check_refused(after.run("--against '" + after.folder.file("other.json") + "'"), 3,
                "no sheet to compare with");
  check_refused(after.run("--against '" + base + "' --json '" + base + "'"), 2, "base.json");
}

TEST_CASE("the exit code of exec says what went wrong", "[cli][exec]") {
  exec::LaunchRecord wrong = launch_of("_Z6reducePi");
  wrong.findings = {race()};
  const Finished raced = Reporting({wrong}, "exit 3").run("--require 'conflicts == 0'");
  CHECK(raced.exit_code == 4);
  CHECK_THAT(raced.out,
             ContainsSubstring("race in shared memory  sum.hpp:5 (called at reduce.cu:9)"));
  CHECK_THAT(raced.err, ContainsSubstring("CTA 3, warp 1, lane 5"));
  const Finished refused =
      Reporting({wrong, exec::RefusedKernel{7, "_Z4scanPi", "wgmma at a.cu:7"}}).run();
  CHECK(refused.exit_code == 6);
  CHECK_THAT(refused.err, ContainsSubstring("kernel scan was not run: wgmma at a.cu:7"));
  CHECK(Reporting({exec::UnsupportedCall{7, "cudaX"}}).run().exit_code == 6);
  CHECK(Reporting({launch_of("k")}, "exit 3").run().exit_code == 3);
  exec::FailedCall call = failed_call();
  const Finished of_simulator = Reporting({launch_of("k"), call}).run();
  CHECK(of_simulator.exit_code == 6);
  CHECK_THAT(of_simulator.err, ContainsSubstring("cudaLaunchKernel of kernel reduce failed: "
                                                 "cudaErrorInvalidConfiguration (2,048 threads)"));
  call.of_simulator = false;
  const Finished unseen = Reporting({launch_of("k"), call}).run();
  CHECK(unseen.exit_code == 6);
  CHECK_THAT(unseen.err, ContainsSubstring("failed, and the program did not look: "));
  call.looked = call.times;
  CHECK(Reporting({launch_of("k"), call}).run().exit_code == 0);
}

TEST_CASE("exec prints the sheet before it writes files, and the others where one fails",
          "[cli][exec]") {
  const Reporting program({launch_of("k")});
  const TempFolder folder;
  const std::string prog = program.folder.file("prog");
  const Finished full = shell("\"$AGPUSIM\" exec --json /dev/full --html '" + folder.file("page") +
                              "' -- '" + prog + "'");
  CAPTURE(full.out, full.err);
  CHECK(full.exit_code == 5);
  CHECK_THAT(full.out, ContainsSubstring("1 launch, results computed in full; 0 findings\n"));
  CHECK_THAT(full.err, ContainsSubstring("/dev/full"));
  CHECK(std::filesystem::file_size(folder / "page") > 1000);
  CHECK(
      shell("\"$AGPUSIM\" exec --json '" + folder.file("json") + "' -- '" + prog + "' > /dev/full")
          .exit_code == 5);
  CHECK(std::filesystem::file_size(folder / "json") > 1000);
}

TEST_CASE("exec says that lines of the program's report are missing", "[cli][exec]") {
  const Finished run = Reporting({launch_of("k")}, "chmod 700 \"$AGPUSIM_EXEC\"").run();
  CHECK(run.exit_code == 6);
  CHECK_THAT(run.out, ContainsSubstring("results are not complete") &&
                          ContainsSubstring("report could not be written"));
  CHECK_THAT(run.err, ContainsSubstring("TMPDIR"));
}

TEST_CASE("exec keeps what a program reported before it died", "[cli][exec]") {
  const Finished crash = Reporting({launch_of("k")}, "kill -SEGV $$").run();
  CHECK(crash.exit_code == 128 + 11);
  CHECK_THAT(crash.out, ContainsSubstring("1 launch,") &&
                            ContainsSubstring("ended with exit code 139 (Segmentation fault)."));
  CHECK_THAT(Reporting({launch_of("k")}, "kill -KILL $$").run().out,
             ContainsSubstring("(Killed).") && ContainsSubstring("A system without memory"));
  const Reporting slow({launch_of("k")}, "exec sleep 60");
  const Finished interrupt = shell("setsid \"$AGPUSIM\" exec -- '" + slow.folder.file("prog") +
                                   "' & sleep 1; kill -INT $!; wait $!");
  CHECK(interrupt.exit_code == 130);
  CHECK_THAT(interrupt.out, ContainsSubstring("1 launch,"));
  const Reporting running({begun("_Z6reducePi")}, "exec sleep 60");
  const Finished stopped =
      shell("timeout 1 \"$AGPUSIM\" exec -- '" + running.folder.file("prog") + "'");
  CHECK(stopped.exit_code == 124);
  CHECK_THAT(stopped.out,
             ContainsSubstring("kernel reduce was stopped by a signal: 0 of 128 CTAs had ended\n"));
  const Finished told_twice = shell("setsid \"$AGPUSIM\" exec -- '" + slow.folder.file("prog") +
                                    "' & sleep 1; kill -TERM $!; kill -TERM $!; wait $!");
  CHECK(told_twice.exit_code == 130);
  CHECK_THAT(told_twice.out, ContainsSubstring("1 launch, ended by a signal"));
  const Reporting deaf({launch_of("k")}, "trap '' TERM; sleep 4");
  const Finished ended = shell("setsid \"$AGPUSIM\" exec -- '" + deaf.folder.file("prog") +
                               "' & sleep 1; kill -TERM $!; sleep 1; kill -TERM $!; wait $!");
  CHECK(ended.exit_code == 130);
  CHECK(ended.out == "sum 42\n");
}

TEST_CASE("exec says what a program is not before it starts it", "[cli][exec]") {
  check_refused(run_cli("exec"), 2, "no program is named");
  check_refused(run_cli("exec ./nothing a"), 2, "no program './nothing'");
  check_refused(run_cli("exec -- nothing-of-this-name"), 2, "in the folders of PATH");
  check_refused(run_cli("exec /etc/passwd"), 2, "is not executable");
  const TempFolder folder;
  put(folder / "text", "no program");
  std::filesystem::permissions(folder / "text", std::filesystem::perms::owner_all);
  check_refused(run_cli("exec '" + folder.file("text") + "'"), 2, "neither a program for this");
  check_refused(run_cli("exec --machine textbook /bin/true"), 2, "is no GPU");
  check_refused(run_cli("exec --check race /bin/true"), 2, "did you mean 'races'?");
}

TEST_CASE("exec says where a program did not find our runtime library", "[cli][exec]") {
  const Finished run = run_cli("exec --require 'conflicts == 0' /bin/true");
  CHECK(run.exit_code == 6);
  CHECK_THAT(run.err, ContainsSubstring("/bin/true has called no function of a shared CUDA"));
}

TEST_CASE("build runs a command with the variable that nvcc reads", "[cli][exec]") {
  const Finished run =
      shell("NVCC_APPEND_FLAGS=-O1 \"$AGPUSIM\" build -- sh -c 'echo $NVCC_APPEND_FLAGS; exit 3'");
  CHECK(run.exit_code == 3);
  CHECK(run.out ==
        "-O1 -arch=sm_90 -cudart shared -lineinfo -gencode "
        "arch=compute_90,code=[compute_90,sm_90]\n");
  check_refused(run_cli("build"), 2, "no command is named");
}

TEST_CASE("build takes the place of an nvcc and of a static runtime that a path names",
          "[cli][exec]") {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "cuda/bin");
  for (const char* const program : {"cuda/bin/nvcc", "ld"}) {  // they print their words
    put(folder / program, "#!/bin/sh\necho \"$@\"\n");
    std::filesystem::permissions(folder / program, std::filesystem::perms::owner_all);
  }
  put(folder / "makefile",
      "NVCC = /none/cuda-7.5/bin/nvcc\ndirect:\n\t$(NVCC) -arch=sm_20 a.o\n"
      "shell:\n\t$(NVCC) -arch=sm_20 a.o ; true\n");
  put(folder / "script", "export PATH=\"$PWD/cuda/bin:$PATH\"\nnvcc -arch=sm_20 a.o\n");
  const std::string build = "cd '" + folder.path().string() +
                            "' && XDG_CACHE_HOME=\"$PWD/cache\" PATH=\"$PWD/cuda/bin:$PATH\" "
                            "\"$AGPUSIM\" build -- ";
  for (const char* const command :
       {"make -s direct", "make -s shell", "sh script", "\"$PWD/cuda/bin/nvcc\" -arch=sm_20 a.o",
        "env /none/bin/nvcc -arch sm_20 a.o"}) {
    if (command[0] == 'm' && shell("command -v make").exit_code != 0) continue;
    CAPTURE(command);
    CHECK(shell(build + command).out ==
          "a.o -cudart shared -lineinfo -gencode arch=compute_90,code=[compute_90,sm_90]\n");
  }
  check_refused(shell(build + "/nothing"), 5, "cannot run '/nothing'");
  CHECK(shell(build + "sh -c 'test -e ${LD_LIBRARY_PATH%%:*}/libcudart.so.13'").exit_code == 0);
  const Finished linked = shell(build + "sh -c './ld -L/x /x/libcudart_static.a m.o'");
  CHECK_THAT(linked.out,
             Catch::Matchers::Matches("-L(\\S+/lib64) -L/x \\1/libcudart_static.a m.o\n"));
  CHECK_THAT(linked.out, StartsWith("-L" + folder.file("cache")));
}

TEST_CASE("exec runs programs on our runtime library", "[cli][exec]") {
  const std::string program = "exec -- '" AGPUSIM_CUDART_PROGRAM_PATH "' ";
  const Finished plain = run_cli(program + "plain");
  CAPTURE(plain.out, plain.err);
  CHECK(plain.exit_code == 0);
  CHECK_THAT(plain.out, ContainsSubstring("1 launch, results computed in full; 0 findings\n"));
  CHECK(run_cli(program + "fault").exit_code == 4);
  CHECK(run_cli(program + "refused").exit_code == 6);
  const Finished unseen = run_cli(program + "'unseen failures'");
  CHECK(unseen.exit_code == 6);
  CHECK_THAT(unseen.out, ContainsSubstring("failed calls") &&
                             ContainsSubstring("2,048 threads; a CTA has at most 1,024"));
  CHECK(run_cli(program + "'seen failures'").exit_code == 0);
  // The report may have 512 bytes.
  const Finished cut =
      shell("(ulimit -f 1; \"$AGPUSIM\" " + program + "plain; echo $?) 2>&1 | cat");
  CHECK_THAT(cut.out,
             ContainsSubstring("report could not be written") && ContainsSubstring("\n6\n"));
}

TEST_CASE("exec prints the functions of the CUDA runtime, and what each does", "[cli][exec]") {
  const Finished table = run_cli("exec --functions");
  CHECK(table.exit_code == 0);
  const auto does = [&](const std::string& text) {
    return shell("\"$AGPUSIM\" exec --functions | grep '" + text + "$' | cut -d ' ' -f 1").out;
  };
  CHECK(does("") ==
        shell("nm -D --defined-only '" AGPUSIM_CUDART_PATH
              "' | sed -n 's/.* T \\([^@]*\\).*/\\1/p' | grep -v agpusim | LC_ALL=C sort")
            .out);
  CHECK_THAT(does("works"),
             ContainsSubstring("cudaMalloc\n") && ContainsSubstring("cudaLaunchKernel_ptsz\n"));
  CHECK_THAT(does("has no effect"), StartsWith("cuCtxResetPersistingL2Cache\n"));
  const std::string not_supported = does("not supported");
  CHECK_THAT(not_supported, ContainsSubstring("cudaFreeMipmappedArray\n"));
  CHECK(std::count(not_supported.begin(), not_supported.end(), '\n') > 200);
}

TEST_CASE("the sheet fits its page and a terminal shows findings in red", "[cli][exec]") {
  exec::LaunchRecord launch = launch_of("a_kernel_whose_name_is_long");
  launch.findings = {race()};
  const Reporting program({launch, launch_of("_Z6reducePi")});
  const std::string exec = "\"$AGPUSIM\" exec -- '" + program.folder.file("prog") + "'";
  for (const std::size_t width : {80U, 100U, 300U}) {
    const Finished run = shell("COLUMNS=" + std::to_string(width) + " " + exec);
    CAPTURE(width, run.out, run.err);
    check_width(run.out, width, program.folder.path().string());
    CHECK((run.out.find("Left out at this width: ") == std::string::npos) == (width == 300));
    CHECK(run.out.find('\033') == std::string::npos);
  }
  for (const char* const name :
       {"plain", "linked", "heap", "cooperative", "fault", "races", "refused", "unsupported",
        "unseen failures", "seen failures", "corpus"}) {
    const std::string path = AGPUSIM_CUDART_PROGRAM_PATH;
    for (const std::size_t width : {80U, 100U}) {
      CAPTURE(name);
      check_width(shell("COLUMNS=" + std::to_string(width) + " \"$AGPUSIM\" exec --quiet-program " +
                        "-- '" + path + "' '" + name + "'")
                      .out,
                  width, path);
    }
  }
  CHECK(shell("unset COLUMNS; " + exec).out == shell("COLUMNS=100 " + exec).out);
  if (shell("command -v python3").exit_code != 0) SKIP("no python3, which opens a terminal");
  put(program.folder / "run", exec + "\n");
  const auto on_terminal = [&](const std::string& environment) {
    return shell("export AGPUSIM; " + environment +
                 " python3 -c 'import pty, sys; pty.spawn([\"sh\", sys.argv[1]])' '" +
                 program.folder.file("run") + "' </dev/null")
        .out;
  };
  CHECK_THAT(on_terminal("TERM=xterm NO_COLOR="),
             ContainsSubstring("\033[31mrace in shared memory\033[39m"));
  for (const char* const plain : {"TERM=dumb NO_COLOR=", "TERM=xterm NO_COLOR=1"}) {
    const std::string out = on_terminal(plain);
    CHECK_THAT(out, ContainsSubstring("race in shared memory"));
    CHECK(out.find('\033') == std::string::npos);
  }
}

TEST_CASE("a job array runs what has no result, and results are one table", "[cli][exec][merge]") {
  const Reporting program({test::launch_of("_Z6reducePi")},
                          R"(if [ "$2" = dies ] && mkdir died; then kill -9 $$; fi)");
  const std::string script = AGPUSIM_TEST_DIR "/../docs/exec.slurm";
  put(program.folder / "runs.txt", "./prog 1\r\n./prog 2 dies\n./prog 3\n# 4\n\n");
  const auto task = [&](const std::string& variables) {
    return shell("cd " + program.folder.path().string() +
                 R"( && PATH="$(dirname "$AGPUSIM"):$PATH" )" + variables + " bash '" + script +
                 "' runs.txt");
  };
  for (const char* const wrong :
       {"PARTS=2 SLURM_ARRAY_TASK_ID=0", "PARTS=0 SLURM_ARRAY_TASK_ID=1"}) {
    CHECK_THAT(task(wrong).err, says("as in PARTS=16 sbatch --array=1-16"));
  }
  CHECK(task("PARTS=2 SLURM_ARRAY_TASK_ID=1").exit_code == 0);
  const Finished killed = task("PARTS=2 SLURM_ARRAY_TASK_ID=2");
  CHECK(killed.exit_code == 7);
  CHECK_THAT(killed.err, says("line 2 has no result (exit code 137): ./prog 2 dies"));
  CHECK_FALSE(std::filesystem::exists(program.folder / "results/2.json"));
  put(program.folder / "runs.txt", "./none\n./prog 2 dies\n./none\n");  // 1 and 3 are skipped
  CHECK(task("PARTS=1 SLURM_ARRAY_TASK_ID=1").exit_code == 0);
  const auto rows = json_of_cli("merge " + program.folder.file("results/*.json")).at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].at("arguments") == nlohmann::json{"2", "dies"});
  CHECK(rows[1].at("name") == "reduce");
}
