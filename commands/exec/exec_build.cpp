#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exec/program_file.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// Becomes the command, with the variable that nvcc reads.
[[noreturn]] void run_build(std::vector<std::string> command) {
  if (command.empty()) {
    throw UsageError("no command is named, for example: agpusim build -- make");
  }
  const fs::path usual = "/usr/local/cuda/bin";
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0 && fs::exists(usual / "nvcc")) {
    message(fmt::format("agpusim: nvcc is not on PATH, and there is one in {0}: PATH={0}:$PATH",
                        usual.string()));
  }
  const char* const old = std::getenv(exec::build_variable);
  const std::string flags =
      old == nullptr ? exec::build_flags : fmt::format("{} {}", old, exec::build_flags);
  setenv(exec::build_variable, flags.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
  execvp(arguments[0], arguments.data());
  throw IoError(fmt::format("cannot run '{}': {}", command.front(), std::strerror(errno)));
}

}  // namespace

void setup_build(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "build", "Build a CUDA program for `agpusim exec`, with its own makefile");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *words, "what builds the program, behind --")
      ->type_name("COMMAND");
  command->footer(
      fmt::format("It runs with {}='{}'.\nExamples:\n  agpusim build -- make -B\n"
                  "  agpusim build -- cmake -S . -B build-exec\n"
                  "  agpusim build -- cmake --build build-exec",
                  exec::build_variable, exec::build_flags));
  command->callback([words] { run_build(*words); });
}

}  // namespace agpusim
