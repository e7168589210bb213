#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/cuda/device.cuh"
#include "agpusim/model/agpu/concepts.hpp"

namespace agpusim {

static_assert(Multiprocessor<CudaMp<true>> && Multiprocessor<CudaMp<false>> && Device<CudaDevice>);
static_assert(ViewOfShared<CudaSharedView<std::int64_t>, CudaMp<true>>);
static_assert(ViewOfGlobal<CudaGlobalView<std::uint64_t>, CudaMp<true>>);

namespace {

// Any word of it is implausible as a result, a count or an index.
constexpr int poison = 0xa5;

/// `spec`, once it is known to have CUDA's warps and banks.
const AgpuSpec& checked(const AgpuSpec& spec) {
  validate(spec);
  if (spec.block_words != cuda_warp_lanes) {
    throw UsageError(fmt::format("b = {}: CUDA has warps of 32 lanes and 32 banks; use b = 32",
                                 spec.block_words));
  }
  if (spec.word_bits != 32) {
    throw UsageError(
        fmt::format("w = {}: CUDA has banks of 32-bit words; use w = 32", spec.word_bits));
  }
  return spec;
}

}  // namespace

CudaDevice::CudaDevice(const AgpuSpec& spec) : spec_(checked(spec)) {
  const std::int64_t limit = shapes_.shared_bytes_limit();
  if (spec.shared_words * 4 > limit) {
    throw UsageError(
        fmt::format("M = {} words: a CTA of this CUDA device has {} bytes of shared "
                    "memory; use M <= {}",
                    spec.shared_words, limit, limit / 4));
  }
}

std::shared_ptr<DeviceBuffer> CudaDevice::allocate_buffer(std::size_t bytes, std::string name) {
  auto buffer = std::make_shared<DeviceBuffer>(bytes, std::move(name));
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(buffer->data(), poison, bytes, cuda_stream()));
  known_.push_back({buffer, false, nullptr});
  return buffer;
}

void CudaDevice::copy_in(const std::shared_ptr<DeviceBuffer>& buffer, const void* from,
                         std::size_t bytes) {
  if (bytes != buffer->bytes()) {
    throw std::invalid_argument(fmt::format("upload of {} bytes to array '{}' of {} bytes", bytes,
                                            buffer->name(), buffer->bytes()));
  }
  buffer->upload(from, cuda_stream());
  for (Known& known : known_) known.uploaded = known.uploaded || known.buffer == buffer;
}

void CudaDevice::save() {
  for (Known& known : known_) {
    if (!known.uploaded) continue;
    const std::size_t bytes = known.buffer->bytes();
    known.copy = std::make_shared<DeviceBuffer>(bytes, known.buffer->name() + " (saved)");
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(known.copy->data(), known.buffer->data(), bytes,
                                       cudaMemcpyDeviceToDevice, cuda_stream()));
  }
}

void CudaDevice::restore() {
  for (const Known& known : known_) {
    const std::size_t bytes = known.buffer->bytes();
    if (known.copy) {
      AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(known.buffer->data(), known.copy->data(), bytes,
                                         cudaMemcpyDeviceToDevice, cuda_stream()));
    } else {
      AGPUSIM_CUDA_CHECK(cudaMemsetAsync(known.buffer->data(), poison, bytes, cuda_stream()));
    }
  }
}

}  // namespace agpusim
