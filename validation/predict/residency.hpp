#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/ptx/run/caches.hpp"
#include "agpusim/ptx/run/resident.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// Why a multiprocessor of the device cannot hold a task of these phases; empty when it can. Throws
/// FileError when the device file lacks a constant.
[[nodiscard]] std::string why_not_resident(const RunConfig& config,
                                           const std::vector<PhaseReport>& phases,
                                           const DeviceFile& device);

/// What a multiprocessor of the device has for CTAs. Throws FileError when a constant is missing.
[[nodiscard]] ptx::Multiprocessor multiprocessor_of(const DeviceFile& device);

/// CTAs of a compiled phase that a multiprocessor of the device runs at once.
[[nodiscard]] ptx::Resident resident_of(const AgpuSpec& spec, const PhaseReport& phase,
                                        const DeviceFile& device);

/// The caches of a device; none where its file does not say how large they are.
[[nodiscard]] ptx::CacheSizes caches_of(const DeviceFile& device);

/// The predicted time of a run on a device, or why there is none.
struct PredictedRun {
  std::optional<Prediction> prediction = {};
  std::string why_not = {};
  std::string device = {};     ///< name of the device that the prediction is for
  bool compiled = false;       ///< from what a compiler made of the kernels, else from counts
  std::string uncertain = {};  ///< why there is no interval; empty: there is one
};

/// Predicts nothing of a run that the device cannot hold, or where its file lacks a constant.
[[nodiscard]] PredictedRun predict_run(const RunConfig& config,
                                       const std::vector<PhaseReport>& phases,
                                       const DeviceFile& device,
                                       PredictedFrom from = PredictedFrom::bundled);

}  // namespace agpusim
