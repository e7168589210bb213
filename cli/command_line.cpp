#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/agpusim.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/report/version.hpp"

namespace agpusim {
namespace {

int fail(ExitCode code, std::string reason) {
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  message("agpusim: error: " + reason);
  return static_cast<int>(code);
}

/// The subcommand that was being parsed, or nothing.
const CLI::App* parsed_command(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : listed_commands(app)) {
    known.push_back(command->get_name());
  }
  return unknown_name("command", word, known).what();
}

/// A file or folder without a name is refused instead of taken as not given.
void refuse_empty_paths(CLI::App& app) {
  const auto named = [](const std::string& path) {
    return path.empty() ? std::string("the name is empty") : std::string();
  };
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      if (type.starts_with("FILE") || type == "DIR") option->check(named);
    }
  }
}

/// What is wrong with an argument that nothing takes.
std::string unexpected_argument(const CLI::App& command, const std::string& argument) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const auto guess = argument.starts_with("-") ? nearest(argument, known) : std::nullopt;
  return fmt::format("unexpected argument '{}'{}", argument,
                     guess ? fmt::format(": did you mean '{}'?", *guess) : "");
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    std::ostringstream out;
    app.exit(error, out, out);
    print(out.str());
    return 0;
  }
  const CLI::App* const command = parsed_command(app);
  const std::vector<std::string> left_over = app.remaining(true);
  std::string reason = error.what();
  if (command == nullptr) {
    if (arguments.empty()) {
      reason = "no command given";
    } else if (!arguments.front().starts_with("-")) {
      reason = unknown_command(app, arguments.front());
    } else if (!left_over.empty()) {
      reason = unexpected_argument(app, left_over.front());
    }
  } else if (!left_over.empty()) {
    reason = unexpected_argument(*command, left_over.front());
  } else if (reason.ends_with(" is required")) {
    const std::string all = command->get_footer();
    const std::size_t example = all.find("agpusim " + command->get_name());
    if (example != std::string::npos) {
      reason += ", for example: " + all.substr(example, all.find('\n', example) - example);
    }
  }
  return fail(ExitCode::usage, fmt::format("{} (see `agpusim help{}`)", reason,
                                           command == nullptr ? "" : " " + command->get_name()));
}

bool asks_for_help(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return app.get_help_ptr()->count() > 0 ||
         std::any_of(commands.begin(), commands.end(),
                     [](const CLI::App* command) { return asks_for_help(*command); });
}

struct CommandGroup {
  const char* title;  ///< empty: for programs, not listed
  std::vector<void (*)(CLI::App&)> setups;
};

/// The commands as help lists them.
const std::vector<CommandGroup>& command_groups() {
  static const std::vector<CommandGroup> groups = {
      {"CUDA programs", {setup_build, setup_cc, setup_exec, setup_ptx}},
      {"Algorithms on abstract machines",
       {setup_list, setup_run, setup_step, setup_compare, setup_sweep, setup_merge, setup_pram,
        setup_bounds, setup_pipeline, setup_new}},
      {"Predicted and measured times",
       {setup_why, setup_analyze, setup_validate, setup_experiment, setup_count, setup_measure,
        setup_import_counters, setup_calibrate}},
      {"Learning, and looking up", {setup_exercise, setup_help, setup_schema}},
      {"", {setup_compile, setup_complete}}};
  return groups;
}

/// Help is the same whichever version of CLI11 is there: defaults are written by those in two ways.
struct HelpFormatter : CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::string& value = option->get_default_str();
    const std::string newer = " [" + value + "] ";
    const std::size_t at = value.empty() ? std::string::npos : text.find(newer);
    if (at != std::string::npos) text.replace(at, newer.size(), "=" + value);
    return text;
  }
};

int run_command_line(const std::vector<std::string>& arguments) {
  CLI::App app(
      "runs CUDA programs without a GPU; counts what parallel algorithms cost on abstract machines",
      "agpusim");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", fmt::format("agpusim {}", version()));
  app.require_subcommand(1);
  for (const CommandGroup& group : command_groups()) {
    for (const auto& setup : group.setups) {
      setup(app);
      app.get_subcommands([](CLI::App*) { return true; }).back()->group(group.title);
    }
  }
  app.footer(
      "Examples:\n"
      "  agpusim build -- make && agpusim exec -- ./prog\n"
      "  agpusim run bitonic_sort --n 2^20 --by-line\n"
      "  agpusim help exec");
  refuse_empty_paths(app);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, arguments);
  } catch (const UsageError&) {
    // A value that cannot be read comes after help and after an argument that nothing takes.
    if (asks_for_help(app)) return report_parse_error(app, CLI::CallForHelp(), arguments);
    std::vector<std::string> left_over = app.remaining(true);
    std::erase(left_over, "--");
    const CLI::App* const command = parsed_command(app);
    if (left_over.empty() || (command != nullptr && command->get_prefix_command())) throw;
    return report_parse_error(app, CLI::ExtrasError(left_over), arguments);
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description);
}

int main(int argc, char** argv, std::vector<OwnAlgorithm> rows) {
  try {
    ignore_write_signals();
    exit_on_interrupt();
    add_to_catalog(std::move(rows));
    return run_command_line(std::vector<std::string>(argv + 1, argv + std::max(argc, 1)));
  } catch (const OutputClosed&) {
    return static_cast<int>(ExitCode::ok);
  } catch (const Interrupted&) {
    return interrupted_exit_code;
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::usage,
                "not enough memory: choose smaller inputs (--n, --n-max) or parameters (--set)");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::io, fmt::format("cannot read '{}': {}", error.path1().string(),
                                          error.code().message()));
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace agpusim
