// The documented functions that are not supported: they say so and return cudaErrorNotSupported.
// And those that change neither results nor counts. Callers pass arguments, which nobody reads.
// Each lies in a section that says so: `agpusim exec --functions` reads it from the library.
#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {
namespace {

Status unsupported(const char* function) {
  return call([&](Runtime& runtime) {
    runtime.reporter.unsupported(function);
    return Status::not_supported;
  });
}

/// cudaChannelFormatDesc
struct ChannelFormat {
  std::int32_t bits[4];
  std::int32_t kind;
};

}  // namespace

// clang-format off
#define AGPUSIM_UNSUPPORTED(X) \
  X(__cudaGetProcAddress) X(__cudaRegisterHostVar) X(__cudaRegisterUnifiedTable) \
  X(cudaArrayGetInfo) X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) \
  X(cudaArrayGetSparseProperties) X(cudaCreateSurfaceObject) X(cudaCreateTextureObject) \
  X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore) X(cudaDestroySurfaceObject) \
  X(cudaDestroyTextureObject) \
  X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetByPCIBusId) \
  X(cudaDeviceGetGraphMemAttribute) X(cudaDeviceGetHostAtomicCapabilities) \
  X(cudaDeviceGetNvSciSyncAttributes) X(cudaDeviceGetP2PAtomicCapabilities) \
  X(cudaDeviceGetP2PAttribute) X(cudaDeviceGetSharedMemConfig) \
  X(cudaDeviceGetTexture1DLinearMaxWidth) X(cudaDeviceGraphMemTrim) \
  X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceSetGraphMemAttribute) \
  X(cudaDeviceUnregisterAsyncNotification) X(cudaEGLStreamConsumerAcquireFrame) \
  X(cudaEGLStreamConsumerConnect) X(cudaEGLStreamConsumerConnectWithFlags) \
  X(cudaEGLStreamConsumerDisconnect) X(cudaEGLStreamConsumerReleaseFrame) \
  X(cudaEGLStreamProducerConnect) X(cudaEGLStreamProducerDisconnect) \
  X(cudaEGLStreamProducerPresentFrame) X(cudaEGLStreamProducerReturnFrame) \
  X(cudaEventCreateFromEGLSync) X(cudaExternalMemoryGetMappedBuffer) \
  X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaFreeArray) X(cudaFreeMipmappedArray) \
  X(cudaFuncGetParamInfo) X(cudaGLGetDevices) X(cudaGLMapBufferObject) \
  X(cudaGLMapBufferObjectAsync) X(cudaGLRegisterBufferObject) X(cudaGLSetBufferObjectMapFlags) \
  X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject) X(cudaGLUnmapBufferObjectAsync) \
  X(cudaGLUnregisterBufferObject) X(cudaGetChannelDesc) X(cudaGetExportTable) X(cudaGetDriverEntryPoint) \
  X(cudaGetDriverEntryPointByVersion) X(cudaGetMipmappedArrayLevel) \
  X(cudaGetSurfaceObjectResourceDesc) X(cudaGetTextureObjectResourceDesc) \
  X(cudaGetTextureObjectResourceViewDesc) X(cudaGetTextureObjectTextureDesc) \
  X(cudaGraphAddChildGraphNode) X(cudaGraphAddDependencies) X(cudaGraphAddEmptyNode) \
  X(cudaGraphAddEventRecordNode) X(cudaGraphAddEventWaitNode) \
  X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) \
  X(cudaGraphAddHostNode) X(cudaGraphAddKernelNode) X(cudaGraphAddMemAllocNode) \
  X(cudaGraphAddMemFreeNode) X(cudaGraphAddMemcpyNode) X(cudaGraphAddMemcpyNode1D) \
  X(cudaGraphAddMemcpyNodeFromSymbol) X(cudaGraphAddMemcpyNodeToSymbol) X(cudaGraphAddMemsetNode) \
  X(cudaGraphAddNode) X(cudaGraphChildGraphNodeGetGraph) X(cudaGraphClone) \
  X(cudaGraphConditionalHandleCreate) X(cudaGraphDebugDotPrint) X(cudaGraphDestroyNode) \
  X(cudaGraphEventRecordNodeGetEvent) X(cudaGraphEventRecordNodeSetEvent) \
  X(cudaGraphEventWaitNodeGetEvent) X(cudaGraphEventWaitNodeSetEvent) \
  X(cudaGraphExecChildGraphNodeSetParams) X(cudaGraphExecEventRecordNodeSetEvent) \
  X(cudaGraphExecEventWaitNodeSetEvent) X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) X(cudaGraphExecGetFlags) \
  X(cudaGraphExecHostNodeSetParams) X(cudaGraphExecKernelNodeSetParams) \
  X(cudaGraphExecMemcpyNodeSetParams) X(cudaGraphExecMemcpyNodeSetParams1D) \
  X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) X(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
  X(cudaGraphExecMemsetNodeSetParams) X(cudaGraphExecNodeSetParams) X(cudaGraphExecUpdate) \
  X(cudaGraphExternalSemaphoresSignalNodeGetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphGetEdges) X(cudaGraphGetNodes) X(cudaGraphGetRootNodes) X(cudaGraphHostNodeGetParams) \
  X(cudaGraphHostNodeSetParams) X(cudaGraphInstantiateWithParams) \
  X(cudaGraphKernelNodeCopyAttributes) X(cudaGraphKernelNodeGetAttribute) \
  X(cudaGraphKernelNodeGetParams) X(cudaGraphKernelNodeSetAttribute) \
  X(cudaGraphKernelNodeSetParams) X(cudaGraphMemAllocNodeGetParams) \
  X(cudaGraphMemFreeNodeGetParams) X(cudaGraphMemcpyNodeGetParams) X(cudaGraphMemcpyNodeSetParams) \
  X(cudaGraphMemcpyNodeSetParams1D) X(cudaGraphMemcpyNodeSetParamsFromSymbol) \
  X(cudaGraphMemcpyNodeSetParamsToSymbol) X(cudaGraphMemsetNodeGetParams) \
  X(cudaGraphMemsetNodeSetParams) X(cudaGraphNodeFindInClone) X(cudaGraphNodeGetDependencies) \
  X(cudaGraphNodeGetDependentNodes) X(cudaGraphNodeGetEnabled) X(cudaGraphNodeGetType) \
  X(cudaGraphNodeSetEnabled) X(cudaGraphNodeSetParams) X(cudaGraphReleaseUserObject) \
  X(cudaGraphRemoveDependencies) X(cudaGraphRetainUserObject) X(cudaGraphicsEGLRegisterImage) \
  X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources) \
  X(cudaGraphicsResourceGetMappedEglFrame) X(cudaGraphicsResourceGetMappedMipmappedArray) \
  X(cudaGraphicsResourceGetMappedPointer) X(cudaGraphicsResourceSetMapFlags) \
  X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsUnmapResources) \
  X(cudaGraphicsUnregisterResource) X(cudaGraphicsVDPAURegisterOutputSurface) \
  X(cudaGraphicsVDPAURegisterVideoSurface) X(cudaImportExternalMemory) \
  X(cudaImportExternalSemaphore) X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) \
  X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) X(cudaIpcOpenMemHandle) \
  X(cudaKernelSetAttributeForDevice) X(cudaLibraryEnumerateKernels) X(cudaLibraryGetGlobal) \
  X(cudaLibraryGetKernel) X(cudaLibraryGetKernelCount) X(cudaLibraryGetManaged) \
  X(cudaLibraryGetUnifiedFunction) X(cudaLibraryLoadData) X(cudaLibraryLoadFromFile) \
  X(cudaLibraryUnload) X(cudaLogsCurrent) X(cudaLogsDumpToFile) X(cudaLogsDumpToMemory) \
  X(cudaLogsRegisterCallback) X(cudaLogsUnregisterCallback) X(cudaMalloc3DArray) \
  X(cudaMallocArray) X(cudaMallocMipmappedArray) X(cudaMemDiscardAndPrefetchBatchAsync) \
  X(cudaMemDiscardBatchAsync) X(cudaMemGetDefaultMemPool) X(cudaMemGetMemPool) \
  X(cudaMemPoolExportPointer) X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) \
  X(cudaMemPoolGetAttribute) X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) \
  X(cudaMemPrefetchBatchAsync) X(cudaMemRangeGetAttribute) \
  X(cudaMemRangeGetAttributes) X(cudaMemSetMemPool) X(cudaMemcpy2DArrayToArray) \
  X(cudaMemcpy2DFromArray) X(cudaMemcpy2DFromArrayAsync) X(cudaMemcpy2DToArray) \
  X(cudaMemcpy2DToArrayAsync) X(cudaMemcpy3DBatchAsync) X(cudaMemcpy3DPeer) \
  X(cudaMemcpy3DPeerAsync) X(cudaMemcpyArrayToArray) X(cudaMemcpyBatchAsync) \
  X(cudaMemcpyFromArray) X(cudaMemcpyFromArrayAsync) X(cudaMemcpyToArray) \
  X(cudaMemcpyToArrayAsync) X(cudaMipmappedArrayGetMemoryRequirements) \
  X(cudaMipmappedArrayGetSparseProperties) X(cudaOccupancyAvailableDynamicSMemPerBlock) \
  X(cudaOccupancyMaxActiveClusters) X(cudaOccupancyMaxPotentialClusterSize) X(cudaSetValidDevices) \
  X(cudaSignalExternalSemaphoresAsync) X(cudaStreamBeginCaptureToGraph) \
  X(cudaStreamCopyAttributes) X(cudaStreamGetAttribute) X(cudaStreamGetCaptureInfo) \
  X(cudaStreamSetAttribute) X(cudaStreamUpdateCaptureDependencies) X(cudaUserObjectCreate) \
  X(cudaUserObjectRelease) X(cudaUserObjectRetain) X(cudaVDPAUGetDevice) \
  X(cudaVDPAUSetVDPAUDevice) X(cudaWaitExternalSemaphoresAsync)

#define AGPUSIM_WITHOUT_EFFECT(X) \
  X(cudaCtxResetPersistingL2Cache) X(cudaDeviceSetCacheConfig) \
  X(cudaDeviceSetMemPool) X(cudaDeviceSetSharedMemConfig) X(cudaFuncSetCacheConfig) \
  X(cudaFuncSetSharedMemConfig) X(cudaGraphUpload) X(cudaMemAdvise) X(cudaMemPoolDestroy) \
  X(cudaMemPoolSetAccess) X(cudaMemPoolSetAttribute) X(cudaMemPoolTrimTo) X(cudaMemPrefetchAsync) \
  X(cudaProfilerStart) X(cudaProfilerStop) X(cudaSetDeviceFlags) X(cudaStreamAttachMemAsync)
// clang-format on

#define AGPUSIM_SECTION(name) __attribute__((section(name)))
#define AGPUSIM_DEFINE(name) \
  AGPUSIM_CUDART AGPUSIM_SECTION("not_supported") Status name() { return unsupported(#name); }
AGPUSIM_UNSUPPORTED(AGPUSIM_DEFINE)

#define AGPUSIM_DEFINE_WITHOUT_EFFECT(name)                        \
  AGPUSIM_CUDART AGPUSIM_SECTION("without_effect") Status name() { \
    return call([](Runtime&) { return Status::success; });         \
  }
AGPUSIM_WITHOUT_EFFECT(AGPUSIM_DEFINE_WITHOUT_EFFECT)

AGPUSIM_CUDART ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, std::int32_t kind) {
  return {{x, y, z, w}, kind};
}

}  // namespace agpusim::cudart
