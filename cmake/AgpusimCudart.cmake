# The CUDA runtime of `agpusim exec`: lib/agpusim/cudart/13/libcudart.so.13, in a folder where no loader looks by itself.
set(folder "agpusim/cudart/13")
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cudart/*.cpp")
add_library(agpusim_cudart SHARED ${sources})
set_target_properties(
  agpusim_cudart PROPERTIES OUTPUT_NAME cudart SOVERSION 13 CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/${folder}" SKIP_BUILD_RPATH ON)
target_link_libraries(agpusim_cudart PRIVATE agpusim_build agpusim_validation agpusim_ptx fmt::fmt zstd::libzstd_shared "${AGPUSIM_LZ4}")
# Programs bind to the names of the interface, and to nothing else: they may bring their own fmt or TBB.
set(symbols "${PROJECT_SOURCE_DIR}/cudart/symbols.map")
target_link_options(agpusim_cudart PRIVATE "-Wl,--version-script=${symbols}" -Wl,-z,defs -Wl,--gc-sections -Wl,-Bsymbolic-functions)
set_target_properties(agpusim_cudart PROPERTIES LINK_DEPENDS "${symbols}")
# What `nvcc --default-stream per-thread` calls: streams do at once what they are asked to, so that one is as good as another.
set(of_thread_stream
    __cudaLaunchKernel cudaEventRecordWithFlags cudaEventRecord cudaFreeAsync cudaGetDriverEntryPointByVersion
    cudaGetDriverEntryPoint cudaGraphInstantiateWithParams cudaGraphLaunch cudaGraphUpload cudaLaunchCooperativeKernel
    cudaLaunchHostFunc cudaLaunchKernelExC cudaLaunchKernel cudaMallocAsync cudaMallocFromPoolAsync
    cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardBatchAsync cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
    cudaMemPrefetchBatchAsync cudaSignalExternalSemaphoresAsync_v2 cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo_v3
    cudaStreamUpdateCaptureDependencies_v2 cudaWaitExternalSemaphoresAsync_v2
    cudaMemcpy2DAsync cudaMemcpy2DFromArrayAsync cudaMemcpy2DToArrayAsync cudaMemcpy3DAsync cudaMemcpy3DBatchAsync
    cudaMemcpy3DPeerAsync cudaMemcpyAsync cudaMemcpyBatchAsync cudaMemcpyFromArrayAsync cudaMemcpyFromSymbolAsync
    cudaMemcpyToArrayAsync cudaMemcpyToSymbolAsync cudaMemset2DAsync cudaMemset3DAsync cudaMemsetAsync
    cudaSignalExternalSemaphoresAsync cudaStreamAddCallback cudaStreamAttachMemAsync cudaStreamBeginCaptureToGraph
    cudaStreamBeginCapture cudaStreamCopyAttributes cudaStreamEndCapture cudaStreamGetAttribute cudaStreamGetCaptureInfo
    cudaStreamGetDevice cudaStreamGetFlags cudaStreamGetId cudaStreamGetPriority cudaStreamIsCapturing cudaStreamQuery
    cudaStreamSetAttribute cudaStreamSynchronize cudaStreamUpdateCaptureDependencies cudaStreamWaitEvent
    cudaWaitExternalSemaphoresAsync
    cuEventRecord cuEventRecordWithFlags cuGraphInstantiateWithParams cuGraphLaunch cuGraphUpload
    cuGraphicsMapResources cuGraphicsUnmapResources cuLaunchCooperativeKernel cuLaunchHostFunc cuLaunchKernel
    cuLaunchKernelEx cuMemAllocAsync cuMemAllocFromPoolAsync cuMemBatchDecompressAsync
    cuMemDiscardAndPrefetchBatchAsync cuMemDiscardBatchAsync cuMemFreeAsync cuMemMapArrayAsync cuMemPrefetchAsync
    cuMemPrefetchAsync_v2 cuMemPrefetchBatchAsync cuMemcpy2DAsync_v2 cuMemcpy3DAsync_v2 cuMemcpy3DBatchAsync
    cuMemcpy3DBatchAsync_v2 cuMemcpy3DPeerAsync cuMemcpyAsync cuMemcpyAtoHAsync_v2 cuMemcpyBatchAsync
    cuMemcpyBatchAsync_v2 cuMemcpyDtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyHtoAAsync_v2 cuMemcpyHtoDAsync_v2
    cuMemcpyPeerAsync cuMemsetD16Async cuMemsetD2D16Async cuMemsetD2D32Async cuMemsetD2D8Async cuMemsetD32Async
    cuMemsetD8Async cuSignalExternalSemaphoresAsync cuStreamAddCallback cuStreamAttachMemAsync cuStreamBatchMemOp
    cuStreamBatchMemOp_v2 cuStreamBeginCapture cuStreamBeginCaptureToGraph cuStreamBeginCapture_v2
    cuStreamCopyAttributes cuStreamEndCapture cuStreamGetAttribute cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
    cuStreamGetCaptureInfo_v3 cuStreamGetCtx cuStreamGetCtx_v2 cuStreamGetDevice cuStreamGetFlags cuStreamGetId
    cuStreamGetPriority cuStreamIsCapturing cuStreamQuery cuStreamSetAttribute cuStreamSynchronize
    cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2 cuStreamWaitEvent cuStreamWaitValue32
    cuStreamWaitValue32_v2 cuStreamWaitValue64 cuStreamWaitValue64_v2 cuStreamWriteValue32 cuStreamWriteValue32_v2
    cuStreamWriteValue64 cuStreamWriteValue64_v2 cuWaitExternalSemaphoresAsync)
set(of_thread
    cudaMemcpy2DArrayToArray cudaMemcpy2DFromArray cudaMemcpy2DToArray cudaMemcpy2D cudaMemcpy3DPeer cudaMemcpy3D
    cudaMemcpyArrayToArray cudaMemcpyFromArray cudaMemcpyFromSymbol cudaMemcpyToArray cudaMemcpyToSymbol cudaMemcpy
    cudaMemset2D cudaMemset3D cudaMemset
    cuMemcpy cuMemcpy2DUnaligned_v2 cuMemcpy2D_v2 cuMemcpy3DPeer cuMemcpy3D_v2 cuMemcpyAtoA_v2 cuMemcpyAtoD_v2
    cuMemcpyAtoH_v2 cuMemcpyDtoA_v2 cuMemcpyDtoD_v2 cuMemcpyDtoH_v2 cuMemcpyHtoA_v2 cuMemcpyHtoD_v2 cuMemcpyPeer
    cuMemsetD16_v2 cuMemsetD2D16_v2 cuMemsetD2D32_v2 cuMemsetD2D8_v2 cuMemsetD32_v2 cuMemsetD8_v2)
list(TRANSFORM of_thread_stream REPLACE "(.+)" "-Wl,--defsym=\\1_ptsz=\\1")
list(TRANSFORM of_thread REPLACE "(.+)" "-Wl,--defsym=\\1_ptds=\\1")
target_link_options(agpusim_cudart PRIVATE ${of_thread_stream} ${of_thread})
# A call that fails is told by the name of its function, which is that of a frame of the stack.
target_compile_options(
  agpusim_cudart PRIVATE -fno-optimize-sibling-calls
                         $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-icf;-fno-reorder-blocks-and-partition>)
agpusim_compile_quickly(agpusim_cudart 24)
agpusim_precompile(agpusim_cudart ${standard_headers} ${fmt_headers})
# The driver (cu...), with what it shares in the library of the runtime: libcuda.so.1 has no functions of its own.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/libcuda.cpp" CONTENT "")
add_library(agpusim_libcuda SHARED "${PROJECT_BINARY_DIR}/generated/libcuda.cpp")
set_target_properties(agpusim_libcuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1 INSTALL_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON
                                                 LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/${folder}")
target_link_libraries(agpusim_libcuda PRIVATE agpusim_cudart)
target_link_options(agpusim_libcuda PRIVATE -Wl,--no-as-needed)
install(TARGETS agpusim_cudart agpusim_libcuda LIBRARY DESTINATION "lib/${folder}")
# What `agpusim build` preloads into the commands of a build.
add_library(agpusim_build_calls SHARED commands/exec/preload/build_calls.cpp)
target_link_libraries(agpusim_build_calls PRIVATE agpusim_build ${CMAKE_DL_LIBS} c)
target_compile_options(agpusim_build_calls PRIVATE -fno-sanitize=all -fno-exceptions)
target_link_options(agpusim_build_calls PRIVATE -fno-sanitize=all -nodefaultlibs)
set_target_properties(agpusim_build_calls PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/agpusim" SKIP_BUILD_RPATH ON)
install(TARGETS agpusim_build_calls LIBRARY DESTINATION lib/agpusim)
# Those of older CUDA: what they do otherwise, and the library above for all else, so that a process has one runtime.
set(older_cuda 12 11.0)
set(older_cuda_versions 12090 11080)
foreach(cuda version IN ZIP_LISTS older_cuda older_cuda_versions)
  set(target agpusim_cudart_${cuda})
  add_library(${target} SHARED "${PROJECT_SOURCE_DIR}/cudart/older/runtime.cpp")
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME cudart SOVERSION ${cuda} INSTALL_RPATH "$ORIGIN/../13" BUILD_RPATH_USE_ORIGIN ON
                         LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/agpusim/cudart/${cuda}")
  target_compile_definitions(${target} PRIVATE AGPUSIM_CUDA_VERSION=${version})
  set(symbols "${PROJECT_BINARY_DIR}/generated/libcudart_${cuda}.map")
  file(CONFIGURE OUTPUT "${symbols}" CONTENT "libcudart.so.${cuda} { global: cuda*; __cuda*; local: *; };\n")
  target_link_libraries(${target} PRIVATE agpusim_build agpusim_cudart)
  target_link_options(${target} PRIVATE "-Wl,--version-script=${symbols}" -Wl,-z,defs)
  target_link_libraries(${target} PRIVATE -Wl,--no-as-needed c) # Debian asks it of each library
  install(TARGETS ${target} LIBRARY DESTINATION "lib/agpusim/cudart/${cuda}" NAMELINK_SKIP)
  add_dependencies(agpusim ${target})
endforeach()
