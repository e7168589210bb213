// agpusim ptx as a user calls it.
#include <cstdint>
#include <fstream>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;
using Catch::Matchers::EndsWith;

namespace {

const std::string ptx_folder = AGPUSIM_TEST_DIR "/ptx/";
const std::string ptx_reduce = "ptx " + ptx_folder + "fixtures/reduce.ptx ";
const std::string sum_of_64 = "--arg in:u32:64 --arg out:u32:1:zeros --arg 64 ";

/// The file `name` there, a kernel `k` whose body begins at line 5.
std::string put_kernel(const TempFolder& there, const std::string& name, const std::string& body) {
  std::ofstream(there.file(name))
      << ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
      << body << "\n}\n";
  return "ptx " + there.file(name) + " --grid 1 --block 32 ";
}

}  // namespace

TEST_CASE("ptx prints the cost of a kernel, by line too, with the text of the .cu file",
          "[cli][ptx]") {
  CHECK_THAT(output_of_cli(ptx_reduce + "--kernel 'reduce<256>' --grid 64 --block 256 --arg "
                                        "in:u32:2^16 --arg out:u32:64:zeros --arg 2^16"),
             says("kernel       _Z6reduceILi256EEvPKiPii\n", "grid         64 CTAs",
                  "1,024 bytes of a CTA", "V=256",
                  "partial[threadIdx.x] += partial[threadIdx.x + half];", "\npredicted    "));
  // Each element is read once, by warps of 32 neighbours; each CTA writes its sum.
  const Finished json =
      run_cli(ptx_reduce +
              "--kernel _Z6reduceILi256EEvPKiPii --grid 64 --block 16x16 --machine textbook --p "
              "256 --b 16 --M 1024 --arg in:u32:2^14 --arg out:u32:64:zeros --arg 16384 --json");
  const nlohmann::json sheet = nlohmann::json::parse(json.out);
  CHECK(sheet["machine"]["V"] == 256);
  CHECK(sheet["block"] == nlohmann::json({16, 16, 1}));
  CHECK(sheet["name"] == "reduce<256>");
  CHECK(sheet["predicted_ms"].is_null());
  CHECK(sheet["complete"] == true);
  std::int64_t blocks = 0;
  for (const auto& line : sheet["lines"]) blocks += line["Q"].get<std::int64_t>();
  CHECK(blocks == sheet["Q"]);
}

TEST_CASE("ptx fits its page", "[cli][ptx]") {
  for (const char* const launch :
       {"fixtures/reduce.ptx --kernel 'reduce<256>' --grid 64 --block 256 --arg in:u32:2^16 --arg "
        "out:u32:64:zeros --arg 2^16",
        "fixtures/reduce.ptx --kernel 'reduce<64>' --grid 1 --block 64 --arg in:u32:60 --arg "
        "out:u32:1 --arg 64",
        "defects/unwritten.ptx --kernel reduce_tail_defect --grid 1 --block 128 --arg in:u32:100 "
        "--arg out:u32:1:zeros --arg 100"}) {
    for (const std::size_t width : {80U, 100U}) {
      const Finished run =
          shell("COLUMNS=" + std::to_string(width) + " \"$AGPUSIM\" ptx " + ptx_folder + launch);
      check_width(run.out, width, ptx_folder);
      CHECK_THAT(run.out, says("reduce"));
    }
  }
}

TEST_CASE("ptx prints what a kernel does wrong, and no costs where it was stopped", "[cli][ptx]") {
  const std::string options =
      "--kernel 'reduce<64>' --grid 1 --block 64 --arg in:u32:60 --arg out:u32:1 --arg 64 ";
  const Finished stopped = run_cli(ptx_reduce + options);
  CAPTURE(stopped.out, stopped.err);
  CHECK(stopped.exit_code == 4);
  CHECK_THAT(stopped.out, says("The launch stopped there: it has no costs.", "reduce.cu:6",
                               "at offset 240 of 240 bytes of in (element 60)", "mine += in[i];"));
  CHECK(stopped.out.find("time units") == std::string::npos);
  CHECK_THAT(stopped.err, says("out of bounds at ", "CTA 0, warp 1, lane 28: "));
  const nlohmann::json sheet = nlohmann::json::parse(run_cli(ptx_reduce + options + "--json").out);
  CHECK(sheet["complete"] == false);
  CHECK(!sheet.contains("T"));
  CHECK(sheet["findings"][0]["lane"] == 28);

  const std::string race = "ptx " + ptx_folder +
                           "defects/shared_races.ptx --kernel reduce_without_barrier_defect --grid "
                           "2 --block 128 --arg in:u32:256 --arg out:u32:2:zeros ";
  const Finished gone_on = run_cli(race);
  CAPTURE(gone_on.out, gone_on.err);
  CHECK(gone_on.exit_code == 4);
  CHECK_THAT(gone_on.out, says("race in shared memory", "The kernel went on", "time units"));
  CHECK_THAT(gone_on.err, says("put __syncthreads() between the two accesses"));
  CHECK(run_cli(race + "--no-checks").exit_code == 0);
}

TEST_CASE("ptx names what is wrong with a file", "[cli][ptx]") {
  const TempFolder there;
  const std::string unknown =
      put_kernel(there, "unknown.ptx", "  wgmma.fence.sync.aligned;\n  ret;");
  check_refused(run_cli(unknown), 6,
                "unknown.ptx: line 5: wgmma.fence.sync.aligned is not supported");
  put_kernel(there, "place.ptx", ".loc 1 9 1\n  wgmma.fence.sync.aligned;\n  ret;");
  std::ofstream(there.file("place.ptx"), std::ios::app) << ".file 1 \"a.cu\"\n";
  check_refused(run_cli("ptx " + there.file("place.ptx") + " --grid 1 --block 32"), 6,
                "line 6: wgmma.fence.sync.aligned at a.cu:9 is not supported");
  check_refused(run_cli(put_kernel(there, "damaged.ptx", "  bar.sync 0\n  ret;")), 3,
                "damaged.ptx: line 5: expected ; before 'ret'");
  check_refused(run_cli("ptx " + there.file("none.ptx") + " --grid 1 --block 1"), 5, "none.ptx");
  std::ofstream(there.file("empty.ptx")) << ".version 8.0\n.target sm_90\n.address_size 64\n";
  check_refused(run_cli("ptx " + there.file("empty.ptx") + " --grid 1 --block 1"), 2,
                "has no kernel");
  const std::string file = there.file("damaged.ptx");
  check_refused(run_cli("ptx " + file + " --grid 1 --block 1 --html " + file), 2, file);
  check_refused(run_cli("ptx --grid 1"), 2, "no PTX file is named");
}

TEST_CASE("ptx links several files", "[cli][ptx]") {
  const TempFolder there;
  put_kernel(there, "one.ptx", "  ret;");
  const std::string one = there.file("one.ptx");
  const std::string both =
      "ptx " + one + " " + ptx_folder + "fixtures/reduce.ptx --grid 1 --block 32 ";
  CHECK_THAT(output_of_cli(both + "--kernel k"), says("arguments    none"));
  check_refused(run_cli(both), 2, "has 3 kernels: choose one with --kernel: k, reduce<64>, reduce");
  check_refused(run_cli("ptx " + one + " " + one + " --grid 1 --block 32"), 3,
                "k is defined in another module too");
}

TEST_CASE("ptx says which kernels there are", "[cli][ptx]") {
  const std::string shape = "--grid 1 --block 32 ";
  check_refused(run_cli(ptx_reduce + shape), 2,
                "reduce.ptx has 2 kernels: choose one with --kernel: reduce<64>, reduce<256>");
  check_refused(run_cli(ptx_reduce + shape + "--kernel redce"), 2,
                "unknown kernel 'redce': did you mean 'reduce'? known: reduce<64>, reduce<256>");
  check_refused(run_cli(ptx_reduce + shape + "--kernel _Z6reduceILi65EEvPKiPii"), 2,
                "did you mean '_Z6reduceILi64EEvPKiPii'?");
  check_refused(run_cli(ptx_reduce + shape + "--kernel reduce"), 2,
                "2 kernels are named reduce: choose one of _Z6reduceILi64EEvPKiPii = ");
}

TEST_CASE("ptx refuses launches that no device takes, with their numbers", "[cli][ptx]") {
  const std::string kernel = ptx_reduce + "--kernel 'reduce<64>' ";
  const std::string one = kernel + "--grid 1 --block 64 ";
  check_refused(run_cli(kernel + "--block 64 " + sum_of_64), 2, "--grid is missing");
  check_refused(run_cli(kernel + "--grid 1 " + sum_of_64), 2, "--block is missing");
  check_refused(run_cli(kernel + "--grid 0 --block 64 " + sum_of_64), 2, "a grid or block of 0");
  check_refused(run_cli(kernel + "--grid many --block 64"), 2, "--grid: many is no grid");
  check_refused(run_cli(kernel + "--grid 1 --block 1025 " + sum_of_64), 2,
                "a block of 1025 threads, and at most 1024 are possible");
  check_refused(run_cli(one + sum_of_64 + "--shared 57857"), 2,
                "58113 bytes of shared memory, and M = 14528 words are 58112 bytes");
  CHECK(run_cli(one + sum_of_64 + "--shared 57856").exit_code == 0);
  check_refused(run_cli(one + "--arg in:u32:64"), 2, "takes 3 arguments, not 1");
  check_refused(run_cli(one + "--arg in:u33:64 --arg 0 --arg 0"), 2, "unknown type 'u33'");
  check_refused(run_cli(one + "--arg 0 --arg 0 --arg 4294967296"), 2,
                "argument 4294967296 does not fit into the 4 bytes of its parameter");
  check_refused(run_cli(one + "--arg 0 --arg 0 --arg -2147483649"), 2, "does not fit");
  check_refused(run_cli(one + "--arg 0 --arg 0 --arg n:u32:1"), 2, "parameter 3 has 4 bytes");
  check_refused(run_cli(one + "--arg in:u64:2^47 --arg 0 --arg 0"), 2,
                "has 1125899906842624 bytes, and this machine has ");
  check_refused(run_cli(one + sum_of_64 + "--w 64"), 2, "PTX has words of 32 bits, and w = 64");
  check_refused(run_cli(one + sum_of_64 + "--b 64"), 2, "b = 64 does not divide 32");
  check_refused(run_cli(one + sum_of_64 + "--V 64"), 2, "unexpected argument '--V'");
}

TEST_CASE("Ctrl-C ends a kernel that does not end", "[cli][ptx]") {
  const TempFolder there;
  const std::string endless = put_kernel(
      there, "endless.ptx",
      "  .reg .b32 %r1;\n  mov.u32 %r1, 0;\nAGAIN:\n  add.u32 %r1, %r1, 1;\n  bra AGAIN;");
  const Finished ended = shell("timeout --preserve-status -s INT 0.5 \"$AGPUSIM\" " + endless);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 130);
  CHECK(ended.out.empty());
}

TEST_CASE("ptx prints the instructions that are supported", "[cli][ptx]") {
  CHECK_THAT(output_of_cli("ptx --opcodes"), says("\nld ", "\nbar "));
}
