#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {
namespace {

constexpr int version = 13000;  // CUDA 13.0

std::int32_t integer(double value) { return static_cast<std::int32_t>(value); }

template <int cuda>
DevicePropertiesOf<cuda> properties_of(const Runtime& runtime) {
  const auto constant = [&](const char* name) { return runtime.card.value(name); };
  constexpr std::size_t default_shared = 48 * 1024;
  DevicePropertiesOf<cuda> p;
  const std::string name = "agpusim: " + runtime.card.name;
  name.copy(p.name, sizeof p.name - 1);
  name.copy(reinterpret_cast<char*>(p.uuid.data()), p.uuid.size());
  p.global_bytes = runtime.total_bytes();
  p.shared_bytes_per_block = default_shared;
  p.registers_per_block = integer(constant("registers_per_multiprocessor"));
  p.warp_size = 32;
  p.pitch = most_pitch;
  p.max_threads_per_block = 1024;
  std::copy_n(std::to_array({1024, 1024, 64}).data(), 3, p.max_block);
  std::copy_n(std::to_array({INT32_MAX, 65535, 65535}).data(), 3, p.max_grid);
  p.constant_bytes = 65536;
  p.major = compute_capability / 10;
  p.minor = compute_capability % 10;
  p.texture_alignment = 512;
  p.texture_pitch_alignment = 32;
  p.multiprocessors = integer(constant("multiprocessors"));
  p.can_map_host_memory = 1;
  p.surface_alignment = 512;
  p.concurrent_kernels = 1;
  p.ecc = 1;
  p.copy_engines = 3;
  p.unified_addressing = 1;
  p.memory_bus_bits = 6144;
  p.l2_bytes = integer(constant("l2_bytes"));
  p.max_threads_per_multiprocessor = 32 * integer(constant("warps_per_multiprocessor"));
  p.stream_priorities = 1;
  p.global_l1 = 1;
  p.local_l1 = 1;
  p.shared_bytes_per_multiprocessor =
      static_cast<std::size_t>(constant("shared_bytes_per_multiprocessor"));
  p.registers_per_multiprocessor = p.registers_per_block;
  p.managed_memory = 1;
  p.concurrent_managed_access = 1;
  p.compute_preemption = 1;
  p.can_use_host_pointer = 1;
  p.cooperative_launch = 1;
  p.shared_bytes_per_block_optin = runtime.most_shared();
  p.max_blocks_per_multiprocessor = integer(constant("max_ctas"));
  p.reserved_shared_bytes_per_block =
      static_cast<std::size_t>(constant("reserved_shared_bytes_per_cta"));
  p.host_register = 1;
  return p;
}

/// cudaDeviceAttr by number; what is not here is 0, as for a device that lacks it.
std::int32_t attribute_of(const Runtime& runtime, int attribute) {
  const auto p = properties_of<13>(runtime);
  const auto bytes = [](std::size_t value) { return static_cast<std::int32_t>(value); };
  // What it has: overlap of copies, mapped memory, concurrent kernels, ECC, unified addresses,
  // priorities, both L1 caches, managed memory, concurrent and by pointers of the host,
  // cooperative launches, registered memory, mapping, pools.
  constexpr std::array has = {15, 19, 31, 32, 41, 78, 79, 80, 83, 89, 90, 91, 95, 99, 102, 115};
  if (std::find(has.begin(), has.end(), attribute) != has.end()) return 1;
  const std::pair<int, std::int32_t> values[] = {
      {1, p.max_threads_per_block},
      {2, p.max_block[0]},
      {3, p.max_block[1]},
      {4, p.max_block[2]},
      {5, p.max_grid[0]},
      {6, p.max_grid[1]},
      {7, p.max_grid[2]},
      {8, bytes(p.shared_bytes_per_block)},
      {9, bytes(p.constant_bytes)},
      {10, p.warp_size},
      {11, bytes(p.pitch)},
      {12, p.registers_per_block},
      {13, integer(runtime.card.value("clock") * 1e3)},  // kHz
      {14, bytes(p.texture_alignment)},
      {16, p.multiprocessors},
      {36, 3201000},  // kHz of its memory
      {37, p.memory_bus_bits},
      {38, p.l2_bytes},
      {39, p.max_threads_per_multiprocessor},
      {40, p.copy_engines},
      {51, bytes(p.texture_pitch_alignment)},
      {75, p.major},
      {76, p.minor},
      {81, bytes(p.shared_bytes_per_multiprocessor)},
      {82, p.registers_per_multiprocessor},
      {87, 2},  // single to double precision
      {97, bytes(p.shared_bytes_per_block_optin)},
      {106, p.max_blocks_per_multiprocessor},
      {111, bytes(p.reserved_shared_bytes_per_block)}};
  for (const auto& [number, value] : values) {
    if (number == attribute) return value;
  }
  return 0;
}

/// CUDA 12 has properties that are only attributes since.
DevicePropertiesOf<12> old_properties_of(const Runtime& runtime) {
  auto p = properties_of<12>(runtime);
  p.clock = attribute_of(runtime, 13);
  p.device_overlap = attribute_of(runtime, 15);
  p.memory_clock = attribute_of(runtime, 36);
  p.single_to_double = attribute_of(runtime, 87);
  return p;
}

template <class Body>
Status call_of(int device, const Body& body) {
  return call([&](Runtime& runtime) {
    if (device != 0) throw Status::invalid_device;
    body(runtime);
  });
}

/// Tells the program what does not change.
template <class T>
Status tell(T* where, T value) {
  return call([&](Runtime&) { required(where) = value; });
}

}  // namespace

AGPUSIM_CUDART Status cudaGetDeviceCount(int* count) { return tell(count, 1); }

AGPUSIM_CUDART Status cudaGetDevice(int* device) { return tell(device, 0); }

AGPUSIM_CUDART Status cudaSetDevice(int device) {
  return call_of(device, [](Runtime&) {});
}

AGPUSIM_CUDART Status cudaInitDevice(int device, std::uint32_t /*device_flags*/,
                                     std::uint32_t /*flags*/) {
  return cudaSetDevice(device);
}

AGPUSIM_CUDART Status cudaChooseDevice(int* device, const DeviceProperties* wanted) {
  return call([&](Runtime&) {
    required(wanted);
    required(device) = 0;
  });
}

AGPUSIM_CUDART Status cudaGetDeviceProperties(DeviceProperties* properties, int device) {
  return call_of(device,
                 [&](Runtime& runtime) { required(properties) = properties_of<13>(runtime); });
}

AGPUSIM_CUDART Status cudaGetDeviceProperties_v2(DevicePropertiesOf<12>* properties, int device) {
  return call_of(device,
                 [&](Runtime& runtime) { required(properties) = old_properties_of(runtime); });
}

/// The structure of CUDA 11 ends earlier.
AGPUSIM_CUDART Status cudaGetDeviceProperties_v11(std::byte* properties, int device) {
  return call_of(device, [&](Runtime& runtime) {
    const DevicePropertiesOf<12> all = old_properties_of(runtime);
    std::memcpy(&required(properties), &all, offsetof(DevicePropertiesOf<12>, host_register));
  });
}

AGPUSIM_CUDART Status cudaDeviceGetAttribute(int* value, int attribute, int device) {
  constexpr int last = 147;  // last number in cudaDeviceAttr
  return call_of(device, [&](Runtime& runtime) {
    if (attribute < 1 || attribute > last) throw Status::invalid_value;
    required(value) = attribute_of(runtime, attribute);
  });
}

AGPUSIM_CUDART Status cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call_of(device, [&](Runtime&) {
    constexpr std::string_view id = "0000:00:00.0";
    required(text);
    if (length < static_cast<int>(id.size() + 1)) throw Status::invalid_value;
    text[id.copy(text, id.size())] = '\0';
  });
}

AGPUSIM_CUDART Status cudaDeviceSynchronize() {
  return call([](Runtime& runtime) { synchronize(runtime); });
}

AGPUSIM_CUDART Status cudaRuntimeGetVersion(int* number) { return tell(number, version); }

AGPUSIM_CUDART Status cudaRuntimeGetVersion_vOlder(int* number, int older) {
  return tell(number, older);
}

AGPUSIM_CUDART Status cudaDriverGetVersion(int* number) { return cudaRuntimeGetVersion(number); }

AGPUSIM_CUDART Status cudaDeviceGetLimit(std::size_t* value, std::uint32_t limit) {
  return call([&](Runtime& runtime) {
    if (limit >= runtime.limits.size()) throw Status::invalid_value;
    required(value) = runtime.limits[limit];
  });
}

AGPUSIM_CUDART Status cudaDeviceSetLimit(std::uint32_t limit, std::size_t value) {
  return call([&](Runtime& runtime) {
    constexpr std::uint32_t heap = 2;  // cudaLimitMallocHeapSize
    if (limit >= runtime.limits.size()) throw Status::invalid_value;
    if (value > runtime.total_bytes()) throw Status::memory_allocation;
    runtime.limits[limit] = value;
    if (limit == heap) runtime.device.memory().limit_heap(value);
  });
}

// There is no other device.

AGPUSIM_CUDART Status cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_of(device != 0 ? device : peer, [&](Runtime&) { required(can) = 0; });
}

AGPUSIM_CUDART Status cudaDeviceEnablePeerAccess(int /*peer*/, std::uint32_t /*flags*/) {
  return call([](Runtime&) { return Status::invalid_device; });
}

AGPUSIM_CUDART Status cudaDeviceDisablePeerAccess(int peer) {
  return call([&](Runtime&) {
    return peer == 0 ? Status::peer_access_not_enabled : Status::invalid_device;
  });
}

AGPUSIM_CUDART Status cudaGetDeviceFlags(std::uint32_t* flags) { return tell(flags, 0U); }

AGPUSIM_CUDART Status cudaDeviceGetCacheConfig(int* config) { return tell(config, 0); }

}  // namespace agpusim::cudart
