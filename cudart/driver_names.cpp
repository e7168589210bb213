// The functions of the driver that cuda.h of CUDA 13.0 declares and that are not supported: they
// say so and return CUDA_ERROR_NOT_SUPPORTED. And those that change neither results nor counts.
// Callers pass arguments, which nobody reads. Each lies in a section that says so, as those of the
// runtime.
#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {
namespace {

Status unsupported_in_driver(const char* function) {
  return driver_call(Needs::nothing, [&](Runtime& runtime) {
    runtime.reporter.unsupported(function);
    throw Status::not_supported;
  });
}

}  // namespace

// clang-format off
// X: a function; V: one of which there are two versions.
#define AGPUSIM_UNSUPPORTED_IN_DRIVER(X, V) \
  V(cuArray3DCreate) V(cuArray3DGetDescriptor) V(cuArrayCreate) X(cuArrayDestroy) V(cuArrayGetDescriptor) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) X(cuCheckpointProcessCheckpoint) \
  X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) X(cuCheckpointProcessLock) \
  X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) X(cuCoredumpGetAttributeGlobal) \
  X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxAttach) X(cuCtxCreate) X(cuCtxDetach) \
  X(cuCtxDisablePeerAccess) X(cuCtxEnablePeerAccess) X(cuCtxFromGreenCtx) X(cuCtxGetDevResource) X(cuCtxGetExecAffinity) \
  X(cuCtxGetSharedMemConfig) X(cuCtxRecordEvent) X(cuCtxWaitEvent) X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) \
  X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplitByCount) X(cuDeviceGetByPCIBusId) X(cuDeviceGetDevResource) \
  X(cuDeviceGetExecAffinitySupport) X(cuDeviceGetGraphMemAttribute) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) \
  X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) X(cuDeviceGetP2PAttribute) X(cuDeviceGetProperties) \
  X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDeviceGraphMemTrim) X(cuDeviceRegisterAsyncNotification) \
  X(cuDeviceSetGraphMemAttribute) X(cuDeviceTotalMem) X(cuDeviceUnregisterAsyncNotification) \
  X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray) X(cuFuncSetBlockShape) X(cuFuncSetSharedSize) \
  X(cuGetExportTable) X(cuGraphAddBatchMemOpNode) X(cuGraphAddChildGraphNode) V(cuGraphAddDependencies) \
  X(cuGraphAddEmptyNode) X(cuGraphAddEventRecordNode) X(cuGraphAddEventWaitNode) X(cuGraphAddExternalSemaphoresSignalNode) \
  X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphAddHostNode) V(cuGraphAddKernelNode) X(cuGraphAddMemAllocNode) \
  X(cuGraphAddMemFreeNode) X(cuGraphAddMemcpyNode) X(cuGraphAddMemsetNode) V(cuGraphAddNode) \
  X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) X(cuGraphChildGraphNodeGetGraph) X(cuGraphClone) \
  X(cuGraphConditionalHandleCreate) X(cuGraphDebugDotPrint) X(cuGraphDestroyNode) X(cuGraphEventRecordNodeGetEvent) \
  X(cuGraphEventRecordNodeSetEvent) X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent) \
  X(cuGraphExecBatchMemOpNodeSetParams) X(cuGraphExecChildGraphNodeSetParams) X(cuGraphExecEventRecordNodeSetEvent) \
  X(cuGraphExecEventWaitNodeSetEvent) X(cuGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cuGraphExecExternalSemaphoresWaitNodeSetParams) X(cuGraphExecGetFlags) X(cuGraphExecHostNodeSetParams) \
  V(cuGraphExecKernelNodeSetParams) X(cuGraphExecMemcpyNodeSetParams) X(cuGraphExecMemsetNodeSetParams) \
  X(cuGraphExecNodeSetParams) V(cuGraphExecUpdate) X(cuGraphExternalSemaphoresSignalNodeGetParams) \
  X(cuGraphExternalSemaphoresSignalNodeSetParams) X(cuGraphExternalSemaphoresWaitNodeGetParams) \
  X(cuGraphExternalSemaphoresWaitNodeSetParams) V(cuGraphGetEdges) X(cuGraphGetNodes) X(cuGraphGetRootNodes) \
  X(cuGraphHostNodeGetParams) X(cuGraphHostNodeSetParams) V(cuGraphInstantiate) X(cuGraphInstantiateWithParams) \
  X(cuGraphKernelNodeCopyAttributes) X(cuGraphKernelNodeGetAttribute) V(cuGraphKernelNodeGetParams) \
  X(cuGraphKernelNodeSetAttribute) V(cuGraphKernelNodeSetParams) X(cuGraphMemAllocNodeGetParams) \
  X(cuGraphMemFreeNodeGetParams) X(cuGraphMemcpyNodeGetParams) X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeGetParams) \
  X(cuGraphMemsetNodeSetParams) X(cuGraphNodeFindInClone) V(cuGraphNodeGetDependencies) V(cuGraphNodeGetDependentNodes) \
  X(cuGraphNodeGetEnabled) X(cuGraphNodeGetType) X(cuGraphNodeSetEnabled) X(cuGraphNodeSetParams) X(cuGraphReleaseUserObject) \
  V(cuGraphRemoveDependencies) X(cuGraphRetainUserObject) X(cuGraphicsMapResources) \
  X(cuGraphicsResourceGetMappedMipmappedArray) V(cuGraphicsResourceGetMappedPointer) V(cuGraphicsResourceSetMapFlags) \
  X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources) X(cuGraphicsUnregisterResource) X(cuGreenCtxCreate) \
  X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) X(cuGreenCtxStreamCreate) \
  X(cuGreenCtxWaitEvent) X(cuImportExternalMemory) X(cuImportExternalSemaphore) X(cuIpcCloseMemHandle) X(cuIpcGetEventHandle) \
  X(cuIpcGetMemHandle) X(cuIpcOpenEventHandle) V(cuIpcOpenMemHandle) X(cuLaunch) X(cuLaunchCooperativeKernelMultiDevice) \
  X(cuLaunchGrid) X(cuLaunchGridAsync) X(cuLibraryGetUnifiedFunction) X(cuLogsCurrent) X(cuLogsDumpToFile) \
  X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) X(cuLogsUnregisterCallback) X(cuMemAddressFree) X(cuMemAddressReserve) \
  X(cuMemAlloc) X(cuMemAllocHost) X(cuMemAllocPitch) X(cuMemBatchDecompressAsync) X(cuMemCreate) \
  X(cuMemDiscardAndPrefetchBatchAsync) X(cuMemDiscardBatchAsync) X(cuMemExportToShareableHandle) X(cuMemFree) \
  X(cuMemGetAccess) X(cuMemGetAddressRange) X(cuMemGetAllocationGranularity) X(cuMemGetAllocationPropertiesFromHandle) \
  X(cuMemGetDefaultMemPool) X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) X(cuMemGetMemPool) X(cuMemHostGetDevicePointer) \
  X(cuMemImportFromShareableHandle) X(cuMemMap) X(cuMemMapArrayAsync) X(cuMemPoolExportPointer) \
  X(cuMemPoolExportToShareableHandle) X(cuMemPoolGetAccess) X(cuMemPoolGetAttribute) X(cuMemPoolImportFromShareableHandle) \
  X(cuMemPoolImportPointer) X(cuMemPrefetchBatchAsync) X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes) X(cuMemRelease) \
  X(cuMemRetainAllocationHandle) X(cuMemSetAccess) X(cuMemSetMemPool) X(cuMemUnmap) V(cuMemcpy2D) V(cuMemcpy2DAsync) \
  V(cuMemcpy2DUnaligned) V(cuMemcpy3D) V(cuMemcpy3DAsync) V(cuMemcpy3DBatchAsync) X(cuMemcpy3DPeer) X(cuMemcpy3DPeerAsync) \
  V(cuMemcpyAtoA) V(cuMemcpyAtoD) V(cuMemcpyAtoH) V(cuMemcpyAtoHAsync) V(cuMemcpyBatchAsync) V(cuMemcpyDtoA) X(cuMemcpyDtoD) \
  X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) X(cuMemcpyDtoHAsync) V(cuMemcpyHtoA) V(cuMemcpyHtoAAsync) X(cuMemcpyHtoD) \
  X(cuMemcpyHtoDAsync) X(cuMemcpyPeer) X(cuMemcpyPeerAsync) X(cuMemsetD16) V(cuMemsetD2D16) X(cuMemsetD2D16Async) \
  V(cuMemsetD2D32) X(cuMemsetD2D32Async) V(cuMemsetD2D8) X(cuMemsetD2D8Async) X(cuMemsetD32) X(cuMemsetD8) \
  X(cuMipmappedArrayCreate) X(cuMipmappedArrayDestroy) X(cuMipmappedArrayGetLevel) X(cuMipmappedArrayGetMemoryRequirements) \
  X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) X(cuModuleGetSurfRef) X(cuModuleGetTexRef) \
  X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) X(cuMulticastCreate) X(cuMulticastGetGranularity) \
  X(cuMulticastUnbind) X(cuOccupancyAvailableDynamicSMemPerBlock) X(cuOccupancyMaxActiveClusters) \
  X(cuOccupancyMaxPotentialClusterSize) X(cuParamSetSize) X(cuParamSetTexRef) X(cuParamSetf) X(cuParamSeti) X(cuParamSetv) \
  X(cuProfilerInitialize) X(cuSignalExternalSemaphoresAsync) V(cuStreamBatchMemOp) X(cuStreamBeginCaptureToGraph) \
  X(cuStreamCopyAttributes) X(cuStreamGetAttribute) V(cuStreamGetCaptureInfo) X(cuStreamGetCaptureInfo_v3) \
  X(cuStreamGetCtx_v2) X(cuStreamGetGreenCtx) X(cuStreamSetAttribute) V(cuStreamUpdateCaptureDependencies) \
  V(cuStreamWaitValue32) V(cuStreamWaitValue64) V(cuStreamWriteValue32) V(cuStreamWriteValue64) X(cuSurfObjectCreate) \
  X(cuSurfObjectDestroy) X(cuSurfObjectGetResourceDesc) X(cuSurfRefGetArray) X(cuSurfRefSetArray) X(cuTensorMapEncodeIm2col) \
  X(cuTensorMapEncodeIm2colWide) X(cuTensorMapEncodeTiled) X(cuTensorMapReplaceAddress) X(cuTexObjectCreate) \
  X(cuTexObjectDestroy) X(cuTexObjectGetResourceDesc) X(cuTexObjectGetResourceViewDesc) X(cuTexObjectGetTextureDesc) \
  X(cuTexRefCreate) X(cuTexRefDestroy) V(cuTexRefGetAddress) X(cuTexRefGetAddressMode) X(cuTexRefGetArray) \
  X(cuTexRefGetBorderColor) X(cuTexRefGetFilterMode) X(cuTexRefGetFlags) X(cuTexRefGetFormat) X(cuTexRefGetMaxAnisotropy) \
  X(cuTexRefGetMipmapFilterMode) X(cuTexRefGetMipmapLevelBias) X(cuTexRefGetMipmapLevelClamp) X(cuTexRefGetMipmappedArray) \
  V(cuTexRefSetAddress) V(cuTexRefSetAddress2D) X(cuTexRefSetAddress2D_v3) X(cuTexRefSetAddressMode) X(cuTexRefSetArray) \
  X(cuTexRefSetBorderColor) X(cuTexRefSetFilterMode) X(cuTexRefSetFlags) X(cuTexRefSetFormat) X(cuTexRefSetMaxAnisotropy) \
  X(cuTexRefSetMipmapFilterMode) X(cuTexRefSetMipmapLevelBias) X(cuTexRefSetMipmapLevelClamp) X(cuTexRefSetMipmappedArray) \
  X(cuUserObjectCreate) X(cuUserObjectRelease) X(cuUserObjectRetain) X(cuWaitExternalSemaphoresAsync)

#define AGPUSIM_WITHOUT_EFFECT_IN_DRIVER(X, V) \
  X(cuCtxResetPersistingL2Cache) X(cuCtxSetCacheConfig) X(cuCtxSetFlags) X(cuCtxSetSharedMemConfig) X(cuDeviceSetMemPool) \
  X(cuFlushGPUDirectRDMAWrites) X(cuFuncLoad) X(cuFuncSetCacheConfig) X(cuFuncSetSharedMemConfig) X(cuGraphUpload) \
  X(cuKernelSetCacheConfig) V(cuMemAdvise) X(cuMemPoolDestroy) X(cuMemPoolSetAccess) X(cuMemPoolSetAttribute) \
  X(cuMemPoolTrimTo) V(cuMemPrefetchAsync) X(cuPointerSetAttribute) X(cuProfilerStart) X(cuProfilerStop) \
  X(cuStreamAttachMemAsync)
// clang-format on

#define AGPUSIM_IN_SECTION(name) AGPUSIM_CUDART __attribute__((section(name)))

#define AGPUSIM_REFUSE(name) \
  AGPUSIM_IN_SECTION("not_supported") Status name() { return unsupported_in_driver(#name); }
#define AGPUSIM_REFUSE_BOTH(name) AGPUSIM_REFUSE(name) AGPUSIM_ALSO(name##_v2, name)
AGPUSIM_UNSUPPORTED_IN_DRIVER(AGPUSIM_REFUSE, AGPUSIM_REFUSE_BOTH)

#define AGPUSIM_ACCEPT(name)                                 \
  AGPUSIM_IN_SECTION("without_effect") Status name() {       \
    return driver_call(Needs::initialized, [](Runtime&) {}); \
  }
#define AGPUSIM_ACCEPT_BOTH(name) AGPUSIM_ACCEPT(name) AGPUSIM_ALSO(name##_v2, name)
AGPUSIM_WITHOUT_EFFECT_IN_DRIVER(AGPUSIM_ACCEPT, AGPUSIM_ACCEPT_BOTH)

}  // namespace agpusim::cudart
