#include "agpusim/commands/sweep/row_file.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/sweep/row_json.hpp"
#include "agpusim/commands/sweep/series.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/json_lines.hpp"

namespace agpusim::sweep {
namespace {

constexpr const char* kind = "sweep point";

KeptRow kept_row(const agpusim::detail::Json& json) {
  if (agpusim::detail::field<std::string>(json, "kind") != kind) {
    throw agpusim::detail::JsonError("the line is no point of `agpusim sweep --out`");
  }
  return {decode_row(json),
          {agpusim::detail::field<std::string>(json, "sweep"),
           agpusim::detail::field<std::int64_t>(json, "of_points")}};
}

}  // namespace

Whole whole_of(const std::vector<Run>& runs) {
  std::set<std::string> points;
  for (const Run& run : runs) points.insert(identity(run));
  return {digest_of(runs), std::ssize(points)};
}

std::string to_line(const Row& row, const Whole& whole) {
  agpusim::detail::Json json = encode(row);
  json["sweep"] = whole.sweep;
  json["of_points"] = whole.points;
  return agpusim::detail::seal(std::move(json), kind);
}

KeptRow from_line(const std::string& line) { return kept_row(agpusim::detail::unseal(line)); }

void for_each_row(const std::filesystem::path& path, const std::function<void(KeptRow)>& use,
                  const std::function<void(const std::string&)>& cut) {
  agpusim::detail::for_each_line(
      path, [&](const agpusim::detail::Json& json, const std::string&) { use(kept_row(json)); },
      [&](const std::string& origin, const std::string& reason) {
        if (cut && reason == agpusim::detail::truncated) return cut(origin);
        if (origin == path.string()) throw FileError(origin + ": " + reason + ": leave it out");
        throw FileError(
            fmt::format("{}: {}; remove the line: the sweep's own command counts its point again",
                        origin, reason));
      });
}

Merged merge(std::vector<KeptRow> rows) {
  Merged merged;
  std::map<std::string, KeptRow*> runs;
  std::map<Whole, std::set<std::string>> found;
  for (KeptRow& kept : rows) {
    const std::string id = identity(kept.row);
    KeptRow*& known = runs[id];
    if (known != nullptr && encode(known->row) != encode(kept.row)) ++merged.replaced;
    known = &kept;
    found[kept.whole].insert(id);
  }
  std::vector<Row> sorted;
  std::map<std::string, Whole> wholes;
  for (const auto& [id, kept] : runs) {
    sorted.push_back(std::move(kept->row));
    wholes[id] = kept->whole;
  }
  rows.clear();
  sort_rows(sorted);
  for (Row& row : sorted) {
    Whole whole = wholes.at(identity(row));
    merged.kept.push_back({std::move(row), std::move(whole)});
  }
  for (const auto& [whole, ids] : found) {
    const auto count = static_cast<std::int64_t>(ids.size());
    if (count >= whole.points) continue;
    merged.missing.push_back(
        fmt::format("{} of the {} points of sweep {} are missing: merge its other parts too, or "
                    "run the sweep again with the same --out",
                    whole.points - count, whole.points, whole.sweep));
  }
  return merged;
}

}  // namespace agpusim::sweep
