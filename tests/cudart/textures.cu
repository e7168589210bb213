// Kernels of tests/cudart/program/textures.cpp and, with a program around them, of what a GPU does
// with the same textures: nvcc -I ROOT -o textures tests/cudart/textures.cu, where ROOT/agpusim is
// this repository. usage: textures OUT [OTHER]: writes the bits of all fetches to OUT; says where
// OTHER has others.
#include <algorithm>
#include <cstdio>

#include "agpusim/tests/cudart/texture_cases.hpp"

extern "C" __global__ void fetches(cudaTextureObject_t from, int geometry, const float4* at,
                                   uint4* out) {
  const float4 p = at[threadIdx.x];
  const int n = __float_as_int(p.w);
  uint4 value = {};
  switch (geometry) {
    case 0:
      value = tex1D<uint4>(from, p.x);
      break;
    case 1:
      value = tex2D<uint4>(from, p.x, p.y);
      break;
    case 2:
      value = tex3D<uint4>(from, p.x, p.y, p.z);
      break;
    case 3:
      value = tex1DLayered<uint4>(from, p.x, n);
      break;
    case 4:
      value = tex2DLayered<uint4>(from, p.x, p.y, n);
      break;
    case 5:
      value = texCubemap<uint4>(from, p.x, p.y, p.z);
      break;
    default:
      value = tex1Dfetch<uint4>(from, n);
  }
  out[threadIdx.x] = value;
}

#define ACCESS(name, ...)                                                      \
  value = zero ? name##read<unsigned>(on, __VA_ARGS__, cudaBoundaryModeZero)   \
               : name##read<unsigned>(on, __VA_ARGS__, cudaBoundaryModeClamp); \
  if (zero) name##write(value + 1, on, __VA_ARGS__, cudaBoundaryModeZero);     \
  break

// Reads words of a surface and, where those outside are 0, adds 1 to them.
extern "C" __global__ void words(cudaSurfaceObject_t on, int geometry, bool zero, const int4* at,
                                 unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 p = at[i];
  unsigned value = 0;
  switch (geometry) {
    case 0:
      ACCESS(surf1D, 4 * p.x);
    case 1:
      ACCESS(surf2D, 4 * p.x, p.y);
    case 2:
      ACCESS(surf3D, 4 * p.x, p.y, p.z);
    case 3:
      ACCESS(surf1DLayered, 4 * p.x, p.z);
    default:
      ACCESS(surf2DLayered, 4 * p.x, p.y, p.z);
  }
  out[i] = value;
}

// Copies row after row of a surface to another one, in accesses of all widths.
extern "C" __global__ void widths(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int t = threadIdx.x;
#define COPY(type, row)                                                            \
  surf2Dwrite(surf2Dread<type>(from, t * static_cast<int>(sizeof(type)), row), to, \
              t* static_cast<int>(sizeof(type)), row)
  COPY(unsigned char, 0);
  COPY(short, 1);
  COPY(int, 2);
  COPY(longlong1, 3);
  COPY(char2, 4);
  COPY(ushort4, 5);
  COPY(float4, 6);
  COPY(ulonglong2, 7);
}

// The fetch has nothing to read.
extern "C" __global__ void fetch_one(cudaTextureObject_t from, float* out) {
  *out = tex2D<float>(from, 0.0F, 0.0F);
}

#ifndef __CUDA_ARCH__
#define CHECK(call)                                             \
  if (const cudaError_t error = (call); error != cudaSuccess) { \
    std::printf("%s: %s\n", #call, cudaGetErrorString(error));  \
    std::exit(1);                                               \
  }

using namespace agpusim::test;

namespace {

cudaTextureObject_t texture_of(const TextureCase& of, const std::vector<unsigned char>& texels) {
  const int b = of.bits;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(b, of.channels > 1 ? b : 0, of.channels > 2 ? b : 0,
                            of.channels > 2 ? b : 0, static_cast<cudaChannelFormatKind>(of.kind));
  cudaResourceDesc resource = {};
  if (of.geometry == whole) {
    resource.resType = cudaResourceTypeLinear;
    CHECK(cudaMalloc(&resource.res.linear.devPtr, texels.size()));
    CHECK(cudaMemcpy(resource.res.linear.devPtr, texels.data(), texels.size(),
                     cudaMemcpyHostToDevice));
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = texels.size();
  } else {
    const std::size_t row = texels.size() / (of.count(1) * of.count(2));
    const auto extent = make_cudaExtent(of.size[0], of.size[1], of.size[2]);
    const unsigned flags = of.is_layered()       ? cudaArrayLayered
                           : of.geometry == cube ? cudaArrayCubemap
                                                 : cudaArrayDefault;
    CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(texels.data()), row, of.size[0],
                                      of.count(1));
    copy.dstArray = resource.res.array.array;
    copy.extent = make_cudaExtent(of.size[0], of.count(1), of.count(2));
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  }
  cudaTextureDesc how = {};
  for (auto& mode : how.addressMode) mode = static_cast<cudaTextureAddressMode>(of.mode);
  how.filterMode = of.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = of.fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = of.normalized;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  std::mt19937 random(17);
  float4* at = nullptr;
  uint4* out = nullptr;
  CHECK(cudaMalloc(&at, points_of_case * sizeof *at));
  CHECK(cudaMalloc(&out, points_of_case * sizeof *out));
  std::vector<uint4> all;
  for (const TextureCase& of : texture_cases()) {
    const cudaTextureObject_t texture = texture_of(of, texels_of(of, random));
    const auto points = coordinates_of(of, random);
    CHECK(cudaMemcpy(at, points.data(), points_of_case * sizeof *at, cudaMemcpyHostToDevice));
    fetches<<<1, points_of_case>>>(texture, of.geometry, at, out);
    all.resize(all.size() + points_of_case);
    CHECK(cudaMemcpy(&all[all.size() - points_of_case], out, points_of_case * sizeof *out,
                     cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
  }
  std::FILE* file = std::fopen(arguments[1], "wb");
  std::fwrite(all.data(), sizeof all[0], all.size(), file);
  std::fclose(file);
  if (count < 3) return 0;
  std::vector<uint4> other(all.size());
  file = std::fopen(arguments[2], "rb");
  if (file == nullptr || std::fread(other.data(), sizeof other[0], other.size(), file) == 0)
    return 2;
  std::size_t next = 0;
  random.seed(17);
  for (const TextureCase& of : texture_cases()) {
    texels_of(of, random);
    int differing = 0;
    for (const Coordinates& p : coordinates_of(of, random)) {
      const uint4 a = all[next];
      const uint4 b = other[next++];
      if (std::memcmp(&a, &b, sizeof a) == 0 || differing++ > 0) continue;
      std::printf(
          "geometry %d, %d channels of %d bits, kind %d, mode %d%s%s%s at %.9g %.9g %.9g %d: "
          "%08x %08x %08x %08x, other %08x %08x %08x %08x\n",
          of.geometry, of.channels, of.bits, of.kind, of.mode, of.linear ? ", linear" : "",
          of.normalized ? ", normalized" : "", of.fractions ? ", fractions" : "", p.at[0], p.at[1],
          p.at[2], p.integer, a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
    }
    if (differing > 0) std::printf("  %d of %d points\n", differing, points_of_case);
  }
}
#endif
