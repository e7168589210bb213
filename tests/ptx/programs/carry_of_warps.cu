#ifndef HOST

// Warp 1 announces, the last warp writes the final value when its predecessor has: only time orders the two.
// run: grid=8 block=512 shared=0 args=carry:s32:8:zeros,out:s32:8:zeros,1
extern "C" __global__ void carry_of_warps(volatile int* carry, int* out, int value) {
  const int chunk = blockIdx.x;
  __syncthreads();
  if (chunk == 0) {
    if (threadIdx.x == 32) carry[0] = value;
  } else {
    if (threadIdx.x == 32) carry[chunk] = -value;
    if (threadIdx.x >= blockDim.x - 32) {
      int before;
      do {
        before = carry[chunk - 1];
      } while (__any_sync(~0u, before <= 0));
      if (threadIdx.x % 32 == 0) carry[chunk] = before + value;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[chunk] = carry[chunk];
}

#else

void carry_of_warps_reference(int* carry, int* out) {
  for (int i = 0; i < 8; ++i) carry[i] = out[i] = i + 1;
}

#endif
