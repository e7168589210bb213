// Loads and stores of 64-bit elements in shared memory by one warp: what Nsight Compute counts of
// them is what PricingRules::shared says of them (decision 0003). Each line of the output is one
// load and one store: the mask of the active lanes and the 32 elements. Under
//   ncu --csv --page raw --metrics
//     l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,
//     l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum, ..._op_st.sum (the same of both)
// the launches come in the order of the lines. tests/model/agpu/wide_accesses_h100.txt has the
// first 144 lines with the wavefronts and conflicts of the load, then of the store, behind the
// mask.
#include <cstdint>
#include <cstdio>
#include <random>

namespace {

constexpr int lanes = 32;
constexpr int shared_bytes = 8192;

__global__ void load(const int* element, std::uint32_t mask, std::uint64_t* out) {
  extern __shared__ volatile std::uint64_t memory[];
  if ((mask >> threadIdx.x & 1) != 0) out[threadIdx.x] = memory[element[threadIdx.x]];
}

__global__ void store(const int* element, std::uint32_t mask, std::uint64_t value) {
  extern __shared__ volatile std::uint64_t memory[];
  if ((mask >> threadIdx.x & 1) != 0) memory[element[threadIdx.x]] = value;
}

struct Access {
  std::uint32_t mask = ~std::uint32_t{0};
  int element[lanes];
};

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

}  // namespace

int main() {
  std::mt19937 random(7);
  int* elements = nullptr;
  std::uint64_t* out = nullptr;
  cudaMalloc(&elements, lanes * sizeof(int));
  cudaMalloc(&out, lanes * sizeof(std::uint64_t));
  for (int number = 0; number < 288; ++number) {
    const Access a = access(number, random);
    cudaMemcpy(elements, a.element, sizeof a.element, cudaMemcpyHostToDevice);
    load<<<1, lanes, shared_bytes>>>(elements, a.mask, out);
    store<<<1, lanes, shared_bytes>>>(elements, a.mask, static_cast<std::uint64_t>(number));
    std::printf("%08x", a.mask);
    for (const int element : a.element) std::printf(" %d", element);
    std::printf("\n");
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 6;
}
