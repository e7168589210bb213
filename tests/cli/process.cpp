#include "agpusim/tests/cli/process.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

#include "agpusim/tests/support/catch.hpp"

namespace agpusim::test {

void check_refused(const Finished& finished, int exit_code, const std::string& part) {
  CAPTURE(finished.out, finished.err);
  CHECK(finished.exit_code == exit_code);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, Catch::Matchers::StartsWith("agpusim: error: "));
  CHECK(std::count(finished.err.begin(), finished.err.end(), '\n') == 1);
  CHECK_THAT(finished.err, says(part));
}

void check_refusals(const std::string& command,
                    const std::vector<std::pair<std::string, std::string>>& rows) {
  for (const auto& [arguments, part] : rows) {
    CAPTURE(arguments);
    check_refused(run_cli(command + " " + arguments), 2, part);
  }
}

void check_width(const std::string& text, std::size_t width, const std::string& path) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    const auto characters =
        std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
    CHECK((static_cast<std::size_t>(characters) <= width || line.find(path) != std::string::npos));
  }
}

Finished shell(const std::string& command) {
  const TempFolder folder;
  const std::string errors = folder.file("stderr");
  const std::string line =
      "export COLUMNS=300; AGPUSIM='" AGPUSIM_CLI_PATH "'; { " + command + "\n} 2>'" + errors + "'";
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

std::string output_of_cli(const std::string& arguments) {
  const Finished finished = run_cli(arguments);
  CAPTURE(arguments, finished.out, finished.err);
  REQUIRE(finished.exit_code == 0);
  return finished.out;
}

nlohmann::json json_of_cli(const std::string& arguments) {
  return nlohmann::json::parse(output_of_cli(arguments + " --json"));
}

}  // namespace agpusim::test
