#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What seed 004 printed (Miura, Chang and Miyazaki: an i7-7800X and a GTX 1060 of 3 GB), and what
// the transfer model makes of the bandwidths it printed.
namespace agpusim::out_of_core {

/// Passes over the input: GB/s of host memory while the device read and wrote (table 5).
struct SeedPass {
  double read = 0;              ///< 0: they read nothing of the input's size
  double write = 0;             ///< 0: they write nothing of the input's size
  int repeats = 1;              ///< how many there are
  std::int64_t read_bytes = 8;  ///< bytes read of each element
};

/// A task of the paper: speed-up over one thread of its host, transfers included.
struct SeedTask {
  std::string task;
  std::string elements;          ///< the largest input, as printed
  double printed_low = 0;        ///< least speed-up
  double printed_high = 0;       ///< largest speed-up
  std::string remark;            ///< note on the printed speed-up
  double host_read = 0;          ///< GB/s of the loop on the host (table 4)
  std::vector<SeedPass> passes;  ///< empty: what the paper's program moves is not printed
  double host_bytes = 8;         ///< bytes of host memory that the loop reads for each element
};

[[nodiscard]] const std::vector<SeedTask>& seed_tasks();

/// Speed-ups by the transfer model.
struct SeedPrediction {
  double bound = 0;      ///< bytes over bandwidth alone
  double scheduled = 0;  ///< with filling and draining the pipeline: chunks of 2^24, 3 streams
  double by_read = 0;    ///< bytes over the read bandwidth alone
};

/// Speed-up for 10^10 elements of 8 bytes; nothing for a task without passes.
[[nodiscard]] std::optional<SeedPrediction> predict(const SeedTask& task);

}  // namespace agpusim::out_of_core
