#include "agpusim/cli/catalog.hpp"

#include <algorithm>
#include <iterator>

#include "agpusim/cli/suggest.hpp"

namespace agpusim {

const Registry& catalog() {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    return filled;
  }();
  return registry;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  std::transform(catalog().all().begin(), catalog().all().end(), std::back_inserter(names),
                 [](const Algorithm& algorithm) { return algorithm.name; });
  return names;
}

const Algorithm& find_algorithm(const std::string& name) {
  const auto& all = catalog().all();
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Algorithm& algorithm) { return algorithm.name == name; });
  if (it == all.end()) throw unknown_name("algorithm", name, algorithm_names());
  return *it;
}

}  // namespace agpusim
