#include "agpusim/cudart/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/fat_binary.hpp"
#include "agpusim/cudart/stream.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim::cudart {
namespace {

constexpr std::size_t alignment = 512;

Status allocate(Runtime& runtime, void** pointer, std::size_t bytes, MemoryType type,
                bool is_pooled = false) {
  if (pointer == nullptr) return Status::invalid_value;
  *pointer = nullptr;
  if (bytes == 0) return Status::success;
  const bool on_card = type != MemoryType::host;
  const std::size_t most = on_card ? runtime.total_bytes() - runtime.used_bytes
                                   : static_cast<std::size_t>(available_memory_bytes());
  if (bytes > std::min<std::size_t>(most, PTRDIFF_MAX / 2)) {
    throw Failure{Status::memory_allocation,
                  fmt::format("{} bytes are asked for, {} are free", bytes, most)};
  }
  const std::string name = fmt::format("allocation {}", ++runtime.allocations);
  try {
    const ptx::Address address =
        runtime.device.memory().allocate(bytes, name, type != MemoryType::device);
    runtime.device.memory().find(address)->over_link = !on_card;
    runtime.order.forget({address, address + bytes});
    *pointer = reinterpret_cast<void*>(address);
  } catch (const UsageError& host_has_none) {
    throw Failure{Status::memory_allocation, host_has_none.what(), "", true};
  }
  runtime.memory.insert_or_assign(*pointer, Owned{bytes, type, false, is_pooled});
  if (on_card) runtime.used_bytes += bytes;
  return Status::success;
}

}  // namespace

Status allocate_rows(Runtime& runtime, void** pointer, std::size_t* pitch, std::size_t width,
                     std::size_t height) {
  required(pointer);
  const std::size_t units = width / alignment + (width % alignment != 0 ? 1 : 0);
  required(pitch) = times(units, alignment);
  return allocate(runtime, pointer, times(*pitch, height), MemoryType::device);
}

Status release(Runtime& runtime, void* pointer, bool of_host) {
  if (pointer == nullptr) return Status::success;
  const auto found = runtime.memory.find(pointer);
  if (found == runtime.memory.end() || found->second.is_registered ||
      of_host != (found->second.type == MemoryType::host)) {
    throw Failure{Status::invalid_value,
                  fmt::format("{} was not given by {}, or is free already", pointer,
                              driver_needs ? (of_host ? "cuMemHostAlloc" : "cuMemAlloc")
                                           : (of_host ? "cudaMallocHost" : "cudaMalloc"))};
  }
  const Owned owned = found->second;
  runtime.memory.erase(found);
  runtime.device.memory().release(reinterpret_cast<ptx::Address>(pointer));
  if (owned.type != MemoryType::host) runtime.used_bytes -= owned.bytes;
  return Status::success;
}

namespace {

/// As CUDA's function does that gives memory back.
Status free_now(void* pointer, bool of_host) {
  return call([&](Runtime& runtime) {
    synchronize(runtime);
    return release(runtime, pointer, of_host);
  });
}

bool is_pinned(const Runtime& runtime, const void* pointer) {
  const Owned* const owner = runtime.owner(pointer);
  return owner != nullptr && owner->type == MemoryType::host;
}

}  // namespace

AGPUSIM_CUDART Status cudaMalloc(void** pointer, std::size_t bytes) {
  return call(
      [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryType::device); });
}

AGPUSIM_CUDART Status cudaMallocAsync(void** pointer, std::size_t bytes, Stream* /*stream*/) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, pointer, bytes, MemoryType::device, true);
  });
}

AGPUSIM_CUDART Status cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, Pool* /*pool*/,
                                              Stream* stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}

AGPUSIM_CUDART Status cudaMallocManaged(void** pointer, std::size_t bytes, std::uint32_t flags) {
  return call([&](Runtime& runtime) {
    const bool attaches = flags == 1 || flags == 2;  // cudaMemAttachGlobal, cudaMemAttachHost
    if (bytes == 0 || !attaches) return Status::invalid_value;
    return allocate(runtime, pointer, bytes, MemoryType::managed);
  });
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
  return call(
      [&](Runtime& runtime) { return allocate_rows(runtime, pointer, pitch, width, height); });
}

AGPUSIM_CUDART Status cudaMalloc3D(PitchedPointer* pitched, Size3 extent) {
  return call([&](Runtime& runtime) {
    required(pitched).width = extent.x;
    pitched->height = extent.y;
    return allocate_rows(runtime, &pitched->pointer, &pitched->pitch, extent.x,
                         times(extent.y, extent.z));
  });
}

AGPUSIM_CUDART Status cudaFree(void* pointer) { return free_now(pointer, false); }

AGPUSIM_CUDART Status cudaFreeHost(void* pointer) { return free_now(pointer, true); }

AGPUSIM_CUDART Status cudaFreeAsync(void* pointer, Stream* stream) {
  return call([&](Runtime& runtime) {
    const auto work = [=, &runtime] { return release(runtime, pointer, false); };
    return stream_of(stream).is_captured() ? work() : submit(stream, work);
  });
}

AGPUSIM_CUDART Status cudaDeviceReset() {
  return call([](Runtime& runtime) {
    synchronize(runtime);
    for (auto next = runtime.memory.begin(); next != runtime.memory.end();) {
      const auto& [pointer, owned] = *next++;
      if (owned.is_pooled) continue;
      release(runtime, const_cast<void*>(pointer), owned.type == MemoryType::host);
    }
    const Opened opened(runtime.hidden);
    runtime.device.reset();
  });
}

AGPUSIM_CUDART Status cudaHostRegister(void* pointer, std::size_t bytes, std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    if (bytes == 0 || bytes > readable_bytes(pointer)) throw Status::invalid_value;
    const auto next = runtime.memory.lower_bound(pointer);
    const std::byte* const end = static_cast<std::byte*>(pointer) + bytes;
    if (runtime.owner(pointer) != nullptr || (next != runtime.memory.end() && next->first < end)) {
      throw Status::host_memory_already_registered;
    }
    runtime.device.memory().adopt(pointer, bytes, "registered memory").over_link = true;
    runtime.memory.insert_or_assign(pointer, Owned{bytes, MemoryType::host, true});
  });
}

AGPUSIM_CUDART Status cudaHostUnregister(void* pointer) {
  return call([&](Runtime& runtime) {
    const auto found = runtime.memory.find(pointer);
    if (found == runtime.memory.end() || !found->second.is_registered) {
      throw Status::host_memory_not_registered;
    }
    const auto begin = reinterpret_cast<ptx::Address>(pointer);
    const ptx::Range bytes{begin, begin + found->second.bytes};
    runtime.hidden.show(pages_of(*runtime.allocation(pointer), bytes));
    runtime.order.forget(bytes);
    runtime.memory.erase(found);
    runtime.device.memory().release(begin);
  });
}

AGPUSIM_CUDART Status cudaHostGetDevicePointer(void** device, void* host, std::uint32_t /*flags*/) {
  return call([&](Runtime& runtime) {
    if (!is_pinned(runtime, host)) throw Status::invalid_value;
    required(device) = host;
  });
}

AGPUSIM_CUDART Status cudaHostGetFlags(std::uint32_t* flags, void* host) {
  return call([&](Runtime& runtime) {
    constexpr std::uint32_t mapped = 2;
    if (!is_pinned(runtime, host)) throw Status::invalid_value;
    required(flags) = mapped;
  });
}

AGPUSIM_CUDART Status cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call([&](Runtime& runtime) {
    required(free);
    required(total) = runtime.total_bytes();
    *free = *total - runtime.used_bytes;
  });
}

AGPUSIM_CUDART Status cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return call([&](Runtime& runtime) {
    required(attributes) = {};
    void* const address = const_cast<void*>(pointer);
    const Owned* const owner = runtime.owner(pointer);
    if (owner == nullptr) {
      if (runtime.allocation(pointer) != nullptr) {
        attributes->type = MemoryType::device;  // a variable
        attributes->device_pointer = address;
        return;
      }
      attributes->device = -2;  // cudaInvalidDeviceId
      attributes->host_pointer = address;
      return;
    }
    attributes->type = owner->type;
    attributes->device_pointer = address;
    if (owner->type != MemoryType::device) attributes->host_pointer = address;
  });
}

// One pool, without settings: memory is there when it is asked for.

AGPUSIM_CUDART Status cudaDeviceGetDefaultMemPool(Pool** pool, int device) {
  static char the_pool;
  return call([&](Runtime&) {
    required(pool);
    if (device != 0) throw Status::invalid_device;
    *pool = reinterpret_cast<Pool*>(&the_pool);
  });
}

AGPUSIM_CUDART Status cudaDeviceGetMemPool(Pool** pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

AGPUSIM_CUDART Status cudaMemPoolCreate(Pool** pool, const void* properties) {
  return properties == nullptr ? remember(Status::invalid_value)
                               : cudaDeviceGetDefaultMemPool(pool, 0);
}

}  // namespace agpusim::cudart
