#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {
namespace {

constexpr std::size_t alignment = 512;

Status allocate(Runtime& runtime, void** pointer, std::size_t bytes, MemoryType type) {
  if (pointer == nullptr) return Status::invalid_value;
  *pointer = nullptr;
  if (bytes == 0) return Status::success;
  const bool on_card = type != MemoryType::host;
  if (on_card && bytes > runtime.total_bytes() - runtime.used_bytes) {
    return Status::memory_allocation;
  }
  const std::string name = fmt::format("allocation {}", ++runtime.allocations);
  if (type == MemoryType::device) {
    *pointer = reinterpret_cast<void*>(runtime.device.memory().allocate(bytes, name));
  } else {
    *pointer = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (*pointer == nullptr) return Status::memory_allocation;
    runtime.device.memory().adopt(*pointer, bytes, name);
  }
  runtime.memory.insert_or_assign(*pointer, Owned{bytes, type, false});
  if (on_card) runtime.used_bytes += bytes;
  return Status::success;
}

Status release(Runtime& runtime, void* pointer) {
  if (pointer == nullptr) return Status::success;
  const auto found = runtime.memory.find(pointer);
  if (found == runtime.memory.end() || found->second.is_registered) return Status::invalid_value;
  const Owned owned = found->second;
  runtime.memory.erase(found);
  runtime.device.memory().release(reinterpret_cast<ptx::Address>(pointer));
  if (owned.type != MemoryType::device) std::free(pointer);
  if (owned.type != MemoryType::host) runtime.used_bytes -= owned.bytes;
  return Status::success;
}

/// What an address belongs to; null where it is the program's own.
const std::pair<const void* const, Owned>* owner_of(const Runtime& runtime, const void* pointer) {
  auto next = runtime.memory.upper_bound(pointer);
  if (next == runtime.memory.begin()) return nullptr;
  --next;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) -
                                               static_cast<const std::byte*>(next->first));
  return offset < next->second.bytes ? &*next : nullptr;
}

}  // namespace

AGPUSIM_CUDART Status cudaMalloc(void** pointer, std::size_t bytes) {
  return call(
      [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryType::device); });
}

AGPUSIM_CUDART Status cudaMallocAsync(void** pointer, std::size_t bytes, Stream* /*stream*/) {
  return cudaMalloc(pointer, bytes);
}

AGPUSIM_CUDART Status cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, Pool* /*pool*/,
                                              Stream* /*stream*/) {
  return cudaMalloc(pointer, bytes);
}

AGPUSIM_CUDART Status cudaMallocManaged(void** pointer, std::size_t bytes,
                                        std::uint32_t /*flags*/) {
  return call(
      [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryType::managed); });
}

AGPUSIM_CUDART Status cudaHostAlloc(void** pointer, std::size_t bytes, std::uint32_t /*flags*/) {
  return call(
      [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryType::host); });
}

AGPUSIM_CUDART Status cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}

AGPUSIM_CUDART Status cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                      std::size_t height) {
  *pitch = (width + alignment - 1) / alignment * alignment;
  return cudaMalloc(pointer, *pitch * height);
}

AGPUSIM_CUDART Status cudaMalloc3D(PitchedPointer* pitched, Size3 extent) {
  pitched->width = extent.x;
  pitched->height = extent.y;
  return cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.x, extent.y * extent.z);
}

AGPUSIM_CUDART Status cudaFree(void* pointer) {
  return call([&](Runtime& runtime) {
    runtime.wait();
    return release(runtime, pointer);
  });
}

AGPUSIM_CUDART Status cudaFreeAsync(void* pointer, Stream* /*stream*/) {
  return call([&](Runtime& runtime) { return release(runtime, pointer); });
}

AGPUSIM_CUDART Status cudaFreeHost(void* pointer) { return cudaFree(pointer); }

AGPUSIM_CUDART Status cudaHostRegister(void* pointer, std::size_t bytes, std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0) return Status::invalid_value;
    runtime.device.memory().adopt(pointer, bytes, "registered memory");
    runtime.memory.insert_or_assign(pointer, Owned{bytes, MemoryType::host, true});
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaHostUnregister(void* pointer) {
  return call([&](Runtime& runtime) {
    const auto found = runtime.memory.find(pointer);
    if (found == runtime.memory.end() || !found->second.is_registered) {
      return Status::host_memory_not_registered;
    }
    runtime.memory.erase(found);
    runtime.device.memory().release(reinterpret_cast<ptx::Address>(pointer));
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaHostGetDevicePointer(void** device, void* host, std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    *device = host;
    return owner_of(runtime, host) != nullptr ? Status::success : Status::invalid_value;
  });
}

AGPUSIM_CUDART Status cudaHostGetFlags(std::uint32_t* flags, void* host) {
  return call([&](Runtime& runtime) {
    constexpr std::uint32_t mapped = 2;
    *flags = mapped;
    return owner_of(runtime, host) != nullptr ? Status::success : Status::invalid_value;
  });
}

AGPUSIM_CUDART Status cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call([&](Runtime& runtime) {
    *total = runtime.total_bytes();
    *free = *total - runtime.used_bytes;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return call([&](Runtime& runtime) {
    *attributes = {};
    void* const address = const_cast<void*>(pointer);
    const auto* const owner = owner_of(runtime, pointer);
    if (owner == nullptr) {
      if (runtime.device.memory().find(reinterpret_cast<ptx::Address>(pointer)) != nullptr) {
        attributes->type = MemoryType::device;  // a variable
        attributes->device_pointer = address;
        return Status::success;
      }
      attributes->device = -2;  // cudaInvalidDeviceId
      attributes->host_pointer = address;
      return Status::success;
    }
    attributes->type = owner->second.type;
    attributes->device_pointer = address;
    if (owner->second.type != MemoryType::device) attributes->host_pointer = address;
    return Status::success;
  });
}

// One pool, without settings: memory is there when it is asked for.

AGPUSIM_CUDART Status cudaDeviceGetDefaultMemPool(Pool** pool, int /*device*/) {
  static char the_pool;
  *pool = reinterpret_cast<Pool*>(&the_pool);
  return call([](Runtime&) { return Status::success; });
}

AGPUSIM_CUDART Status cudaDeviceGetMemPool(Pool** pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

AGPUSIM_CUDART Status cudaMemPoolCreate(Pool** pool, const void* /*properties*/) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}

}  // namespace agpusim::cudart
