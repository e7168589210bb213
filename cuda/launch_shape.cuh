#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "agpusim/cuda/warps_of_cta.hpp"

namespace agpusim {

/// How the tasks of a kernel are packed into CTAs, remembered per kernel and size of a task's
/// shared memory: a launch must cost the host no more than a launch.
class LaunchShapes {
 public:
  LaunchShapes();

  /// Opt-in limit of dynamic shared memory of one CTA, in bytes.
  [[nodiscard]] std::int64_t shared_bytes_limit() const { return shared_bytes_limit_; }

  /// Lets `function` use as much dynamic shared memory as the device has. Call it once per launch.
  /// Throws UsageError that names the kernel when one task needs more than that.
  void prepare(const void* function, std::string_view name, std::int64_t task_bytes);

  /// Warps of a CTA for a kernel of one-warp tasks: the number that lets the most warps reside on a
  /// multiprocessor, the largest of equals, and small enough that few tasks spread over all
  /// multiprocessors.
  [[nodiscard]] std::int32_t warps_per_cta(const void* function, std::int64_t task_bytes,
                                           std::int64_t tasks) const;

 private:
  using Key = std::pair<const void*, std::int64_t>;
  using ResidentWarps = std::array<std::int32_t, max_warps_per_cta + 1>;  // by warps of a CTA

  std::int64_t multiprocessors_;
  std::int64_t shared_bytes_limit_;
  std::map<Key, ResidentWarps> resident_;
};

}  // namespace agpusim
