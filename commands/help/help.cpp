#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/pram_topics.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/help/help_topics.hpp"

namespace agpusim {
namespace {

struct HelpOptions {
  std::string topic;  ///< empty: the overview
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : listed_commands(app)) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> general_topic_names() {
  std::vector<std::string> names;
  std::transform(general_topics().begin(), general_topics().end(), std::back_inserter(names),
                 [](const Topic& topic) { return topic.name; });
  return names;
}

/// Everything that `help` explains.
std::vector<std::string> topic_names(const CLI::App& app) {
  std::vector<std::string> names = command_names(app);
  for (const auto& more : {algorithm_names(), pram_algorithm_names(), general_topic_names()}) {
    for (const std::string& name : more) {  // lists a row on both machines once
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

/// What is said about the algorithm of this name: on AGPU, on a PRAM, or both; empty: no such one.
std::string algorithm_pages(const std::string& name) {
  std::string text;
  for (const Algorithm& algorithm : catalog().on_agpu()) {
    if (algorithm.name == name) text += algorithm_text(algorithm);
  }
  for (const Algorithm& algorithm : catalog().on_pram()) {
    if (algorithm.name == name) text += (text.empty() ? "" : "\n") + pram_algorithm_text(algorithm);
  }
  if (!text.empty() && !is_own_algorithm(name)) {
    text += fmt::format("\nIts page: docs/algorithms.md#{}\n", name);
  }
  return text;
}

std::string overview(const CLI::App& app) {
  return fmt::format(
      "{}: {}\n\nUsage: {} COMMAND [OPTIONS]\n\n{}\nTopics of `agpusim help TOPIC`:\n"
      "  commands    {}\n  algorithms  {}\n  PRAM        {}\n  general     {}\n",
      app.get_name(), app.get_description(), app.get_name(),
      [&] {
        std::string lines, group;
        for (const CLI::App* command : listed_commands(app)) {
          if (command->get_group() != group) {
            group = command->get_group();
            lines += group + ":\n";
          }
          lines += fmt::format("  {:<16} {}\n", command->get_name(), command->get_description());
        }
        return lines;
      }(),
      fmt::join(command_names(app), ", "), fmt::join(algorithm_names(), ", "),
      fmt::join(pram_algorithm_names(), ", "), fmt::join(general_topic_names(), ", "));
}

/// Prints the topic. Throws UsageError with the known topics when there is none of this name.
void run_help(const CLI::App& app, const HelpOptions& options) {
  const std::string& topic = options.topic;
  if (topic.empty()) {
    print(overview(app));
    return;
  }
  for (const CLI::App* command : listed_commands(app)) {
    if (command->get_name() == topic) {
      print(command->help(app.get_name()));
      return;
    }
  }
  if (const std::string text = algorithm_pages(topic); !text.empty()) {
    print(text);
    return;
  }
  for (const Topic& general : general_topics()) {
    if (general.name == topic) {
      print(general.text());
      return;
    }
  }
  throw unknown_name("help topic", topic, topic_names(app));
}

/// The names that may follow `before`, the words of a command line behind "agpusim".
std::vector<std::string> names_after(const CLI::App& app, const std::vector<std::string>& before) {
  const CLI::App* command = &app;
  for (const std::string& word : before) {
    for (const CLI::App* one : listed_commands(*command)) {
      if (one->get_name() == word) command = one;
    }
  }
  std::vector<std::string> names;
  if (!before.empty() && before.back() == "--machine") {
    for (const Machine& machine : machines()) names.push_back(machine.name);
    return names;
  }
  const std::set<std::string> of_algorithms = {"run", "step", "why", "compare", "sweep"};
  const std::string& name = command->get_name();
  names = name == "help"                 ? topic_names(app)
          : name == "pram"               ? pram_algorithm_names()
          : of_algorithms.contains(name) ? algorithm_names()
                                         : command_names(*command);
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& one : option->get_lnames()) names.push_back("--" + one);
  }
  return names;
}

}  // namespace

void setup_complete(CLI::App& app) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = add_command(app, "complete", "completion in bash, zsh and fish");
  command->add_option("words", *words);
  command->callback([words, &app] {
    const std::string last = words->empty() ? "" : words->back();
    words->resize(words->size() - (words->empty() ? 0 : 1));
    for (const std::string& name : names_after(app, *words)) {
      if (name.starts_with(last) && name.starts_with("-") == last.starts_with("-")) {
        print(name + "\n");
      }
    }
  });
}

void setup_help(CLI::App& app) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App* const command = add_command(app, "help", "Explain a command, an algorithm or a topic");
  command->add_option("topic", options->topic, "what to explain");
  command->callback([options, &app] { run_help(app, *options); });
}

}  // namespace agpusim
