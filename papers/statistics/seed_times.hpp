#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace agpusim::statistics_experiment {

/// One row of tables 4.2 and 4.3 of Nishimura and Toyonaga (seed 003) on one card.
struct SeedTime {
  std::string card;          ///< for example "GeForce GTX 480"
  std::string problem;       ///< "minmax" or "statistics"
  std::int64_t n = 0;        ///< numbers, in ascending order
  double single_us = 0;      ///< Ts: one thread of the GPU
  double parallel_us = 0;    ///< Tm: the tournament
  double printed_ratio = 0;  ///< Ts / Tm as printed, one digit after the point
};

struct SeedTimes {
  std::string source;  ///< paper, tables and how the times were taken
  std::vector<SeedTime> times;
};

/// Reads the transcription. Throws IoError when the file cannot be read; FileError that names the
/// field for invalid JSON, another schema, an unknown problem, a time that is not positive and a
/// row that stands there twice.
[[nodiscard]] SeedTimes load_seed_times(const std::filesystem::path& path);

}  // namespace agpusim::statistics_experiment
