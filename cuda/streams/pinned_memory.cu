#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <system_error>

#include <fmt/format.h>

#include <cuda_runtime_api.h>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/model/transfer/host_parallel.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t huge_page = std::int64_t{1} << 21;
constexpr std::int64_t small_page = std::int64_t{1} << 12;

constexpr const char* remedy =
    "use a smaller n or pageable memory, or let the system lock more memory (ulimit -l, the memory "
    "limit of the container)";

/// Bytes of the mapping in which `bytes` bytes begin at a huge page.
std::size_t mapped_bytes(std::int64_t bytes) { return static_cast<std::size_t>(bytes + huge_page); }

void check_pinned(cudaError_t code, const std::string& name, std::int64_t bytes) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // else the next launch would be blamed
  throw CudaError(
      code, fmt::format("cannot pin {} bytes of host memory for array '{}': {} ({}); {}", bytes,
                        name, cudaGetErrorName(code), cudaGetErrorString(code), remedy));
}

}  // namespace

PinnedMemory::PinnedMemory(std::int64_t bytes, std::string name) : bytes_(bytes) {
  require_cuda_device();
  if (bytes >= huge_page) {
    map(name);
    return;
  }
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  check_pinned(cudaHostAlloc(&data_, size, cudaHostAllocDefault), name, bytes);
  std::memset(data_, 0, size);
}

void PinnedMemory::map(const std::string& name) {
  mapped_ = mmap(nullptr, mapped_bytes(bytes_), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  if (mapped_ == MAP_FAILED) {
    throw Unavailable(fmt::format("cannot allocate {} bytes of host memory for array '{}': {}; {}",
                                  bytes_, name, std::generic_category().message(errno), remedy));
  }
  std::size_t space = mapped_bytes(bytes_);
  data_ = mapped_;
  std::align(huge_page, static_cast<std::size_t>(bytes_), data_, space);
  // Without huge pages the copies work too.
  static_cast<void>(madvise(data_, static_cast<std::size_t>(bytes_), MADV_HUGEPAGE));
  for_ranges(bytes_, [this](std::int64_t first, std::int64_t end) {
    auto* const page = static_cast<volatile std::byte*>(data_);
    for (std::int64_t at = first; at < end; at += small_page) page[at] = std::byte{0};
  });
  const cudaError_t code =
      cudaHostRegister(data_, static_cast<std::size_t>(bytes_), cudaHostRegisterDefault);
  if (code != cudaSuccess) munmap(mapped_, mapped_bytes(bytes_));
  check_pinned(code, name, bytes_);
}

PinnedMemory::~PinnedMemory() {
  static_cast<void>(cudaDeviceSynchronize());
  if (mapped_ == nullptr) {
    static_cast<void>(cudaFreeHost(data_));
    return;
  }
  static_cast<void>(cudaHostUnregister(data_));
  munmap(mapped_, mapped_bytes(bytes_));
}

}  // namespace agpusim::out_of_core
