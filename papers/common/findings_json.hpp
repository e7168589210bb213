#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/validation/io/json.hpp"

// What a paper found, as its findings.json says it: {"schema": 1, "findings": [{"section": ...,
// "statement": ..., "judge": the name of a kind, and what that kind takes}, ...]}.
namespace agpusim::detail {

/// A kind of judges: the members of a finding that it takes, and how it is made of them.
template <class Judge>
struct JudgeKind {
  std::set<std::string> members;
  Judge (*make)(const Json& finding);
};

template <class Judge>
struct StatedFinding {
  std::string section;  ///< section of the paper
  std::string statement;
  Judge judge;
};

/// Calls visit for every finding of a file. Throws IoError when it cannot be read; FileError that
/// names the finding where `visit` or this throws JsonError.
void for_each_finding(const std::filesystem::path& path,
                      const std::function<void(const Json&)>& visit);

/// Throws JsonError when a finding has members besides section, statement, judge and `known`.
void require_members(const Json& finding, const std::set<std::string>& known);

/// The findings of a paper with their judges. Throws as for_each_finding does, also for an unknown
/// kind.
template <class Judge>
std::vector<StatedFinding<Judge>> load_findings(
    const std::filesystem::path& path, const std::map<std::string, JudgeKind<Judge>>& kinds) {
  std::vector<StatedFinding<Judge>> findings;
  for_each_finding(path, [&](const Json& finding) {
    const auto kind = kinds.find(field<std::string>(finding, "judge"));
    if (kind == kinds.end()) throw JsonError("field 'judge' is no kind of judge");
    require_members(finding, kind->second.members);
    findings.push_back({field<std::string>(finding, "section"),
                        field<std::string>(finding, "statement"), kind->second.make(finding)});
  });
  return findings;
}

/// The findings of the folder of an experiment.
[[nodiscard]] std::filesystem::path findings_file(const std::string& experiment);

/// The member `name`, a list of T.
template <class T>
[[nodiscard]] std::vector<T> list_of(const Json& json, const std::string& name) {
  const Json& list = member(json, name);
  if (!list.is_array() || list.empty()) throw JsonError("field '" + name + "' is not a list");
  std::vector<T> values;
  for (const Json& value : list) values.push_back(field<T>({{name, value}}, name));
  return values;
}

}  // namespace agpusim::detail
