#pragma once

#include <cstdint>
#include <string>

namespace agpusim::out_of_core {

/// Host memory that copies to and from the device use directly, all of it 0, freed at the end of
/// its life.
class PinnedMemory {
 public:
  /// From 2 MiB on in huge pages where the system has them, touched first by all cores. Throws
  /// Unavailable or CudaError that names the array and its bytes when there is no room.
  PinnedMemory(std::int64_t bytes, std::string name);
  /// Waits for the device, which may still copy.
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  void map(const std::string& name);

  std::int64_t bytes_;
  void* data_ = nullptr;
  void* mapped_ = nullptr;  // what `data_` lies in, where it is of huge pages
};

}  // namespace agpusim::out_of_core
