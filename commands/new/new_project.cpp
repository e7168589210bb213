#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compiler_errors.hpp"
#include "agpusim/cli/new_folder.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

#include "embed/new_project_CMakeLists_txt.hpp"
#include "embed/new_project_README_md.hpp"
#include "embed/new_project_algorithm_hpp.hpp"
#include "embed/new_project_main_cpp.hpp"
#include "embed/new_project_pram_README_md.hpp"
#include "embed/new_project_pram_hpp.hpp"
#include "embed/new_project_pram_test_cpp.hpp"
#include "embed/new_project_test_cpp.hpp"

namespace agpusim {
namespace {

struct NewOptions {
  std::string name;
  std::filesystem::path folder;  ///< empty: ./<name>
  bool pram = false;
};

void require_project_name(const std::string& name) {
  require_simple_name(name, "an algorithm");
  // The build has targets of these names.
  constexpr std::array reserved = {"all", "clean", "help", "install", "package", "test"};
  const bool taken = catalog().find_or_null(name) != nullptr ||
                     catalog().find_on_pram_or_null(name) != nullptr ||
                     std::find(reserved.begin(), reserved.end(), name) != reserved.end();
  if (taken) {
    throw UsageError(fmt::format("'{0}' is taken: choose another name, for example my_{0}", name));
  }
}

/// Writes a project with an algorithm of its own that uses the installed agpusim. Throws UsageError
/// for a name that cannot be an algorithm's and for a folder that exists.
void run_new(const NewOptions& options) {
  require_project_name(options.name);
  const std::filesystem::path folder =
      options.folder.empty() ? std::filesystem::path(options.name) : options.folder;
  const std::string& name = options.name;
  make_folder(folder, name,
              {{"@name@.hpp",
                options.pram ? embed::new_project_pram_hpp() : embed::new_project_algorithm_hpp()},
               {"main.cpp", embed::new_project_main_cpp()},
               {"test.cpp",
                options.pram ? embed::new_project_pram_test_cpp() : embed::new_project_test_cpp()},
               {"CMakeLists.txt", embed::new_project_CMakeLists_txt()},
               {"README.md", options.pram ? embed::new_project_pram_README_md()
                                          : embed::new_project_README_md()}},
              "choose another --folder");
  const std::string path = folder.string();
  const bool one_word = path.find(' ') == std::string::npos;
  print(fmt::format(
      "{0}: your algorithm is {1}.hpp\n\n  cmake -S {0} -B {0}/build && cmake --build {0}/build\n"
      "  {0}/build/{1} {2} {1} --n {3}\n",
      one_word ? path : "'" + path + "'", name, options.pram ? "pram" : "run",
      options.pram ? "1000" : "2^20"));
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
  command->add_flag("--pram", options->pram, "a step program for a PRAM");
  command->footer(
      "Example:\n"
      "  agpusim new my_sort && cmake -S my_sort -B my_sort/build && cmake --build my_sort/build");
  command->callback([options] { run_new(*options); });
}

}  // namespace agpusim
