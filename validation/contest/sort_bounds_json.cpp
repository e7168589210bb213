#include <nlohmann/json.hpp>

#include "agpusim/validation/contest/sort_bounds.hpp"

namespace agpusim {
namespace {

using Json = nlohmann::ordered_json;

Json encode(const SortBoundsRow& row, const BoundedSort& sort, const SortIo& result) {
  Json json = {{"label", sort.label}, {"algorithm", sort.algorithm}, {"variant", sort.variant}};
  if (!result.io) {
    json["refused"] = result.refusal;
    return json;
  }
  const auto io = static_cast<double>(*result.io);
  json["parameters"] = result.config.parameters;
  json["Q"] = *result.io;
  json["passes"] = row.passes(io);
  json["ratio"] = io / row.total;
  return json;
}

Json encode(const SortBoundsRow& row) {
  Json sorts = Json::array();
  for (std::size_t i = 0; i < row.sorts.size(); ++i) {
    sorts.push_back(encode(row, bounded_sorts()[i], row.sorts[i]));
  }
  return {{"n", row.n},
          {"b", row.block_words},
          {"M", row.shared_words},
          {"lower_bound", {{"reads", row.passes(row.reads)}, {"total", row.passes(row.total)}}},
          {"sorts", sorts}};
}

}  // namespace

std::string sort_bounds_json(const std::vector<SortBoundsRow>& rows) {
  Json json = {{"agpusim", AGPUSIM_VERSION}, {"rows", Json::array()}};
  for (const SortBoundsRow& row : rows) json["rows"].push_back(encode(row));
  return json.dump(2) + "\n";
}

}  // namespace agpusim
