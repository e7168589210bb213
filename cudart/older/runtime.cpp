// What libcudart.so.12 and libcudart.so.11.0 do otherwise than libcudart.so.13, from which they
// have all other functions.
#include <cstddef>
#include <cstring>

#define AGPUSIM_OLDER extern "C" __attribute__((visibility("default")))

extern "C" int cudaRuntimeGetVersion_vOlder(int* number, int older);
extern "C" int cudaGetDeviceProperties_v11(void* properties, int device);
extern "C" int cudaFuncGetAttributes_v12(void* attributes, const void* function);
extern "C" int cudaCreateTextureObject_v2(void* handle, const void* resource, const void* how,
                                          const void* view);
extern "C" int cudaGetTextureObjectTextureDesc_v2(void* how, unsigned long long handle);
extern "C" int cudaGraphAddDependencies_v2(void* graph, const void* from, const void* to,
                                           const void* data, std::size_t count);

AGPUSIM_OLDER int cudaRuntimeGetVersion(int* number) {
  return cudaRuntimeGetVersion_vOlder(number, AGPUSIM_CUDA_VERSION);
}

// Programs that are built with CUDA 12 call cudaGetDeviceProperties_v2.
AGPUSIM_OLDER int cudaGetDeviceProperties(void* properties, int device) {
  return cudaGetDeviceProperties_v11(properties, device);
}

// cudaTextureDesc of CUDA 11 lacks the last member, seamlessCubemap.
constexpr std::size_t texture_all = 72;
constexpr std::size_t texture_bytes = AGPUSIM_CUDA_VERSION < 12000 ? 68 : texture_all;

AGPUSIM_OLDER int cudaCreateTextureObject(void* handle, const void* resource, const void* how,
                                          const void* view) {
  alignas(4) char all[texture_all] = {};
  if (how != nullptr) std::memcpy(all, how, texture_bytes);
  return cudaCreateTextureObject_v2(handle, resource, how == nullptr ? nullptr : all, view);
}

AGPUSIM_OLDER int cudaGetTextureObjectTextureDesc(void* how, unsigned long long handle) {
  alignas(4) char all[texture_all];
  const int error = cudaGetTextureObjectTextureDesc_v2(how == nullptr ? nullptr : all, handle);
  if (error == 0) std::memcpy(how, all, texture_bytes);
  return error;
}

AGPUSIM_OLDER int cudaGraphAddDependencies(void* graph, const void* from, const void* to,
                                           std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

AGPUSIM_OLDER int cudaFuncGetAttributes(void* attributes, const void* function) {
  constexpr std::size_t all_bytes = 144;
  constexpr std::size_t bytes = AGPUSIM_CUDA_VERSION < 12000 ? 56 : all_bytes;
  alignas(std::size_t) char all[all_bytes];
  const int error = cudaFuncGetAttributes_v12(attributes == nullptr ? nullptr : all, function);
  if (error == 0) std::memcpy(attributes, all, bytes);
  return error;
}
