// Loads and stores of 64-bit elements (`agpusim_wide_accesses_bench 16`: of 16 bytes; 1 and 2 as
// well) by one warp, in shared memory and then in global memory: what Nsight Compute counts of them
// is what PricingRules says of them (decision 0003). Each line of the output is four launches, a
// load and a store in shared memory and the same in global memory: the mask of the active lanes and
// the 32 elements. tests/model/agpu/wide_accesses_*.txt have the first 144 lines with, behind the
// mask, wavefronts and conflicts of the shared load and of the store
//   l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum
//   l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}.sum
// and, but for 64 bits, blocks and sectors of the global load and of the store
//   l1tex__t_set_accesses_pipe_lsu_mem_global_op_{ld,st}.sum
//   l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum
#include <cstdint>
#include <cstdio>
#include <random>
#include <string_view>

namespace {

constexpr int lanes = 32;
constexpr int shared_bytes = 16384;

struct Access {
  std::uint32_t mask = ~std::uint32_t{0};
  int element[lanes];
};

template <class Element>
__device__ bool is_never(const Element& value) {
  if constexpr (sizeof(Element) < 4) {
    return value == 77;
  } else {
    return value.x == ~0U;
  }
}

template <class Element>
__global__ void load(const int* element, std::uint32_t mask, Element* out) {
  extern __shared__ uint4 memory[];
  const auto* const elements = reinterpret_cast<const Element*>(memory);
  if ((mask >> threadIdx.x & 1) != 0) out[threadIdx.x] = elements[element[threadIdx.x]];
}

template <class Element>
__global__ void store(const int* element, std::uint32_t mask, Element value) {
  extern __shared__ uint4 memory[];
  auto* const elements = reinterpret_cast<Element*>(memory);
  if ((mask >> threadIdx.x & 1) != 0) elements[element[threadIdx.x]] = value;
  // Read by another warp, if there were one: the store stays.
  __syncthreads();
  if (threadIdx.x == lanes) elements[0] = elements[element[0]];
}

template <class Element>
__global__ void load_global(const __grid_constant__ Access access, Element* memory) {
  if ((access.mask >> threadIdx.x & 1) == 0) return;
  const Element value = memory[access.element[threadIdx.x]];
  if (is_never(value)) memory[0] = value;  // the load stays
}

template <class Element>
__global__ void store_global(const __grid_constant__ Access access, Element* memory,
                             Element value) {
  if ((access.mask >> threadIdx.x & 1) != 0) memory[access.element[threadIdx.x]] = value;
}

/// 18 kinds of accesses in turn, random within each.
Access access(int number, std::mt19937& random) {
  constexpr std::uint32_t even_lanes = 0x55555555;
  const int kind = number % 18;
  const int ranges[] = {2, 4, 16, 32, 64, 500};
  const unsigned range = static_cast<unsigned>(ranges[random() % 6]);
  int any[2 * lanes];
  for (int& element : any) element = static_cast<int>(random() % range);
  const int stride = static_cast<int>(1 + random() % 16);
  const auto some = static_cast<std::uint32_t>(random());
  Access a;
  if (kind == 4) a.mask = (some & even_lanes) * 3;  // whole pairs
  if (kind == 6) a.mask = even_lanes;
  if (kind == 15) a.mask = some & even_lanes;
  if (kind == 5 || kind == 8 || kind == 11 || kind == 16) a.mask = some;
  for (int l = 0; l < lanes; ++l) {
    const int pair = l >> 1;
    const int of_kind[] = {pair * stride,
                           any[pair],
                           any[l & ~2],
                           any[l & 15],
                           any[pair],
                           any[pair],
                           any[l],
                           any[l],
                           l,
                           any[pair] + (l == stride ? 1 : 0),
                           any[l & ~4],
                           any[0],
                           any[l >> 4],
                           any[l >> 2],
                           any[l < 16 ? l & ~1 : l & ~2],
                           any[l],
                           any[l & ~2],
                           (l & 1) * stride + (l >> 2) * 2 * stride};
    a.element[l] = of_kind[kind];
  }
  return a;
}

template <class Element>
void run(Element value) {
  std::mt19937 random(7);
  int* elements = nullptr;
  Element* out = nullptr;
  cudaMalloc(&elements, lanes * sizeof(int));
  cudaMalloc(&out, lanes * sizeof(Element));
  Element* memory = nullptr;
  cudaMalloc(&memory, shared_bytes);
  cudaMemset(memory, 0, shared_bytes);
  for (int number = 0; number < 288; ++number) {
    const Access a = access(number, random);
    cudaMemcpy(elements, a.element, sizeof a.element, cudaMemcpyHostToDevice);
    load<Element><<<1, lanes, shared_bytes>>>(elements, a.mask, out);
    store<Element><<<1, lanes, shared_bytes>>>(elements, a.mask, value);
    load_global<Element><<<1, lanes>>>(a, memory);
    store_global<Element><<<1, lanes>>>(a, memory, value);
    std::printf("%08x", a.mask);
    for (const int element : a.element) std::printf(" %d", element);
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view bytes = count > 1 ? arguments[1] : "8";
  if (bytes == "1") run(std::uint8_t{1});
  if (bytes == "2") run(std::uint16_t{1});
  if (bytes == "8") run(uint2{1, 2});
  if (bytes == "16") run(uint4{1, 2, 3, 4});
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 6;
}
