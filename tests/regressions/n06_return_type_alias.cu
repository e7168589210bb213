// rapidsai/cudf#17622: type alias.
#include "agpusim/tests/regressions/pair.cuh"
using hash_value_type = uint32_t;
template <class Key>
struct Murmur {
  using result_type = hash_value_type;
  __device__ result_type operator()(const Key& key) const;
};
#if AFTER
template <>
__device__ inline Murmur<int>::result_type Murmur<int>::operator()(const int& key) const {
#else
template <>
__device__ inline hash_value_type Murmur<int>::operator()(const int& key) const {
#endif
  uint32_t h = static_cast<uint32_t>(key) * 0xcc9e2d51u;
  h = (h << 15 | h >> 17) * 0x1b873593u;
  return (h ^ h >> 16) * 0x85ebca6bu;
}
__global__ void murmur_hash(const int* keys, uint32_t* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Murmur<int>{}(keys[i]);
}
int main() {
  uint32_t* out = device_array<uint32_t>(1 << 14, 1);
  murmur_hash<<<64, 256>>>(device_array<int>(1 << 14), out);
  result(out, 1 << 14);
}
