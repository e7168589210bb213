#pragma once

#include <string>

namespace CLI {
class App;
}

namespace agpusim {

/// The command line of `agpusim validate`.
struct ValidateCommand {
  std::string device = "NVIDIA H200";
  double most_mape = 0;  ///< percent; 0: no limit
  bool ablation = false;
  bool json = false;
};

void setup_validate(CLI::App& app);

/// Prints how well the model predicts runs that it was not fitted to; throws Mismatch when the mean
/// error of the algorithms left out is above `most_mape`.
void run_validate(const ValidateCommand& command);

}  // namespace agpusim
