#include "agpusim/algorithms/merge_sort/bounds.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/row.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

void register_multiway_merge_sort(Registry& registry) {
  using namespace multiway_merge_sort;
  Algorithm row = sort_row();
  row.name = "multiway_merge_sort";
  row.summary = "merge sort with a d-way heap of buffers, I/O-optimal; regions merge independently";
  row.source = "Koike and Sadakane, IJNC 5(1), 2015, section 5; theory 3.12";
  row.variants = {{.name = "selection",
                   .time = time_of_regions(),
                   .io = io_of_regions(),
                   .help = "large merges are cut exactly into regions of equal size"},
                  {.name = "heap",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "no cuts: the last round is one merge by one task"},
                  {.name = "heap_2b",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "as heap, with buffers twice as large, filled from the top down"},
                  {.name = "pivots",
                   .time = time_of_pivots(),
                   .io = io_of_pivots(),
                   .help = "the last runs are cut at pivots, into regions of uneven size"}};
  row.parameters.push_back({"runs", "variant pivots: most runs that are cut at pivots; 1: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots" ? default_runs(config) : 1;
                            }});
  row.parameters.push_back({"pivots", "variant pivots: pivots of each of these runs; 0: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots" ? default_pivots(config) : 0;
                            },
                            0});
  registry.add(std::move(row));
}

}  // namespace agpusim
