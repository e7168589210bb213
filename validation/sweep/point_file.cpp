#include "agpusim/validation/sweep/point_file.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/sweep/counter.hpp"
#include "agpusim/validation/sweep/point_json.hpp"

namespace agpusim::sweep {
namespace {

constexpr const char* kind = "sweep point";

KeptPoint kept_point(const agpusim::detail::Json& json) {
  if (agpusim::detail::field<std::string>(json, "kind") != kind) {
    throw agpusim::detail::JsonError("the line is no point of `agpusim sweep --out`");
  }
  return {decode_point(json),
          {agpusim::detail::field<std::string>(json, "sweep"),
           agpusim::detail::field<std::int64_t>(json, "of_points")}};
}

}  // namespace

Whole whole_of(const std::vector<Run>& runs) {
  std::string text;
  std::set<std::string> points;
  for (const Run& run : runs) {
    text += identity(run) + "\n";
    points.insert(identity(run));
  }
  return {agpusim::detail::to_hex(agpusim::detail::fnv1a(text)), std::ssize(points)};
}

std::string to_line(const Point& point, const Whole& whole) {
  agpusim::detail::Json json = encode(point);
  json["sweep"] = whole.sweep;
  json["of_points"] = whole.points;
  return agpusim::detail::seal(std::move(json), kind);
}

KeptPoint from_line(const std::string& line) { return kept_point(agpusim::detail::unseal(line)); }

std::vector<KeptPoint> read_points(const std::filesystem::path& path) {
  std::vector<KeptPoint> points;
  agpusim::detail::for_each_line(path, [&](const agpusim::detail::Json& json, const std::string&) {
    points.push_back(kept_point(json));
  });
  return points;
}

Merged merge(const std::vector<KeptPoint>& points) {
  Merged merged;
  std::map<std::string, const KeptPoint*> runs;
  std::map<Whole, std::set<std::string>> found;
  for (const KeptPoint& kept : points) {
    const std::string id = identity(kept.point);
    const KeptPoint*& known = runs[id];
    if (known != nullptr && encode(known->point) != encode(kept.point)) ++merged.replaced;
    known = &kept;
    found[kept.whole].insert(id);
  }
  for (const auto& [id, kept] : runs) {
    merged.kept.push_back(*kept);
  }
  std::stable_sort(
      merged.kept.begin(), merged.kept.end(),
      [](const KeptPoint& a, const KeptPoint& b) { return comes_before(a.point, b.point); });
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
