// Our declarations of CUDA's interface are those of CUDA's headers. Compiled where there are any.
#include <cstddef>

#include <cuda_runtime_api.h>

#include "agpusim/cudart/abi.hpp"

namespace agpusim::cudart {
namespace {

#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(ours, mine, theirs, other) \
  static_assert(offsetof(ours, mine) == offsetof(theirs, other))
#define SAME_VALUE(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

SAME_SIZE(ptx::Dim3, dim3);
SAME_SIZE(LaunchAttribute, cudaLaunchAttribute);
SAME_PLACE(LaunchAttribute, value, cudaLaunchAttribute, val);
SAME_SIZE(LaunchConfig, cudaLaunchConfig_t);
SAME_PLACE(LaunchConfig, attributes, cudaLaunchConfig_t, attrs);
SAME_PLACE(LaunchConfig, attribute_count, cudaLaunchConfig_t, numAttrs);
static_assert(sizeof(cudaFuncAttributes) ==
              (CUDART_VERSION >= 12000 ? sizeof(FunctionAttributes) : 56));
SAME_PLACE(FunctionAttributes, ptx_version, cudaFuncAttributes, ptxVersion);
SAME_PLACE(FunctionAttributes, max_dynamic_shared, cudaFuncAttributes, maxDynamicSharedSizeBytes);
static_assert(sizeof(PointerAttributes) + (CUDART_VERSION >= 13000 ? 64 : 0) ==
              sizeof(cudaPointerAttributes));
SAME_PLACE(PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);
SAME_SIZE(MemoryLocation, cudaMemLocation);
SAME_SIZE(PitchedPointer, cudaPitchedPtr);
SAME_SIZE(Size3, cudaExtent);
#ifndef AGPUSIM_CUDACC  // whose headers have no textures and graph nodes
SAME_SIZE(ChannelFormat, cudaChannelFormatDesc);
SAME_SIZE(ResourceDescription, cudaResourceDesc);
SAME_PLACE(ResourceDescription, memory.width, cudaResourceDesc, res.linear.sizeInBytes);
SAME_PLACE(ResourceDescription, memory.pitch, cudaResourceDesc, res.pitch2D.pitchInBytes);
SAME_PLACE(ResourceDescription, flags, cudaResourceDesc, flags);
SAME_SIZE(TextureDescription, cudaTextureDesc);
SAME_PLACE(TextureDescription, border, cudaTextureDesc, borderColor);
SAME_PLACE(TextureDescription, normalized, cudaTextureDesc, normalizedCoords);
SAME_PLACE(TextureDescription, seamless, cudaTextureDesc, seamlessCubemap);
SAME_SIZE(KernelNode, cudaKernelNodeParams);
SAME_PLACE(KernelNode, parameters, cudaKernelNodeParams, kernelParams);
SAME_SIZE(MemsetNode, cudaMemsetParams);
SAME_PLACE(MemsetNode, width, cudaMemsetParams, width);
SAME_SIZE(HostNode, cudaHostNodeParams);
SAME_VALUE(ptx::AddressMode::border, cudaAddressModeBorder);
SAME_VALUE(ptx::ChannelKind::floating, cudaChannelFormatKindFloat);
SAME_VALUE(ResourceType::pitched, cudaResourceTypePitch2D);
#endif
SAME_SIZE(Copy3, cudaMemcpy3DParms);
SAME_PLACE(Copy3, target, cudaMemcpy3DParms, dstPtr);
SAME_PLACE(Copy3, kind, cudaMemcpy3DParms, kind);

using Properties = DevicePropertiesOf<CUDART_VERSION >= 13000 ? 13 : 12>;
#if CUDART_VERSION >= 12000
SAME_SIZE(Properties, cudaDeviceProp);
SAME_PLACE(Properties, host_register, cudaDeviceProp, hostRegisterSupported);
#else
static_assert(offsetof(Properties, host_register) == sizeof(cudaDeviceProp));
#endif
SAME_PLACE(Properties, global_bytes, cudaDeviceProp, totalGlobalMem);
SAME_PLACE(Properties, max_grid, cudaDeviceProp, maxGridSize);
SAME_PLACE(Properties, multiprocessors, cudaDeviceProp, multiProcessorCount);
SAME_PLACE(Properties, surface_alignment, cudaDeviceProp, surfaceAlignment);
SAME_PLACE(Properties, l2_bytes, cudaDeviceProp, l2CacheSize);
SAME_PLACE(Properties, managed_memory, cudaDeviceProp, managedMemory);
SAME_PLACE(Properties, cooperative_launch, cudaDeviceProp, cooperativeLaunch);
SAME_PLACE(Properties, shared_bytes_per_block_optin, cudaDeviceProp, sharedMemPerBlockOptin);
SAME_PLACE(Properties, reserved_shared_bytes_per_block, cudaDeviceProp, reservedSharedMemPerBlock);
#if CUDART_VERSION < 13000
SAME_PLACE(Properties, clock, cudaDeviceProp, clockRate);
SAME_PLACE(Properties, device_overlap, cudaDeviceProp, deviceOverlap);
SAME_PLACE(Properties, time_limit, cudaDeviceProp, kernelExecTimeoutEnabled);
SAME_PLACE(Properties, compute_mode, cudaDeviceProp, computeMode);
SAME_PLACE(Properties, memory_clock, cudaDeviceProp, memoryClockRate);
SAME_PLACE(Properties, single_to_double, cudaDeviceProp, singleToDoublePrecisionPerfRatio);
SAME_PLACE(Properties, cooperative_devices, cudaDeviceProp, cooperativeMultiDeviceLaunch);
#endif

SAME_VALUE(CopyKind::by_address, cudaMemcpyDefault);
SAME_VALUE(MemoryType::managed, cudaMemoryTypeManaged);
SAME_VALUE(CaptureStatus::active, cudaStreamCaptureStatusActive);
SAME_VALUE(FunctionAttribute::max_dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize);
SAME_VALUE(LaunchAttributeId::cooperative, cudaLaunchAttributeCooperative);
SAME_VALUE(LaunchAttributeId::cluster, cudaLaunchAttributeClusterDimension);
#define X(status, number, name, ...) SAME_VALUE(Status::status, name);
#include "agpusim/cudart/names/statuses.def"
#undef X

}  // namespace
}  // namespace agpusim::cudart
