#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=2 block=64 shared=0 args=in:u32:100,out:u32:100:zeros,100
TWINS(tail_guard, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mended ? i < n : i <= n) out[i] = 2 * in[i];  // finding: out_of_bounds
}

// run: grid=2 block=64 shared=0 args=in:s32:128,out:s32:128:zeros,128
TWINS(stencil_left_edge, (const int* in, int* out, int n), (in, out, n)) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if ((!mended || i > 0) && i < n - 1)
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;  // finding: out_of_bounds
}

// run: grid=2 block=64 shared=0 args=in:f32:128,out:f32:128:zeros
TWINS(shared_halo_size, (const float* in, float* out), (in, out)) {
  __shared__ float tile[mended ? 65 : 64];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 64 + t;
  tile[t + 1] = in[i];  // finding: out_of_bounds
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  __syncthreads();
  out[i] = tile[t + 1] - tile[t];  // finding: out_of_bounds
}

// run: grid=1 block=64 shared=256 args=in:u32:128,out:u32:64:zeros
// mended: grid=1 block=64 shared=512 args=in:u32:128,out:u32:64:zeros
TWINS(dynamic_shared_size, (const unsigned* in, unsigned* out), (in, out)) {
  extern __shared__ unsigned storage[];
  unsigned* left = storage;
  unsigned* right = storage + blockDim.x;
  const unsigned t = threadIdx.x;
  left[t] = in[t];
  right[t] = in[t + 64];  // finding: out_of_bounds
  __syncthreads();
  out[t] = left[63 - t] + right[63 - t];  // finding: out_of_bounds
}

// run: grid=1 block=32 shared=0 args=heads:u64:32:zeros,out:u32:32:zeros
TWINS(null_list, (const unsigned long long* heads, unsigned* out), (heads, out)) {
  const unsigned i = threadIdx.x;
  const unsigned* list = reinterpret_cast<const unsigned*>(heads[i]);
  unsigned first = 0;
  if (!mended || list != nullptr) first = list[0];  // finding: out_of_bounds
  out[i] = first;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(local_digits, (const unsigned* in, unsigned* out), (in, out)) {
  unsigned char digits[mended ? 10 : 8];
  const unsigned i = threadIdx.x;
  unsigned rest = 4000000000u + in[i];
  unsigned count = 0;
  do {
    digits[count++] = static_cast<unsigned char>(rest % 10);  // finding: out_of_bounds
    rest /= 10;
  } while (rest != 0);
  unsigned reversed = 0;
  for (unsigned k = 0; k < count; ++k)
    reversed = 10 * reversed + digits[(k * 7 + in[i]) % count];  // finding: out_of_bounds
  out[i] = reversed;
}

// run: grid=3x1 block=16x16 shared=0 args=in:f32:768,out:f32:768:zeros,48,16
TWINS(transpose_pitch, (const float* in, float* out, unsigned width, unsigned height),
      (in, out, width, height)) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const float value = in[y * width + x];
    out[x * (mended ? height : width) + y] = value;  // finding: out_of_bounds
  }
}

// run: grid=2 block=128 shared=0 args=in:u32:256,bins:u32:64:zeros
TWINS(histogram_bin, (const unsigned* in, unsigned* bins), (in, bins)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bin = (in[i] + (mended ? 0 : 3)) / 4;
  atomicAdd(&bins[bin], 1u);  // finding: out_of_bounds
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(scan_left_neighbour, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[64];
  const int t = static_cast<int>(threadIdx.x);
  sums[t] = in[t];
  for (int k = 1; k < 64; k *= 2) {
    __syncthreads();
    unsigned left = 0;
    if (!mended || t >= k) left = sums[t - k];  // finding: out_of_bounds
    __syncthreads();
    sums[t] += left;
  }
  out[t] = sums[t];
}

// run: grid=1 block=32 shared=0 args=in:f32:126,out:f32:32:zeros,126
TWINS(vector_tail, (const float* in, float* out, unsigned n), (in, out, n)) {
  const unsigned i = threadIdx.x;
  if (4 * i + (mended ? 3 : 0) < n) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];  // finding: out_of_bounds
    out[i] = v.x + v.y + v.z + v.w;
  }
}

// Figure 2 of Kozakai 2022 (theory H7): the range has maxVal - minVal values.
// run: grid=2 block=64 shared=0 args=0,100,ap:s32:100,y:s32:100:zeros
TWINS(one_hp_tail, (int minVal, int maxVal, const int* Ap, int* y), (minVal, maxVal, Ap, y)) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mended ? i >= maxVal - minVal : i > maxVal - minVal) return;
  if (i == 0) {
    if (Ap[0]) y[0] = minVal;
  } else if (Ap[i - 1] != Ap[i]) {  // finding: out_of_bounds
    y[Ap[i - 1]] = minVal + i;
  }
}
