#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/cudart/hidden_memory.hpp"
#include "agpusim/cudart/order.hpp"
#include "agpusim/cudart/registry.hpp"
#include "agpusim/cudart/reporter.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/validation/exec/settings.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim::cudart {

/// Compute capability of the device, 90 for 9.0: what programs are built for.
inline constexpr std::uint32_t compute_capability = 90;

/// The pages with these bytes of an allocation and no others, which a system call may use. One of a
/// page at most is hidden as a whole.
[[nodiscard]] ptx::Range pages_of(const ptx::Allocation& allocation, const ptx::Range& bytes);

/// From now on an access of the program to what it may not use is a finding.
void watch_host();

/// Bytes, between the begins of two rows.
inline constexpr std::size_t most_pitch = INT32_MAX;

/// A launch whose arguments were read.
struct PreparedLaunch {
  Kernel* kernel = nullptr;
  ptx::Dim3 grid;
  ptx::Dim3 block;
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;
};

/// Memory that a function of the interface has given.
struct Owned {
  std::size_t bytes = 0;
  MemoryType type = MemoryType::device;
  bool is_registered = false;  ///< the program's own
  bool is_pooled = false;      ///< cudaDeviceReset() leaves it
};

/// The device and all that calls share in one process.
class Runtime {
 public:
  /// Made by the first call. Null where it cannot be made, which stderr says once.
  static Runtime* get();

  std::mutex mutex;  ///< held by every call, but not in functions of the host that it calls
  const exec::Settings settings;
  const DeviceFile card;
  const AgpuSpec spec;
  HiddenMemory hidden;  ///< where the device's own memory lies
  ptx::Device device;
  Reporter reporter;
  /// The error of a kernel: every call returns it from then on.
  std::atomic<Status> fault = Status::success;
  bool is_initialized = false;          ///< by cuInit(), or a function of the runtime
  double milliseconds = 0;              ///< predicted, of all kernels and copies so far
  std::map<const void*, Owned> memory;  ///< by begin
  std::size_t used_bytes = 0;           ///< bytes of the device's memory that are used
  std::int64_t allocations = 0;         ///< so far: findings name them by their numbers

  /// By cudaLimit. Of all, the third has an effect: bytes of the heap of kernels.
  std::array<std::size_t, 7> limits = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

  /// What was given, and holds the address; null for all else.
  [[nodiscard]] const Owned* owner(const void* pointer) const;
  /// What kernels may use, and holds the address; null for all else.
  [[nodiscard]] ptx::Allocation* allocation(const void* pointer);
  /// The address of a variable of the device. Throws what DeviceCode::module() throws.
  [[nodiscard]] ptx::Address address_of(DeviceCode& code, std::string_view variable);
  /// Bytes of the memory of the card.
  [[nodiscard]] std::size_t total_bytes() const;
  /// Bytes of shared memory that a CTA can have.
  [[nodiscard]] std::size_t most_shared() const;
  /// CTAs of `threads` threads that a multiprocessor holds at once.
  [[nodiscard]] int resident(Kernel& kernel, std::int64_t threads,
                             std::size_t dynamic_shared) const;

  /// Whether the settings have a check.
  [[nodiscard]] bool has_check(std::string_view check) const;

  StreamOrder order;
  std::shared_ptr<StreamWork> work;  ///< what a stream does now
  /// It has done that: judges its order, and hides what of it the host may not use yet.
  void used(std::string name, const std::string& kernel, ptx::Uses uses);
  /// The host has waited for what was before.
  void host_waits(const Moment& moment);
  /// The host half touches memory of the host that is hidden, which it may use from then on.
  void host_touches(const void* address, bool writes, std::uintptr_t at);

  /// Runs a kernel, prices and reports it.
  Status launch(const PreparedLaunch& launch);
  /// Prints what kernels have printed: where the program waits for them.
  void wait();

 private:
  Runtime(exec::Settings settings, DeviceFile card);
  [[nodiscard]] bool is_skipped(const Kernel& kernel) const;
  /// A kernel that is skipped could have written what its parameters point to.
  void mark_skipped(const PreparedLaunch& launch);
  /// What the checks of the settings look for, with its lines.
  [[nodiscard]] std::vector<ptx::Finding> wanted(const std::vector<ptx::Finding>& findings) const;

  std::string printed_;
};

}  // namespace agpusim::cudart
