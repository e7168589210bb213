#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "agpusim/ptx/run/dim3.hpp"
#include "agpusim/ptx/run/texture.hpp"

/// What the documented interface of the CUDA runtime fixes, in declarations of our own.
/// tests/cudart/abi_check.cu compares them with CUDA's headers where there are any.
namespace agpusim::cudart {

/// cudaError_t and CUresult, in which a number means the same: those that are returned.
enum class Status : std::int32_t {
#define X(status, number, ...) status = number,
#include "agpusim/cudart/names/statuses.def"
#undef X
};

/// cudaMemcpyKind
enum class CopyKind : std::int32_t { h2h, h2d, d2h, d2d, by_address };

/// cudaMemoryType
enum class MemoryType : std::int32_t { unregistered, host, device, managed };

/// cudaStreamCaptureStatus
enum class CaptureStatus : std::int32_t { none, active, invalidated };

/// cudaFuncAttribute: the one that means something here, which is the first, and the last.
enum class FunctionAttribute : std::int32_t { max_dynamic_shared = 8, last = 15 };

/// cudaLaunchAttributeID: those that mean something here.
enum class LaunchAttributeId : std::int32_t { cooperative = 2, cluster = 4 };

// The handles: cudaStream_t, cudaEvent_t, cudaKernel_t, cudaGraph_t, cudaGraphNode_t,
// cudaGraphExec_t, cudaArray_t, cudaMemPool_t.
struct Stream;
struct Event;
struct Kernel;
struct Graph;
struct GraphNode;
struct GraphExec;
struct Array;
struct Pool;
/// cudaStreamPerThread; null and cudaStreamLegacy are less.
inline constexpr std::uintptr_t per_thread_stream = 2;

/// cudaLaunchAttribute
struct LaunchAttribute {
  LaunchAttributeId id{};
  char pad[4] = {};
  union {
    char bytes[64];
    std::int32_t number;
    ptx::Dim3 dimensions;
  } value = {};
};

/// cudaLaunchConfig_t
struct LaunchConfig {
  ptx::Dim3 grid;
  ptx::Dim3 block;
  std::size_t dynamic_shared = 0;
  Stream* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  std::uint32_t attribute_count = 0;
};

/// cudaFuncAttributes
struct FunctionAttributes {
  std::size_t shared_bytes = 0;
  std::size_t constant_bytes = 0;
  std::size_t local_bytes = 0;
  std::int32_t max_threads = 0;
  std::int32_t registers = 0;
  std::int32_t ptx_version = 90;
  std::int32_t binary_version = 90;
  std::int32_t cache_mode_ca = 0;
  std::int32_t max_dynamic_shared = 0;
  std::int32_t carveout = -1;
  std::int32_t cluster[6] = {};  ///< must be set, width, height, depth, policy, any size allowed
  std::int32_t reserved[16] = {};
};

/// cudaPointerAttributes. In CUDA 13 it has 64 bytes more, which stay as they are.
struct PointerAttributes {
  MemoryType type = MemoryType::unregistered;
  std::int32_t device = 0;
  void* device_pointer = nullptr;
  void* host_pointer = nullptr;
};

/// cudaMemLocation, which is passed by value.
struct MemoryLocation {
  std::int32_t type = 0;
  std::int32_t id = 0;
};

/// cudaPitchedPtr
struct PitchedPointer {
  void* pointer = nullptr;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

/// cudaExtent and cudaPos
struct Size3 {
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t z = 0;
};

/// cudaMemcpy3DParms
struct Copy3 {
  Array* source_array = nullptr;
  Size3 source_position;
  PitchedPointer source;
  Array* target_array = nullptr;
  Size3 target_position;
  PitchedPointer target;
  Size3 extent;
  CopyKind kind = CopyKind::h2h;
};

/// cudaChannelFormatDesc
struct ChannelFormat {
  std::int32_t bits[4];
  ptx::ChannelKind kind;
};

/// cudaResourceType
enum class ResourceType : std::int32_t { array, mipmapped_array, linear, pitched };

/// cudaResourceDesc
struct ResourceDescription {
  ResourceType type{};
  union {
    Array* array;
    struct {
      void* begin;
      ChannelFormat format;
      std::size_t width;  ///< texels; bytes of linear memory, which has no more members
      std::size_t height;
      std::size_t pitch;
    } memory;
    std::int32_t reserved[32];
  };
  std::uint32_t flags = 0;
};

/// cudaTextureObject_t and cudaSurfaceObject_t
using TextureHandle = unsigned long long;

/// cudaTextureDesc
struct TextureDescription {
  ptx::AddressMode modes[3] = {};
  std::int32_t filter = 0;  ///< 1: linear
  std::int32_t read = 0;    ///< 1: normalized float
  std::int32_t srgb = 0;
  std::array<float, 4> border = {};
  std::int32_t normalized = 0;
  std::uint32_t of_mipmaps[5] = {};  ///< anisotropy, filter, bias, first and last level
  std::int32_t no_trilinear_optimization = 0;
  std::int32_t seamless = 0;
};

/// cudaKernelNodeParams
struct KernelNode {
  const void* function = nullptr;
  ptx::Dim3 grid;
  ptx::Dim3 block;
  std::uint32_t dynamic_shared = 0;
  void** parameters = nullptr;
  void** extra = nullptr;
};

/// cudaMemsetParams
struct MemsetNode {
  void* begin = nullptr;
  std::size_t pitch = 0;
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

/// cudaHostNodeParams
struct HostNode {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};

struct Nothing {};
/// A member of a structure that CUDA 13 has removed.
template <int cuda>
using Until13 = std::conditional_t<(cuda < 13), std::int32_t, Nothing>;

/// cudaDeviceProp of CUDA 12 or 13. What a device without peers leaves 0 has no name.
template <int cuda>
struct DevicePropertiesOf {
  char name[256] = {};
  std::array<unsigned char, 16> uuid = {};
  char luid[8] = {};
  std::uint32_t luid_mask = 0;
  std::size_t global_bytes = 0;
  std::size_t shared_bytes_per_block = 0;
  std::int32_t registers_per_block = 0;
  std::int32_t warp_size = 0;
  std::size_t pitch = 0;
  std::int32_t max_threads_per_block = 0;
  std::int32_t max_block[3] = {};
  std::int32_t max_grid[3] = {};
  [[no_unique_address]] Until13<cuda> clock{};
  std::size_t constant_bytes = 0;
  std::int32_t major = 0;
  std::int32_t minor = 0;
  std::size_t texture_alignment = 0;
  std::size_t texture_pitch_alignment = 0;
  [[no_unique_address]] Until13<cuda> device_overlap{};
  std::int32_t multiprocessors = 0;
  [[no_unique_address]] Until13<cuda> time_limit{};
  std::int32_t integrated = 0;
  std::int32_t can_map_host_memory = 0;
  [[no_unique_address]] Until13<cuda> compute_mode{};
  std::int32_t textures_and_surfaces[cuda < 13 ? 40 : 39] = {};
  std::size_t surface_alignment = 0;
  std::int32_t concurrent_kernels = 0;
  std::int32_t ecc = 0;
  std::int32_t pci[3] = {};
  std::int32_t tcc_driver = 0;
  std::int32_t copy_engines = 0;
  std::int32_t unified_addressing = 0;
  [[no_unique_address]] Until13<cuda> memory_clock{};
  std::int32_t memory_bus_bits = 0;
  std::int32_t l2_bytes = 0;
  std::int32_t persisting_l2_bytes = 0;
  std::int32_t max_threads_per_multiprocessor = 0;
  std::int32_t stream_priorities = 0;
  std::int32_t global_l1 = 0;
  std::int32_t local_l1 = 0;
  std::size_t shared_bytes_per_multiprocessor = 0;
  std::int32_t registers_per_multiprocessor = 0;
  std::int32_t managed_memory = 0;
  std::int32_t board[2] = {};
  std::int32_t host_native_atomics = 0;
  [[no_unique_address]] Until13<cuda> single_to_double{};
  std::int32_t pageable_memory_access = 0;
  std::int32_t concurrent_managed_access = 0;
  std::int32_t compute_preemption = 0;
  std::int32_t can_use_host_pointer = 0;
  std::int32_t cooperative_launch = 0;
  [[no_unique_address]] Until13<cuda> cooperative_devices{};
  std::size_t shared_bytes_per_block_optin = 0;
  std::int32_t pageable_by_host_tables = 0;
  std::int32_t direct_managed_access = 0;
  std::int32_t max_blocks_per_multiprocessor = 0;
  std::int32_t access_window_bytes = 0;
  std::size_t reserved_shared_bytes_per_block = 0;
  std::int32_t host_register = 0;
  std::int32_t rest[75] = {};
};
using DeviceProperties = DevicePropertiesOf<13>;

}  // namespace agpusim::cudart
