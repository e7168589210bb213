#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/exercise_compiler.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

#include "embed/new_project_CMakeLists_txt.hpp"
#include "embed/new_project_README_md.hpp"
#include "embed/new_project_algorithm_hpp.hpp"
#include "embed/new_project_main_cpp.hpp"
#include "embed/new_project_test_cpp.hpp"

namespace agpusim {
namespace {

struct NewOptions {
  std::string name;
  std::filesystem::path folder;  ///< empty: ./<name>
};

void require_project_name(const std::string& name) {
  const bool word =
      !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (!word) {
    throw UsageError(
        fmt::format("'{}' is no name of an algorithm: use lower-case letters, digits and '_', a "
                    "letter first, for example my_sort",
                    name));
  }
  // The build has targets of these names.
  constexpr std::array reserved = {"all", "clean", "help", "install", "package", "test"};
  const bool taken = catalog().find_or_null(name) != nullptr ||
                     catalog().find_on_pram_or_null(name) != nullptr ||
                     std::find(reserved.begin(), reserved.end(), name) != reserved.end();
  if (taken) {
    throw UsageError(fmt::format("'{0}' is taken: choose another name, for example my_{0}", name));
  }
}

std::string filled_in(std::string_view text, const std::string& name) {
  constexpr std::string_view mark = "@name@";
  std::string result;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    result.append(text.substr(0, at)).append(name);
    text.remove_prefix(at + mark.size());
  }
  return result.append(text);
}

/// Writes a project with an algorithm of its own that uses the installed agpusim. Throws UsageError
/// for a name that cannot be an algorithm's and for a folder that exists.
void run_new(const NewOptions& options) {
  namespace fs = std::filesystem;
  require_project_name(options.name);
  const fs::path folder = options.folder.empty() ? fs::path(options.name) : options.folder;
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error))) {
    throw UsageError(fmt::format(
        "{} exists already: choose another --folder, nothing is overwritten", folder.string()));
  }
  fs::create_directories(folder, error);
  if (error) {
    throw IoError(fmt::format("cannot make the folder {}: {}; choose another with --folder",
                              folder.string(), error.message()));
  }
  const std::string& name = options.name;
  write_file(folder / (name + ".hpp"), filled_in(embed::new_project_algorithm_hpp(), name));
  write_file(folder / "main.cpp", filled_in(embed::new_project_main_cpp(), name));
  write_file(folder / "test.cpp", filled_in(embed::new_project_test_cpp(), name));
  write_file(folder / "CMakeLists.txt", filled_in(embed::new_project_CMakeLists_txt(), name));
  write_file(folder / "README.md", filled_in(embed::new_project_README_md(), name));
  const std::string path = folder.string();
  const bool one_word = path.find(' ') == std::string::npos;
  print(fmt::format(
      "{0}: your algorithm is {1}.hpp\n\n  cmake -S {0} -B {0}/build && cmake --build {0}/build\n"
      "  {0}/build/{1} run {1} --n 2^20\n",
      one_word ? path : "'" + path + "'", name));
}

/// The file of the project in `folder` that its first error lies in, or is reached from.
std::string file_of_error(const std::string& said, const std::string& folder) {
  const std::size_t error = said.find('\n', said.find("error: "));
  std::string file;
  for (std::size_t at = 0; (at = said.find("\n" + folder, at)) < error; ++at) {
    const std::size_t end = said.find(':', ++at);
    if (end < error && said[end + 1] >= '0' && said[end + 1] <= '9') {
      file = said.substr(at, end - at);
    }
  }
  return file;
}

/// A word as the shell reads it.
std::string shell_word(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) {
    text.replace(at, 1, "'\\''");
  }
  return "'" + text + "'";
}

/// Runs a compiler; of its errors the first is shown, with a remedy. All of them lie beside the
/// object. Returns whether it compiled.
bool run_compiler(const std::vector<std::string>& command) {
  const auto after = [&](const char* option) {
    const auto at = std::find(command.begin(), command.end(), option);
    return command.end() - at < 2 ? std::string() : at[1];
  };
  const std::string log = after("-o") + ".log";
  std::string words = "LC_ALL=C";
  for (const std::string& word : command) words += ' ' + shell_word(word);
  const std::filesystem::path source = after("-c");
  if (after("-o").empty() || source.empty()) return std::system(words.c_str()) == 0;
  const bool compiled = std::system((words + " 2> " + shell_word(log)).c_str()) == 0;
  std::string said = read_file(log);
  if (!compiled && said.find("error: ") != std::string::npos) {
    const std::string all = "\n" + said;
    const std::string file = file_of_error(all, source.parent_path().string() + "/");
    said.clear();
    for (const std::string& line : first_error(all, file.empty() ? source.string() : file)) {
      said += line + "\n";
    }
    said +=
        fmt::format("all that the compiler says: {}\n", std::filesystem::absolute(log).string());
  }
  if (!said.empty()) message(said.substr(0, said.find_last_not_of('\n') + 1));
  if (compiled) std::filesystem::remove(log);
  return compiled;
}

}  // namespace

void setup_compile(CLI::App& app) {
  CLI::App* const command = add_command(app, "compile", "the compiler of a project of `new`");
  command->group("");  // CMake calls it
  command->prefix_command();
  command->callback([command] {
    if (!run_compiler(command->remaining())) std::exit(1);
  });
}

void setup_new(CLI::App& app) {
  const auto options = std::make_shared<NewOptions>();
  CLI::App* const command =
      add_command(app, "new", "Write a project with an algorithm of your own");
  command->add_option("name", options->name, "of the algorithm, for example my_sort")->required();
  command->add_option("--folder", options->folder, "to make (default: the name)")->type_name("DIR");
  command->footer(
      "Example:\n"
      "  agpusim new my_sort && cmake -S my_sort -B my_sort/build && cmake --build my_sort/build");
  command->callback([options] { run_new(*options); });
}

}  // namespace agpusim
