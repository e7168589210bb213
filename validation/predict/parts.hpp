#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/predict/predict.hpp"

/// Where the predicted time of phases goes, and what it would be without a part.
namespace agpusim {

/// What takes time: the launch of kernels or a term of the model.
struct Resource {
  std::string name;       ///< launch, code, issue, shared, bandwidth, atomics, dispatch, latency
  double alone_ms = 0;    ///< all phases, if nothing else had to be waited for
  double part_ms = 0;     ///< its share of the predicted time
  double without_ms = 0;  ///< predicted time if it took none
  std::string limit_then = {};        ///< what takes most of that
  std::string counts = {};            ///< which counts it comes from: what to lower
  std::optional<double> needed = {};  ///< times so much of it would explain the measured time
};

/// The model of phases with every resource times a factor.
class PartsModel {
 public:
  /// Throws FileError when the device file lacks a constant.
  PartsModel(const AgpuSpec& spec, const std::vector<PhaseReport>& phases, const DeviceFile& device,
             TimedBy timed_by = TimedBy::events);

  [[nodiscard]] Prediction with(const std::string& resource, double factor) const;
  /// The time of some of the phases, without their launches.
  [[nodiscard]] Prediction of(const std::vector<PhaseTerms>& phases) const;
  [[nodiscard]] const std::vector<PhaseTerms>& phases() const { return terms_; }
  /// The resources that take time, the largest part first.
  [[nodiscard]] std::vector<Resource> resources(std::optional<double> measured_ms = {}) const;

 private:
  /// The factor with which a resource explains `ms`; nothing when none up to 100 does.
  [[nodiscard]] std::optional<double> needed(const std::string& resource, double ms) const;
  [[nodiscard]] FittedConstants with_launches(double factor) const;

  AgpuSpec spec_;
  std::vector<PhaseReport> counted_;
  DeviceFile device_;
  FittedConstants fitted_;
  std::vector<PhaseTerms> terms_;
};

/// What a line adds to the counts behind a resource; 0 where no line does.
[[nodiscard]] double count_behind(const std::string& resource, const Counts& counts);

}  // namespace agpusim
