#include "agpusim/model/agpu/line_costs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace agpusim {

void LineCosts::instruction(const Instruction& instruction) {
  const Place place{instruction.kernel.data(), instruction.where.file_name(),
                    instruction.where.line()};
  const auto [entry, is_new] = costs_.try_emplace(place);
  LineCost& cost = entry->second;
  if (is_new) cost = {std::string(instruction.kernel), place.file, place.line, {}};
  cost.counts += instruction.cost;
}

LineCosts& LineCosts::operator+=(const LineCosts& other) {
  for (const auto& [place, cost] : other.costs_) {
    const auto [entry, is_new] = costs_.try_emplace(place, cost);
    if (!is_new) entry->second.counts += cost.counts;
  }
  return *this;
}

std::vector<LineCost> LineCosts::lines() const {
  std::map<std::tuple<std::string, std::string, std::uint32_t>, Counts> by_name;
  for (const auto& [place, cost] : costs_) {
    by_name[{cost.kernel, cost.file, cost.line}] += cost.counts;
  }
  std::vector<LineCost> lines;
  for (const auto& [name, counts] : by_name) {
    if (counts == Counts{}) continue;  // a sync, or a condition that waits for nothing
    lines.push_back({std::get<0>(name), std::get<1>(name), std::get<2>(name), counts});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const LineCost& a, const LineCost& b) {
    return a.counts.time() > b.counts.time();
  });
  return lines;
}

}  // namespace agpusim
