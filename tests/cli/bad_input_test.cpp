#include <filesystem>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;

TEST_CASE("a bad argument is refused in one line with exit code 2", "[cli][error]") {
  check_refusals(
      "",
      {
          {"", "no command given (see `agpusim help`)"},
          {"analyse", "unknown command 'analyse': did you mean 'analyze'?"},
          {"--jsn", "unexpected argument '--jsn'"},
          {"list --jsn",
           "unexpected argument '--jsn': did you mean '--json'? (see `agpusim help list`)"},
          {"list more", "unexpected argument 'more'"},
          {"help nothing", "unknown help topic 'nothing': known: build, cc, exec, ptx,"},
          {"run", "algorithm is required"},
          {"run bitonic_sort", "--n is required"},
          {"validate --most-mape nan", "--most-mape nan: not a percentage"},
          {"validate --most-mape=-1", "--most-mape -1: not a percentage"},
          {"run bitonic_sort --n", "--n"},
          {"run bitonic_srt --n 2^10", "did you mean 'bitonic_sort'? known: "},
          {"run '' --n 2^10", "unknown algorithm '': known: vector_add, reduce,"},
          {"run xyzzy --n 2^10", "unknown algorithm 'xyzzy': known: vector_add, reduce,"},
          {"run vector_add --n 0", "n = 0: vector_add needs 1 to 2^40"},
          {"run vector_add --n -5", "--n '-5' is negative"},
          {"run vector_add --n=-2^20", "is negative"},
          {"run vector_add --n 1.5", "is not a whole number"},
          {"run vector_add --n 1e-3", "is not a whole number"},
          {"run vector_add --n twelve", "is not a size"},
          {"run vector_add --n ''", "--n '' is not a size"},
          {"run vector_add --n 2^41", "is too large: the largest value is 2^40"},
          {"run vector_add --n 1e400", "is too large"},
          {"run vector_add --n 2^40", "of memory and this machine has"},
          {"run vector_add --n 2^10 --p 100 --b 32", "p = 100 is not a multiple of b = 32"},
          {"run vector_add --n 2^10 --b 0", "--b '0' is too small"},
          {"run vector_add --n 2^10 --b -32", "--b '-32' is negative"},
          {"run vector_add --n 2^10 --b 2048", "--b '2048' is too large"},
          {"run vector_add --n 2^10 --M 16", "M = 16 is smaller than b = 32"},
          {"run vector_add --n 2^10 --w 7", "w = 7"},
          {"run vector_add --n 2^10 --V 48", "V = 48"},
          {"run vector_add --n 2^10 --machine h20", "did you mean 'h200'? known: h200, h200-wide,"},
          {"run vector_add --n 2^10 --bank-mode x", "unknown bank mode 'x': known: merge, strict"},
          {"run vector_add --n 2^10 --cap 100", "--cap 100 needs --assignment next-fit"},
          {"run vector_add --n 2^10 --assignment lst", "did you mean 'list'?"},
          {"run vector_add --n 2^10 --type u33", "u33"},
          {"run vector_add --n 2^10 --input odd", "odd"},
          {"run vector_add --n 2^10 --variant odd", "odd"},
          {"run vector_add --n 2^10 --seed -1", "--seed '-1' is negative"},
          {"run vector_add --n 2^10 --threads many", "--threads 'many' is not a size"},
          {"run vector_add --n 2^10 --p ''", "--p '' is not a size"},
          {"run vector_add --n x --bogus", "unexpected argument '--bogus'"},
          {"step transpose --n 16,x --b 4 --M 64", "--n 'x' is not a size"},
          {"sweep scan --n 64 --shard x", "--shard 'x' is not I/N"},
          {"run bitonic_sort --n 2^10 --set tile", "is not NAME=VALUE"},
          {"run bitonic_sort --n 2^10 --set tle=4", "did you mean 'tile'?"},
          {"run bitonic_sort --n 2^10 --set tile=x", "--set tile 'x' is not a size"},
          {"analyze --algorithm bitonic", "did you mean 'bitonic_sort'?"},
          {"analyze --n-min 2^20 --n-max 2^10", "--n-min 2^20 is larger than --n-max 2^10"},
          {"analyze --json --csv", " excludes "},
          {"measure --algorithm nothing", "unknown algorithm 'nothing'"},
          {"measure --n-max 0", "--n-max '0' is too small"},
          {"measure --plan x", "unknown plan 'x': known: default, profile"},
          {"measure --again a.jsonl --plan profile", "--again excludes --plan"},
          {"calibrate", "--out is required"},
          {"import-counters a.jsonl b.csv", "--out is required"},
          {"compare scan reduce --n 8 --html ''", "--html: the name is empty"},
          {"compare scan reduce --n 8 --devices ''", "--devices: the name is empty"},
          {"pram scan --n 8 --dot ''", "--dot: the name is empty"},
          {"analyze --device H300", "unknown device 'H300': known: "},
          {"analyze --device h100 --algorithm scan --n-max 1", "no record fits the choice of"},
          {"pram scan --n 8 --model foo", "unknown PRAM 'foo': known: erew,"},
      });
}

TEST_CASE("a report that cannot be written stops analyze before the work", "[cli][error]") {
  const TempFolder folder;
  const std::string remedy = "choose another place with --html FILE or leave it out with --no-html";
  check_refused(run_cli("analyze --html '" + folder.file("missing/report.html") + "'"), 5, remedy);
  check_refused(run_cli("analyze --html '" + folder.path().string() + "'"), 5, "names a folder");
  static_cast<void>(shell("echo text >'" + folder.file("file") + "'"));
  check_refused(run_cli("analyze --html '" + folder.file("file/report.html") + "'"), 5, remedy);
  check_refused(shell("mkdir '" + folder.file("gone") + "' && cd '" + folder.file("gone") +
                      "' && rmdir '" + folder.file("gone") + "' && \"$AGPUSIM\" analyze"),
                5, remedy);
  CHECK(std::filesystem::is_regular_file(folder.file("file")));
}

TEST_CASE("a record file that is not there is named", "[cli][error]") {
  check_refused(run_cli("analyze --no-html no-such-file.jsonl"), 5, "no-such-file.jsonl");
}

TEST_CASE("folders that cannot be read or hold nothing are named", "[cli][error]") {
  const TempFolder folder;
  const std::string here =
      "cd '" + folder.path().string() + "' && ln -s loop loop 2>&-; mkdir -p e; ";
  const std::string compare = "\"$AGPUSIM\" compare vector_add reduce --n 8 ";
  check_refused(shell(here + compare + "--devices loop"), 5, "'loop': Too many levels");
  check_refused(shell(here + compare + "--records loop"), 5, "'loop': Too many levels");
  check_refused(shell(here + compare + "--devices nodir"), 5, "nodir: No such file or directory");
  check_refused(shell(here + compare + "--records e"), 2, "there are no times in e: name files");
  check_refused(shell(here + "\"$AGPUSIM\" compare scan cub_scan --n 8 --records e"), 2,
                "there are no times in e: name files");
  check_refused(shell(here + "\"$AGPUSIM\" analyze e"), 2, "there is no record in e: name files");
  const Finished empty = shell(here + compare + "--devices e");
  CHECK(empty.exit_code == 0);
  CHECK(empty.out.find("No times are predicted on this machine: no device was measured for h200: "
                       "e/h200.json is not there") != std::string::npos);
}

TEST_CASE("commands that need a GPU say what is missing", "[cli][error]") {
  const TempFolder folder;
  const std::string no_gpu =
      "cd '" + folder.path().string() + "'; CUDA_VISIBLE_DEVICES= \"$AGPUSIM\" ";
  check_refused(shell(no_gpu + "measure"), 6, "CUDA");
  check_refused(shell(no_gpu + "measure --profile"), 6, "CUDA");
  check_refused(shell(no_gpu + "calibrate --out device.json"), 6, "CUDA");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a full disk is an error, a reader that went away is not", "[cli][error]") {
  if (std::filesystem::exists("/dev/full")) {
    check_refused(shell("\"$AGPUSIM\" list >/dev/full"), 5, "cannot write to standard output");
  }
  const TempFolder folder;
  const Finished finished = shell("{ \"$AGPUSIM\" list --json; echo $? >'" + folder.file("code") +
                                  "'; } | true; sleep 0.2; cat '" + folder.file("code") + "'");
  CHECK(finished.out == "0\n");
  CHECK(finished.err.empty());
}

TEST_CASE("no command reads a device, a pipe or a folder for ever", "[cli][error]") {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(shell("mkfifo " + pipe).exit_code == 0);
  for (const std::string& command :
       {std::string("analyze "), std::string("merge "),
        std::string("why reduce --n 2^10 --records "),
        std::string("compare reduce scan --n 2^10 --records "),
        "import-counters --out " + folder.file("o.jsonl") + " " + pipe + " ",
        std::string("exercise grade --as sum "), std::string("count --check --out ")}) {
    for (const std::string& path : {std::string("/dev/zero"), pipe}) {
      CAPTURE(command, path);
      check_refused(run_cli(command + path), 5, "it is a device, a pipe or a socket");
    }
  }
  // Standard input is open already.
  const std::string part = folder.file("a.jsonl");
  REQUIRE(run_cli("sweep vector_add --n 64 --out " + part).exit_code == 0);
  for (const char* const command :
       {" merge /dev/stdin < ", " merge /dev/fd/0 < ", " merge /dev/fd/3 3< "}) {
    CHECK(shell("\"$AGPUSIM\"" + std::string(command) + part).exit_code == 0);
  }
  CHECK(shell("cat " + part + " | \"$AGPUSIM\" merge /dev/stdin").exit_code == 0);
  CHECK(shell("\"$AGPUSIM\" merge /dev/stdin < /dev/zero").exit_code == 5);
}
