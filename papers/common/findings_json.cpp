#include "agpusim/papers/common/findings_json.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/papers/common/paper_file.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim::detail {

void for_each_finding(const std::filesystem::path& path,
                      const std::function<void(const Json&)>& visit) {
  constexpr std::int64_t schema = 1;
  std::size_t number = 0;
  try {
    const Json file = parse_object(read_file(path));
    if (field<std::int64_t>(file, "schema") != schema) {
      throw JsonError(fmt::format("field 'schema' is not {}", schema));
    }
    const Json& findings = member(file, "findings");
    if (!findings.is_array()) throw JsonError("field 'findings' is not a list");
    for (const Json& finding : findings) {
      ++number;
      visit(finding);
    }
  } catch (const JsonError& error) {
    throw FileError(fmt::format("{}: {}{}; restore the file", path.string(),
                                number > 0 ? fmt::format("finding {}: ", number) : "",
                                error.what()));
  }
}

void require_members(const Json& finding, const std::set<std::string>& known) {
  for (const auto& item : finding.items()) {
    const std::string& name = item.key();
    if (name == "section" || name == "statement" || name == "judge") continue;
    if (!known.contains(name)) throw JsonError(fmt::format("field '{}' is unknown", name));
  }
}

std::filesystem::path findings_file(const std::string& experiment) {
  return paper_file(experiment + "/findings.json");
}

}  // namespace agpusim::detail
