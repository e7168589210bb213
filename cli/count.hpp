#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agpusim {

/// The command line of `agpusim count`.
struct CountCommand {
  std::vector<std::string> records;
  std::string out;
  std::string threads = "0";
  std::string max_seconds;
  bool check = false;
};

void setup_count(CLI::App& app);

/// Simulates the runs of record files whose counts cannot be derived and adds them to a file of
/// stored counts; goes on where it was interrupted. With `check`, compares stored counts with what
/// this agpusim simulates and throws Mismatch when one is stale.
void run_count(const CountCommand& command);

}  // namespace agpusim
