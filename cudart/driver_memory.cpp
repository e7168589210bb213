// The driver's interface: memory that CUDA's runtime gives otherwise, copies, fills, and what
// addresses are.
#include <algorithm>
#include <array>
#include <cstring>

#include "agpusim/cudart/copy.hpp"
#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaMalloc(void** pointer, std::size_t bytes);
AGPUSIM_CUDART Status cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                      std::size_t height);
AGPUSIM_CUDART Status cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind);
AGPUSIM_CUDART Status cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, CopyKind kind,
                                      Stream* stream);

namespace {

Status wrong_value() {
  return driver_call(Needs::context, [](Runtime&) { throw Status::invalid_value; });
}

}  // namespace

AGPUSIM_CUDART Status cuMemAlloc_v2(void** pointer, std::size_t bytes) {
  return bytes == 0 ? wrong_value() : as_driver(Needs::context, cudaMalloc, pointer, bytes);
}

AGPUSIM_CUDART Status cuMemAllocPitch_v2(void** pointer, std::size_t* pitch, std::size_t width,
                                         std::size_t height, std::uint32_t element_bytes) {
  const bool is_size = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
  if (!is_size || width == 0 || height == 0) return wrong_value();
  return as_driver(Needs::context, cudaMallocPitch, pointer, pitch, width, height);
}

AGPUSIM_CUDART Status cuMemGetAddressRange_v2(void** begin, std::size_t* bytes, void* pointer) {
  return driver_call(Needs::context, [&](Runtime& runtime) {
    const ptx::Allocation* const held = runtime.allocation(pointer);
    if (held == nullptr) throw Status::not_found;
    if (begin != nullptr) *begin = reinterpret_cast<void*>(held->begin);
    if (bytes != nullptr) *bytes = held->bytes;
  });
}

// Copies, whose names say the direction.
// clang-format off
#define AGPUSIM_COPY(name, async_name, kind)                                                       \
  AGPUSIM_CUDART Status name(void* to, const void* from, std::size_t bytes) {                      \
    return as_driver(Needs::context, cudaMemcpy, to, from, bytes, CopyKind::kind);                 \
  }                                                                                                \
  AGPUSIM_CUDART Status async_name(void* to, const void* from, std::size_t bytes, Stream* in) {    \
    return as_driver(Needs::context, cudaMemcpyAsync, to, from, bytes, CopyKind::kind, in);        \
  }
AGPUSIM_COPY(cuMemcpy, cuMemcpyAsync, by_address)
AGPUSIM_COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, h2d)
AGPUSIM_COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, d2h)
AGPUSIM_COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, d2d)

// Fills, whose names say how many bits an element has.
#define AGPUSIM_FILL(name, async_name, Element)                                                    \
  AGPUSIM_CUDART Status name(void* to, Element value, std::size_t count) {                         \
    const DriverScope scope(Needs::context);                                                       \
    return fill_elements(nullptr, to, {value, sizeof value}, count, true);                         \
  }                                                                                                \
  AGPUSIM_CUDART Status async_name(void* to, Element value, std::size_t count, Stream* in) {       \
    const DriverScope scope(Needs::context);                                                       \
    return fill_elements(in, to, {value, sizeof value}, count, false);                             \
  }
AGPUSIM_FILL(cuMemsetD8_v2, cuMemsetD8Async, std::uint8_t)
AGPUSIM_FILL(cuMemsetD16_v2, cuMemsetD16Async, std::uint16_t)
AGPUSIM_FILL(cuMemsetD32_v2, cuMemsetD32Async, std::uint32_t)
// clang-format on

namespace {

/// CUpointer_attribute: those whose values are not 0 here.
enum class PointerAttribute : std::int32_t {
  context = 1,
  memory_type,
  device_pointer,
  host_pointer,
  buffer_id = 7,
  is_managed,
  device_ordinal,
  range_begin = 11,
  range_bytes,
  is_mapped,
  access_flags = 16,
  last = 21,
};

/// Bytes of a value: pointers, sizes and numbers of allocations have 8, the others are int.
std::size_t bytes_of(PointerAttribute attribute) {
  constexpr std::array of_eight = {1, 3, 4, 7, 11, 12, 14, 17, 18, 19, 20};
  const auto number = static_cast<int>(attribute);
  return std::find(of_eight.begin(), of_eight.end(), number) == of_eight.end() ? 4 : 8;
}

/// The value for an address of memory that CUDA gave.
std::uint64_t value_of(Runtime& runtime, PointerAttribute attribute, const void* pointer) {
  constexpr std::uint64_t of_host = 1;    // CU_MEMORYTYPE_HOST
  constexpr std::uint64_t of_device = 2;  // CU_MEMORYTYPE_DEVICE
  constexpr std::uint64_t read_write = 3;
  const ptx::Allocation& held = *runtime.allocation(pointer);
  const Owned* const owner = runtime.owner(pointer);
  const MemoryType type = owner == nullptr ? MemoryType::device : owner->type;
  switch (attribute) {
    case PointerAttribute::context:
      return reinterpret_cast<std::uintptr_t>(current_context());
    case PointerAttribute::memory_type:
      return type == MemoryType::host ? of_host : of_device;
    case PointerAttribute::host_pointer:
      if (type == MemoryType::device) return 0;
      [[fallthrough]];
    case PointerAttribute::device_pointer:
      return reinterpret_cast<std::uintptr_t>(pointer);
    case PointerAttribute::buffer_id:
      return held.number + 1;
    case PointerAttribute::is_managed:
      return type == MemoryType::managed ? 1 : 0;
    case PointerAttribute::range_begin:
      return held.begin;
    case PointerAttribute::range_bytes:
      return held.bytes;
    case PointerAttribute::is_mapped:
      return 1;
    case PointerAttribute::access_flags:
      return read_write;
    default:
      return 0;
  }
}

bool is_possible(PointerAttribute attribute) {
  return attribute >= PointerAttribute::context && attribute <= PointerAttribute::last;
}

}  // namespace

AGPUSIM_CUDART Status cuPointerGetAttribute(void* data, PointerAttribute attribute,
                                            const void* pointer) {
  return driver_call(Needs::context, [&](Runtime& runtime) {
    const bool is_held = runtime.allocation(pointer) != nullptr;
    if (data == nullptr || !is_possible(attribute) || !is_held) throw Status::invalid_value;
    const std::uint64_t value = value_of(runtime, attribute, pointer);
    if (value == 0 && attribute == PointerAttribute::host_pointer) throw Status::invalid_value;
    std::memcpy(data, &value, bytes_of(attribute));
  });
}

AGPUSIM_CUDART Status cuPointerGetAttributes(std::uint32_t count, PointerAttribute* attributes,
                                             void** data, const void* pointer) {
  return driver_call(Needs::context, [&](Runtime& runtime) {
    if (count == 0 || attributes == nullptr || data == nullptr) throw Status::invalid_value;
    const bool is_held = runtime.allocation(pointer) != nullptr;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (data[i] == nullptr || !is_possible(attributes[i])) throw Status::invalid_value;
      std::uint64_t value = is_held ? value_of(runtime, attributes[i], pointer) : 0;
      const bool is_device = attributes[i] == PointerAttribute::device_ordinal;
      if (!is_held && is_device) value = -std::uint64_t{2};  // CU_DEVICE_INVALID
      std::memcpy(data[i], &value, bytes_of(attributes[i]));
    }
  });
}

}  // namespace agpusim::cudart
