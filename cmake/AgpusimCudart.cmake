# The CUDA runtime of `agpusim exec`: lib/agpusim/cudart/13/libcudart.so.13, in a folder where no loader looks by itself.
set(folder "agpusim/cudart/13")
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cudart/*.cpp")
add_library(agpusim_cudart SHARED ${sources})
set_target_properties(
  agpusim_cudart PROPERTIES OUTPUT_NAME cudart SOVERSION 13 CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/${folder}" SKIP_BUILD_RPATH ON)
target_link_libraries(agpusim_cudart PRIVATE agpusim_build agpusim_validation agpusim_ptx fmt::fmt zstd::libzstd_shared "${AGPUSIM_LZ4}")
# Programs bind to the names of the interface at this version, and to nothing else: they may bring their own fmt or TBB.
set(symbols "${PROJECT_SOURCE_DIR}/cudart/symbols.map")
target_link_options(agpusim_cudart PRIVATE "-Wl,--version-script=${symbols}" -Wl,-z,defs -Wl,--gc-sections)
set_target_properties(agpusim_cudart PROPERTIES LINK_DEPENDS "${symbols}")
# What `nvcc --default-stream per-thread` calls: streams do at once what they are asked to, so that one is as good as another.
set(of_thread_stream
    __cudaLaunchKernel cudaEventRecordWithFlags cudaEventRecord cudaFreeAsync cudaGetDriverEntryPointByVersion
    cudaGetDriverEntryPoint cudaGraphInstantiateWithParams cudaGraphLaunch cudaGraphUpload cudaLaunchCooperativeKernel
    cudaLaunchHostFunc cudaLaunchKernelExC cudaLaunchKernel cudaMallocAsync cudaMallocFromPoolAsync
    cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardBatchAsync cudaMemPrefetchAsync cudaMemPrefetchBatchAsync
    cudaMemcpy2DAsync cudaMemcpy2DFromArrayAsync cudaMemcpy2DToArrayAsync cudaMemcpy3DAsync cudaMemcpy3DBatchAsync
    cudaMemcpy3DPeerAsync cudaMemcpyAsync cudaMemcpyBatchAsync cudaMemcpyFromArrayAsync cudaMemcpyFromSymbolAsync
    cudaMemcpyToArrayAsync cudaMemcpyToSymbolAsync cudaMemset2DAsync cudaMemset3DAsync cudaMemsetAsync
    cudaSignalExternalSemaphoresAsync cudaStreamAddCallback cudaStreamAttachMemAsync cudaStreamBeginCaptureToGraph
    cudaStreamBeginCapture cudaStreamCopyAttributes cudaStreamEndCapture cudaStreamGetAttribute cudaStreamGetCaptureInfo
    cudaStreamGetDevice cudaStreamGetFlags cudaStreamGetId cudaStreamGetPriority cudaStreamIsCapturing cudaStreamQuery
    cudaStreamSetAttribute cudaStreamSynchronize cudaStreamUpdateCaptureDependencies cudaStreamWaitEvent
    cudaWaitExternalSemaphoresAsync)
set(of_thread
    cudaMemcpy2DArrayToArray cudaMemcpy2DFromArray cudaMemcpy2DToArray cudaMemcpy2D cudaMemcpy3DPeer cudaMemcpy3D
    cudaMemcpyArrayToArray cudaMemcpyFromArray cudaMemcpyFromSymbol cudaMemcpyToArray cudaMemcpyToSymbol cudaMemcpy
    cudaMemset2D cudaMemset3D cudaMemset)
list(TRANSFORM of_thread_stream REPLACE "(.+)" "-Wl,--defsym=\\1_ptsz=\\1")
list(TRANSFORM of_thread REPLACE "(.+)" "-Wl,--defsym=\\1_ptds=\\1")
target_link_options(agpusim_cudart PRIVATE ${of_thread_stream} ${of_thread})
# A call that fails is told by the name of its function, which is that of a frame of the stack.
target_compile_options(
  agpusim_cudart PRIVATE -fno-optimize-sibling-calls
                         $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-icf;-fno-reorder-blocks-and-partition>)
agpusim_compile_quickly(agpusim_cudart 24)
agpusim_precompile(agpusim_cudart ${standard_headers} ${fmt_headers})
install(TARGETS agpusim_cudart LIBRARY DESTINATION "lib/${folder}" NAMELINK_SKIP)
