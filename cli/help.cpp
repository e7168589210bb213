#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/pram_topics.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/cli/topics.hpp"

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
      "{}: {}\n\nUsage: {} COMMAND [OPTIONS]\n\nCommands:\n{}\nTopics of `agpusim help TOPIC`:\n"
      "  commands    {}\n  algorithms  {}\n  PRAM        {}\n  general     {}\n",
      app.get_name(), app.get_description(), app.get_name(),
      [&] {
        std::string lines;
        for (const CLI::App* command : listed_commands(app)) {
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
  std::vector<std::string> known = command_names(app);
  for (const auto& names : {algorithm_names(), pram_algorithm_names(), general_topic_names()}) {
    for (const std::string& name : names) {  // of a row on both machines once
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  }
  throw unknown_name("help topic", topic, known);
}

}  // namespace

void setup_help(CLI::App& app) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App* const command = add_command(app, "help", "Explain a command, an algorithm or a topic");
  command->add_option("topic", options->topic, "what to explain");
  command->callback([options, &app] { run_help(app, *options); });
}

}  // namespace agpusim
