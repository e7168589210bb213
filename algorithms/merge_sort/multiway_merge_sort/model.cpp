#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/row.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

void register_multiway_merge_sort(Registry& registry) {
  Algorithm row = multiway_merge_sort::sort_row();
  row.name = "multiway_merge_sort";
  row.summary = "merge sort with a d-way heap of buffers, I/O-optimal; regions merge independently";
  row.source = "Koike and Sadakane, IJNC 5(1), 2015, section 5; theory 3.12";
  row.bound_io = "(2n/b)(1 + ceil(log_d(n/tile))) + cuts; Theta((n/b) log_{M/b}(n/b))";
  row.variants = {"selection", "heap", "heap_2b", "pivots"};
  row.parameters.push_back({"runs", "variant pivots: most runs that are cut at pivots; 1: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots"
                                         ? multiway_merge_sort::default_runs(config)
                                         : 1;
                            }});
  row.parameters.push_back({"pivots", "variant pivots: pivots of each of these runs; 0: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots"
                                         ? multiway_merge_sort::default_pivots(config)
                                         : 0;
                            },
                            0});
  registry.add(std::move(row));
}

}  // namespace agpusim
