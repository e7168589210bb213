#include "agpusim/cli/experiment_table.hpp"

namespace agpusim {

const std::vector<PaperExperiment>& paper_experiments() {
  static const std::vector<PaperExperiment> table = {kozakai_paper(), nishimura_paper(),
                                                     miura_paper()};
  return table;
}

}  // namespace agpusim
