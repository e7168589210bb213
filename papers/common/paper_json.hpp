#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agpusim/validation/io/json.hpp"

namespace agpusim {

/// A file that agpusim carries of a paper, for example "statistics/plan.json": of the installation
/// or of the source tree, whichever has the bundled measurements.
[[nodiscard]] std::filesystem::path paper_file(const std::string& name);

namespace detail {

/// Calls `read` with what a file of a paper has, of schema 1. Throws IoError when it cannot be
/// read; FileError where `read` or this throws JsonError.
void read_paper(const std::filesystem::path& path, const std::function<void(const Json&)>& read);

/// Calls `visit` for every entry of the list that is called `kind` and an s. A JsonError gets the
/// number of the entry.
void for_each_entry(const Json& json, const std::string& kind,
                    const std::function<void(const Json&)>& visit);

/// A member that may be absent: its value, else `otherwise`.
template <class T>
[[nodiscard]] T field_or(const Json& json, const std::string& name, T otherwise) {
  return json.contains(name) ? field<T>(json, name) : otherwise;
}

/// The member `name`, a list.
[[nodiscard]] const Json& list_in(const Json& json, const std::string& name);

/// The member `name`, a list of T with at least one.
template <class T>
[[nodiscard]] std::vector<T> list_of(const Json& json, const std::string& name) {
  std::vector<T> values;
  for (const Json& value : list_in(json, name)) values.push_back(field<T>({{name, value}}, name));
  if (values.empty()) throw JsonError("field '" + name + "' is empty");
  return values;
}

// What a paper found, as its findings.json says it: {"schema": 1, "findings": [{"section": ...,
// "statement": ..., "judge": the name of a kind, and what that kind takes}, ...]}.

/// A kind of judges: the members of a finding that it takes, and how it judges by them.
template <class Judge>
struct JudgeKind {
  std::set<std::string> members;
  Judge judge;
};

/// Calls judged(finding, judge) for every finding of a file. Throws as read_paper does, also for an
/// unknown kind and a member that it does not take.
template <class Judge, class Judged>
void for_each_finding(const std::filesystem::path& path,
                      const std::map<std::string, JudgeKind<Judge>>& kinds, Judged judged) {
  read_paper(path, [&](const Json& file) {
    for_each_entry(file, "finding", [&](const Json& finding) {
      const auto kind = kinds.find(field<std::string>(finding, "judge"));
      if (kind == kinds.end()) throw JsonError("field 'judge' is no kind of judge");
      for (const auto& item : finding.items()) {
        const std::string& name = item.key();
        if (name == "section" || name == "statement" || name == "judge") continue;
        if (!kind->second.members.contains(name)) {
          throw JsonError("field '" + name + "' is unknown");
        }
      }
      judged(finding, kind->second.judge);
    });
  });
}

}  // namespace detail
}  // namespace agpusim
