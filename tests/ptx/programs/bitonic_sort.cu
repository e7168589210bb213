#ifndef HOST

// run: grid=2 block=128 shared=0 args=in:u32:512:random,out:u32:512:zeros
extern "C" __global__ void bitonic_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[256];
  const unsigned t = threadIdx.x;
  const unsigned first = blockIdx.x * 256;
  keys[t] = in[first + t];
  keys[t + 128] = in[first + t + 128];
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (stride - 1));
      const unsigned a = keys[low], b = keys[low + stride];
      if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[low + stride] = a;
      }
    }
  }
  __syncthreads();
  out[first + t] = keys[t];
  out[first + t + 128] = keys[t + 128];
}

#else

void bitonic_sort_reference(const unsigned* in, unsigned* out) {
  std::copy(in, in + 512, out);
  std::sort(out, out + 256);
  std::sort(out + 256, out + 512);
}

#endif
