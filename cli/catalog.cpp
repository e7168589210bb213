#include "agpusim/cli/catalog.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/suggest.hpp"

namespace agpusim {
namespace {

template <class Row>
std::vector<std::string> names(const std::vector<Row>& rows) {
  std::vector<std::string> result;
  std::transform(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const Row& row) { return row.name; });
  return result;
}

template <class Row>
const Row* find(const std::vector<Row>& rows, const std::string& name) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return it == rows.end() ? nullptr : &*it;
}

}  // namespace

const Registry& catalog() {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    return filled;
  }();
  return registry;
}

const PramRegistry& pram_catalog() {
  static const PramRegistry registry = [] {
    PramRegistry filled;
    register_all_pram(filled);
    return filled;
  }();
  return registry;
}

std::vector<std::string> algorithm_names() { return names(catalog().all()); }

std::vector<std::string> pram_algorithm_names() { return names(pram_catalog().all()); }

std::vector<std::string> variant_names(const PramAlgorithm& algorithm) {
  return names(algorithm.variants);
}

const Algorithm& find_algorithm(const std::string& name) {
  if (const Algorithm* const row = find(catalog().all(), name)) return *row;
  if (find(pram_catalog().all(), name) != nullptr) {
    throw UsageError(
        fmt::format("'{0}' runs on a PRAM only: use `agpusim pram {0}`; on AGPU run {1}", name,
                    fmt::join(algorithm_names(), ", ")));
  }
  throw unknown_name("algorithm", name, algorithm_names());
}

const PramAlgorithm& find_pram_algorithm(const std::string& name) {
  if (const PramAlgorithm* const row = find(pram_catalog().all(), name)) return *row;
  if (find(catalog().all(), name) != nullptr) {
    throw UsageError(
        fmt::format("'{0}' runs on AGPU only: use `agpusim run {0}`; on a PRAM run {1}", name,
                    fmt::join(pram_algorithm_names(), ", ")));
  }
  throw unknown_name("PRAM algorithm", name, pram_algorithm_names());
}

}  // namespace agpusim
