#include "agpusim/validation/io/atomic_file.hpp"

#include <iterator>
#include <sys/stat.h>
#include <thread>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using namespace agpusim;
using namespace agpusim::test;

namespace {

auto entries(const TempFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

}  // namespace

TEST_CASE("a written file replaces the old one and nothing else is left", "[validation][file]") {
  const TempFolder folder;
  write_file(folder / "f", "one");
  write_file(folder / "f", std::string("tw\0o", 4));
  CHECK(read_file(folder / "f") == std::string("tw\0o", 4));
  CHECK(entries(folder) == 1);
}

TEST_CASE("a link stays a link", "[validation][file]") {
  const TempFolder folder;
  put(folder / "f", "old");
  std::filesystem::create_symlink("f", folder / "link");
  write_file(folder / "link", "new");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(content(folder / "f") == "new");
}

TEST_CASE("a link to a file that is not there yet makes the file", "[validation][file]") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "d");
  std::filesystem::create_symlink("../f", folder / "d/second");
  std::filesystem::create_symlink("d/second", folder / "first");
  write_file(folder / "first", "new");
  CHECK(std::filesystem::is_symlink(folder / "first"));
  CHECK(std::filesystem::is_symlink(folder / "d/second"));
  CHECK(content(folder / "f") == "new");
}

TEST_CASE("a replaced file keeps its permissions", "[validation][file]") {
  const TempFolder folder;
  using std::filesystem::perms;
  put(folder / "f", "old");
  std::filesystem::permissions(folder / "f", perms::owner_read | perms::owner_write);
  write_file(folder / "f", "new");
  CHECK(std::filesystem::status(folder / "f").permissions() ==
        (perms::owner_read | perms::owner_write));
}

TEST_CASE("a pipe is written to and stays one", "[validation][file]") {
  const TempFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = content(folder / "pipe"); });
  write_file(folder / "pipe", std::string(1 << 20, 'x'));  // more than a pipe holds
  reader.join();
  CHECK(got == std::string(1 << 20, 'x'));
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
  CHECK(is_written_in_place(folder / "pipe"));
  CHECK_FALSE(is_written_in_place(folder / "new"));
}

TEST_CASE("a file that cannot be written is named and leaves nothing",
          "[validation][file][bad_input]") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "d");
  const auto refusal = [](const std::filesystem::path& path) {
    return message_of<IoError>([&] { write_file(path, "x"); });
  };
  CHECK_THAT(refusal(folder / "none/f"), says("none/f: No such file or directory"));
  CHECK_THAT(refusal(folder / "d"), says("it is a folder"));
  CHECK(entries(folder) == 1);
  CHECK_THAT(refusal("/dev/full/f"), says("/dev/full/f"));
  CHECK_THAT(refusal("/dev/full"), says("No space left", "give a path on another disk"));
}

TEST_CASE("what may never end is not read", "[validation][file][bad_input]") {
  const TempFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_symlink("/dev/zero", folder / "link");
  const std::vector<std::filesystem::path> paths = {"/dev/zero", "/dev/null", folder / "pipe",
                                                    folder / "link"};
  for (const std::filesystem::path& path : paths) {
    CHECK(message_of<IoError>([&] { return read_file(path); }) ==
          "cannot read " + path.string() + ": it is a device, a pipe or a socket, not a file");
  }
  CHECK(message_of<IoError>([&] { return read_file(folder.path()); }) ==
        "cannot read " + folder.path().string() + ": it is a folder");
  put(folder / "large", "");
  std::filesystem::resize_file(folder / "large", (std::uintmax_t{1} << 30) + 1);
  CHECK_THAT(message_of<IoError>([&] { return read_file(folder / "large"); }),
             says("large: it has more than 1 GiB"));
}
