#include "agpusim/cli/catalog.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/validation/compiled/compiled.hpp"
#include "agpusim/validation/counts/counts.hpp"

namespace agpusim {
namespace {

std::vector<std::string> names(const Registry::Rows& rows) {
  std::vector<std::string> result;
  std::transform(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const Algorithm& row) { return row.name; });
  return result;
}

std::vector<OwnAlgorithm>& own_algorithms() {
  static std::vector<OwnAlgorithm> rows;
  return rows;
}

const OwnAlgorithm* find_own(const std::string& name) {
  const std::vector<OwnAlgorithm>& own = own_algorithms();
  const auto it = std::find_if(own.begin(), own.end(),
                               [&](const OwnAlgorithm& row) { return row.name == name; });
  return it == own.end() ? nullptr : &*it;
}

}  // namespace

void add_to_catalog(std::vector<OwnAlgorithm> rows) { own_algorithms() = std::move(rows); }

bool is_own_algorithm(const std::string& name) { return find_own(name) != nullptr; }

std::string style_of(const std::string& name) {
  const OwnAlgorithm* const row = find_own(name);
  return row == nullptr || row->style.empty() ? name : row->style;
}

CudaRegistry own_cuda() {
  CudaRegistry registry;
  for (const OwnAlgorithm& row : own_algorithms()) {
    if (row.cuda) registry.add(row.name, row.cuda);
  }
  return registry;
}

const Registry& catalog() {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    for (const OwnAlgorithm& row : own_algorithms()) {
      if (filled.find_or_null(row.name) != nullptr ||
          (row.pram && filled.find_on_pram_or_null(row.name) != nullptr)) {
        throw UsageError(fmt::format(
            "two algorithms are called '{}': give your own another name (`agpusim list` has those "
            "in use)",
            row.name));
      }
      if (row.program || row.simulate || !row.pram) {
        Algorithm on_agpu = row;
        on_agpu.pram.reset();
        if (row.program && has_own_kernels()) {
          on_agpu.compiled = [program = row.program](const RunConfig& config) {
            return phases_of_own_kernels(program, config);
          };
        }
        Registry whole;  // fills in what the row leaves out
        whole.add(on_agpu);
        filled.add(with_checked_claims(whole.on_agpu().front()));
      }
      if (row.pram) filled.add(row.name, *row.pram);
    }
    return filled;
  }();
  return registry;
}

std::vector<std::string> algorithm_names() { return names(catalog().on_agpu()); }

std::vector<std::string> pram_algorithm_names() { return names(catalog().on_pram()); }

const Algorithm& find_algorithm(const std::string& name) {
  if (const Algorithm* const row = catalog().find_or_null(name)) return *row;
  if (catalog().find_on_pram_or_null(name) != nullptr) {
    throw UsageError(
        fmt::format("'{0}' runs on a PRAM only: use `agpusim pram {0}`; on AGPU run {1}", name,
                    fmt::join(algorithm_names(), ", ")));
  }
  throw unknown_name("algorithm", name, algorithm_names());
}

const Algorithm& find_pram_algorithm(const std::string& name) {
  if (const Algorithm* const row = catalog().find_on_pram_or_null(name)) return *row;
  if (catalog().find_or_null(name) != nullptr) {
    throw UsageError(
        fmt::format("'{0}' runs on AGPU only: use `agpusim run {0}`; on a PRAM run {1}", name,
                    fmt::join(pram_algorithm_names(), ", ")));
  }
  throw unknown_name("PRAM algorithm", name, pram_algorithm_names());
}

}  // namespace agpusim
