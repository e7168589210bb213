#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"

#include "embed/schemas.hpp"

namespace agpusim {
namespace {

/// The documents of docs/reference/schemas, each by the name in its "$id".
std::map<std::string, std::string_view> schemas() {
  constexpr std::string_view id = "\"$id\": \"agpusim:";
  constexpr std::string_view end = "\n}\n";
  std::map<std::string, std::string_view> all;
  for (std::string_view rest = embed::schemas(); !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(end) + end.size());
    const std::size_t name = one.find(id) + id.size();
    all.emplace(one.substr(name, one.find('"', name) - name), one);
    rest.remove_prefix(one.size());
  }
  return all;
}

void run_schema(const std::string& name) {
  const auto all = schemas();
  std::vector<std::string> names;
  for (const auto& [known, text] : all) names.push_back(known);
  if (!name.empty() && !all.contains(name)) throw unknown_name("schema", name, names);
  std::string text;
  for (const std::string& known : names) text += known + '\n';
  print(name.empty() ? text : std::string(all.at(name)));
}

}  // namespace

void setup_schema(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "schema", "Print the JSON schema of what --json of a command prints");
  const auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "the schema (default: list their names)");
  command->callback([name] { run_schema(*name); });
  command->footer("Example:\n  agpusim schema run");
}

}  // namespace agpusim
