#include <algorithm>

#include "agpusim/algorithms/merge_sort/bounds.hpp"
#include "agpusim/algorithms/merge_sort/row.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

void register_gpu_warpsort(Registry& registry) {
  using namespace multiway_merge_sort;
  Algorithm row = sort_row();
  row.name = "gpu_warpsort";
  row.summary = "runs of a block sorted by a bitonic network, then binary merges of blocks";
  row.source =
      "Ye, Fan, Lin, Yuan and Ienne, IPDPS 2010; on AGPU: Koike and Sadakane, IJNC 5(1), 2015";
  row.variants = {{.name = "splitting",
                   .time = time_of_regions(),
                   .io = io_of_regions(),
                   .help = "large merges are split into regions that tasks merge independently"},
                  {.name = "merges",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "no splitting: the last round is one merge by one task"}};
  std::erase_if(row.parameters, [](const Parameter& parameter) { return parameter.name == "d"; });
  for (Parameter& parameter : row.parameters) {
    if (parameter.name == "rows") {
      parameter.default_value = [](const RunConfig&) { return std::int64_t{1}; };
    } else if (parameter.name == "tile") {
      parameter.default_value = [](const RunConfig& config) {
        return std::max<std::int64_t>(config.spec.width, 2);
      };
    }
  }
  registry.add(std::move(row));
}

}  // namespace agpusim
