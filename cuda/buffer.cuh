#pragma once

#include <cstddef>
#include <string>

#include <cuda_runtime_api.h>

namespace agpusim {

/// A piece of device memory with a name, freed at the end of its life.
class DeviceBuffer {
 public:
  /// Undefined content. Throws CudaError that names the buffer and its bytes when there is no room.
  DeviceBuffer(std::size_t bytes, std::string name);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Copies `bytes()` bytes from host memory, in stream order; returns when they have arrived.
  void upload(const void* from, cudaStream_t stream);
  /// Copies `bytes()` bytes to host memory, in stream order; returns when they have arrived.
  void download(void* to, cudaStream_t stream) const;

 private:
  std::string name_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace agpusim
