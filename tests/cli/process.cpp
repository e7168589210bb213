#include "agpusim/tests/cli/process.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>

namespace agpusim::test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "agpusim-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Finished shell(const std::string& command) {
  const TemporaryFolder folder;
  const std::string errors = folder.file("stderr");
  const std::string line =
      "AGPUSIM='" AGPUSIM_CLI_PATH "'; { " + command + "\n} 2>'" + errors + "'";
  std::FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + line);
  Finished finished;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    finished.out.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  finished.err = content(errors);
  return finished;
}

Finished run_cli(const std::string& arguments) { return shell("\"$AGPUSIM\" " + arguments); }

}  // namespace agpusim::test
