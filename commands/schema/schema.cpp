#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
  std::vector<std::string> names;
  for (const auto& [known, text] : schemas()) {
    if (known == name) return print(std::string(text));
    names.push_back(known);
  }
  if (!name.empty()) throw unknown_name("schema", name, names);
  print(fmt::format("{}\n", fmt::join(names, "\n")));
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
