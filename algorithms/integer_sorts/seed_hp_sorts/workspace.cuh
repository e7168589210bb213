#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/registry.hpp"

namespace agpusim::seed_hp_sorts {

/// Threads of a CTA in every kernel of the paper.
inline constexpr int cta_threads = 256;

/// One piece of device memory that is handed out in slices, as the paper does with its auxiliary
/// arrays (section 5): first reserve(), then allocate() once, then at().
class Workspace {
 public:
  /// Room for `count` ints, aligned for any type; returns its place.
  std::size_t reserve_ints(std::int64_t count) {
    return reserve(static_cast<std::size_t>(count) * sizeof(int));
  }
  std::size_t reserve(std::size_t bytes);
  void allocate() { memory_ = std::make_unique<DeviceBuffer>(bytes_, "auxiliary arrays"); }

  [[nodiscard]] void* at(std::size_t place) const {
    return static_cast<char*>(memory_->data()) + place;
  }
  [[nodiscard]] int* ints_at(std::size_t place) const { return static_cast<int*>(at(place)); }
  /// Fills all of it with an implausible pattern, in stream order.
  void poison();

 private:
  std::size_t bytes_ = 0;
  std::unique_ptr<DeviceBuffer> memory_;
};

/// Throws UsageError that names the algorithm and `name` when a thread index, an int, cannot reach
/// `value`.
void require_int_index(const RunConfig& config, const char* name, std::int64_t value);

/// A sort from an array x to an array y, with its keys uploaded. What it needs besides x and y is
/// allocated once, before anything is timed.
class SortProgram : public CudaProgram {
 public:
  /// Throws UsageError for a type other than i32 and for more keys than an int indexes.
  explicit SortProgram(const RunConfig& config);
  /// Poisons y and the workspace: what a run does not write is seen. x is only read by a run.
  void reset() override;
  /// Checksum of y, as the sorts of the algorithm table have it.
  std::uint64_t checksum() override;

 protected:
  [[nodiscard]] int n() const { return static_cast<int>(shape_.n); }
  [[nodiscard]] int min() const { return static_cast<int>(shape_.min); }
  [[nodiscard]] int range() const { return static_cast<int>(shape_.range); }
  [[nodiscard]] const int* x() const { return static_cast<const int*>(x_.data()); }
  [[nodiscard]] int* y() const { return static_cast<int*>(y_.data()); }
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] const Workspace& workspace() const { return workspace_; }

 private:
  KeyShape shape_;
  DeviceBuffer x_;
  DeviceBuffer y_;
  Workspace workspace_;
};

}  // namespace agpusim::seed_hp_sorts
