#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// An input of the benchmark of the sorts from counts (bench/counting_sort.cu), with the medians of
/// its times in microseconds.
struct CountingSorts {
  std::string input;               ///< kind of keys
  std::int64_t n = 0;              ///< keys
  std::int64_t range = 0;          ///< range of the keys; "few in 2^32": number of values
  double copy = 0;                 ///< copying the keys, by cudaMemcpyAsync
  double fitted = 0;               ///< cub::DeviceRadixSort by the bits of the range
  std::optional<double> all_bits;  ///< cub::DeviceRadixSort by 32 bits
  std::optional<double> seed;      ///< the H-P sort of seed 000
  std::string chosen;              ///< the method that counting_sort takes for a sample of the keys
  double predicted = 0;            ///< the time that it is chosen for
  std::optional<double> ours;      ///< the time of that method, where it was measured; of CUB by
                                   ///< range as well, where it had to give up
  std::string fastest;             ///< fastest method that sorted the keys, CUB by range among them
  double least = 0;                ///< its time
};

/// Reads a file of the benchmark and chooses by the constants of the device. Throws IoError and
/// FileError.
[[nodiscard]] std::vector<CountingSorts> read_counting_sorts(const std::filesystem::path& path,
                                                             const DeviceFile& device);

/// Who wins where.
[[nodiscard]] report::Section counting_sorts_section(const std::vector<CountingSorts>& inputs);

}  // namespace agpusim
