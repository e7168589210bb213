#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace agpusim::test {

using Names = std::vector<std::string>;

/// The names of an object's members, in order.
inline Names keys(const nlohmann::ordered_json& json) {
  Names names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

}  // namespace agpusim::test
