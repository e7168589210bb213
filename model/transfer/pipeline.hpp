#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agpusim/model/transfer/link.hpp"

namespace agpusim::transfer {

/// What works on an operation, one at a time.
enum class Engine : std::uint8_t { copy_in, compute, copy_out, host };
inline constexpr std::array engines{Engine::copy_in, Engine::compute, Engine::copy_out,
                                    Engine::host};
[[nodiscard]] const char* to_string(Engine engine);

/// Where the host's side of a copy lies. A pageable copy goes through a buffer of the driver that
/// the host fills or empties: the host is busy with it as long as it lasts.
enum class HostMemory : std::uint8_t { pinned, pageable };
[[nodiscard]] const char* to_string(HostMemory memory);

using OperationId = std::int32_t;

/// A copy, a kernel, or a step of the host.
struct Operation {
  Engine engine = Engine::compute;
  std::int32_t stream = 0;
  std::string name;         ///< name of the kernel, array or step
  std::int64_t chunk = -1;  ///< which part of the input; -1: no part
  std::int64_t bytes = 0;   ///< bytes that a copy moves, or a host step in host memory
  double seconds = 0;  ///< time of a kernel or host step that has its engine and memory to itself
  HostMemory memory = HostMemory::pinned;

  bool operator==(const Operation&) const = default;
};

/// Operations on streams: a directed acyclic graph. Operations of one stream wait for each other in
/// the order in which they were added; anything else that an operation waits for is said.
class Pipeline {
 public:
  /// Adds an operation that starts after the one before it in its stream and after all of `after`.
  /// Throws std::out_of_range when one of these is not there yet: a graph built in order has no
  /// cycle.
  OperationId add(Operation operation, std::span<const OperationId> after = {});

  [[nodiscard]] std::int64_t size() const { return std::ssize(operations_); }
  [[nodiscard]] const Operation& operator[](OperationId id) const {
    return operations_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
  /// What an operation waits for, each once.
  [[nodiscard]] const std::vector<OperationId>& before(OperationId id) const {
    return before_[static_cast<std::size_t>(id)];
  }
  /// Bytes of all operations of an engine.
  [[nodiscard]] std::int64_t bytes(Engine engine) const;

 private:
  std::vector<Operation> operations_;
  std::vector<std::vector<OperationId>> before_;
  std::vector<OperationId> last_of_stream_;  // -1: none
};

/// Seconds of an operation that has its engine, the link and host memory to itself.
[[nodiscard]] double seconds_alone(const Operation& operation, const LinkSpec& link);

}  // namespace agpusim::transfer
