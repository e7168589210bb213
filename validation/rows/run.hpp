#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// One run of a program on AGPU or on a PRAM: all that determines its result and its counts, and
/// the device that its time is predicted of.
struct Run {
  std::string program;  ///< as tables show it, for example "scan:blelloch" or "pram/sum"
  const Algorithm* algorithm = nullptr;  ///< its row; null: it was only measured
  RunConfig config = {};                 ///< resolved, unless it is refused
  const DeviceFile* device = nullptr;    ///< whose constants predict a time; null: no prediction
  std::string refusal = {};              ///< why it cannot run

  [[nodiscard]] bool on_pram() const { return config.pram.has_value(); }

  /// Every field that determines result and counts, as text: equal runs, and no others, have equal
  /// keys. By it records, stored counts, kept rows and tasks of other processes are found.
  [[nodiscard]] std::string key() const;

  /// n, the numbers of the machine (p, b, M, w, V, k) and the parameters of the row, by name.
  [[nodiscard]] std::map<std::string, std::int64_t> symbols() const;
  /// rules_text of the machine.
  [[nodiscard]] std::string rules() const;
  /// For example "AGPU(p=128, b=8, M=256, w=32), V=8, bank-mode=strict".
  [[nodiscard]] std::string machine() const;
};

/// What a time from the row's counts is from: the table that agpusim carries, or a row of one's
/// own.
[[nodiscard]] PredictedFrom from_counts(const Algorithm& algorithm);

/// What a machine does otherwise than usual, beyond the numbers of AgpuSpec::to_string, for example
/// "bank-mode=strict no-skip-empty"; empty when it does nothing otherwise.
[[nodiscard]] std::string rules_text(const AgpuSpec& spec);

/// A run of a row with a value for all that its config leaves open; with `own_access`, on a PRAM
/// also the access rule. What the row refuses is the run's refusal.
[[nodiscard]] Run resolved(Run run, bool own_access = true);

/// The run of a key, without its row. Throws FileError.
[[nodiscard]] Run run_of_key(const std::string& key);

}  // namespace agpusim
