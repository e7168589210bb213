#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::test {

/// What a finished command left behind.
struct Finished {
  int exit_code = -1;  ///< -1: killed by a signal
  std::string out;
  std::string err;
};

/// Runs `agpusim <arguments>` through the shell in the current folder of the test and waits.
[[nodiscard]] Finished run_cli(const std::string& arguments);

/// The JSON that `agpusim <arguments> --json` prints, which succeeds.
[[nodiscard]] nlohmann::json json_of_cli(const std::string& arguments);

/// What `agpusim <arguments>`, which succeeds, prints.
[[nodiscard]] std::string output_of_cli(const std::string& arguments);

/// Runs a shell command in which $AGPUSIM is the program under test; tables have 300 columns.
[[nodiscard]] Finished shell(const std::string& command);

/// One line that begins as every message of agpusim and says `part`; no standard output.
void check_refused(const Finished& finished, int exit_code, const std::string& part);

/// Each of these arguments of `agpusim <command>` is refused with the part beside it.
void check_refusals(const std::string& command,
                    const std::vector<std::pair<std::string, std::string>>& rows);

/// No line has more than `width` characters, but for those that name `path`.
void check_width(const std::string& text, std::size_t width, const std::string& path);

}  // namespace agpusim::test
