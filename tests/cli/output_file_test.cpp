#include <filesystem>
#include <iterator>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

// Where reports go: what is there is kept what it is.
using namespace agpusim::test;

namespace {

const std::string compare = "\"$AGPUSIM\" compare vector_add reduce --n 8 ";

/// A command in the folder.
Finished in(const TempFolder& folder, const std::string& command) {
  return shell("cd '" + folder.path().string() + "' && " + command);
}

std::size_t entries(const TempFolder& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("a report into a pipe, a device or a link does not replace it", "[cli][output]") {
  const TempFolder folder;
  const Finished pipe = in(folder, "mkfifo pipe && { cat pipe >got & " + compare +
                                       "--html pipe >text; code=$?; wait; exit $code; }");
  CAPTURE(pipe.err);
  CHECK(pipe.exit_code == 0);
  CHECK(std::filesystem::is_fifo(folder.file("pipe")));
  CHECK(content(folder.file("got")).starts_with("<!DOCTYPE html>"));

  if (in(folder, "mknod null c 1 3").exit_code == 0) {  // root may
    CHECK(in(folder, compare + "--html null").exit_code == 0);
    CHECK(std::filesystem::is_character_file(folder.file("null")));
  }

  CHECK(in(folder, "ln -s page.html link && " + compare + "--html link").exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(contains(content(folder.file("page.html")), "vector_add"));
}

TEST_CASE("a file into standard output comes before the text", "[cli][output]") {
  const TempFolder folder;
  const std::string graph = "\"$AGPUSIM\" pram scan --n 8 ";
  CHECK(in(folder, graph + "--dot graph >text").exit_code == 0);
  const std::string both = content(folder.file("graph")) + content(folder.file("text"));
  CHECK(in(folder, graph + "--dot /dev/stdout").out == both);
  // As a file it is continued, not replaced or written over.
  CHECK(in(folder, "{ echo first; " + graph + "--dot /dev/stdout; } >all").exit_code == 0);
  CHECK(content(folder.file("all")) == "first\n" + both);
  CHECK(in(folder, graph + "--dot all2 >all2").exit_code == 0);
  CHECK(content(folder.file("all2")) == both);
}

TEST_CASE("two reports in one file are refused, also by other names", "[cli][output][error]") {
  const TempFolder folder;
  CHECK(in(folder, "mkdir d && ln -s ../x d/link && ln -s d e").exit_code == 0);
  for (const std::string& other :
       std::vector<std::string>{"x", "./x", "d/../x", "e/link", folder.file("x")}) {
    CAPTURE(other);
    const Finished finished =
        in(folder, "\"$AGPUSIM\" sweep vector_add --n 8 --out x --html '" + other + "'");
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    CHECK(contains(finished.err, "the same file is also written by --out"));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("x")));
  // Nor does a report replace what it is made from.
  CHECK(in(folder, "echo '{}' >r.jsonl").exit_code == 0);
  for (const char* const command : {"compare vector_add reduce --n 8 --records", "analyze"}) {
    const Finished finished =
        in(folder, std::string("\"$AGPUSIM\" ") + command + " r.jsonl --html ./r.jsonl");
    CHECK(finished.exit_code != 0);
    CHECK(content(folder.file("r.jsonl")) == "{}\n");
  }
}

TEST_CASE("a file that grows beyond its limit is an error that leaves nothing",
          "[cli][output][error]") {
  const TempFolder folder;
  const Finished finished = in(folder, "ulimit -f 8 && " + compare + "--html page.html >/dev/null");
  CAPTURE(finished.err);
  CHECK(finished.exit_code == 5);
  CHECK(contains(finished.err, "cannot write page.html: File too large"));
  CHECK(entries(folder) == 0);
  const Finished text = in(folder, "ulimit -f 0 && \"$AGPUSIM\" list >text");
  CHECK(text.exit_code == 5);
}
