#ifndef HOST

// run: grid=2 block=64 shared=0 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void local_arrays(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned stack[16], counts[8] = {};
  unsigned depth = 0, x = in[i], sum = 0;
  for (unsigned k = 0; k < 16; ++k, x = x * 1664525u + 1013904223u) {
    if ((x >> 28) < 11)
      stack[depth++] = x >> 8;
    else if (depth > 0)
      sum = 5 * sum + stack[--depth];
    ++counts[x >> 29];
  }
  while (depth > 0) sum = 7 * sum + stack[--depth];
  for (unsigned k = 0; k < 8; ++k) sum += counts[(k + in[i]) % 8] * k * k;
  out[i] = sum;
}

#else

void local_arrays_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    std::vector<unsigned> stack;
    unsigned counts[8] = {};
    unsigned x = in[i], sum = 0;
    for (unsigned k = 0; k < 16; ++k) {
      if (x / (1u << 28) < 11) {
        stack.push_back(x / 256);
      } else if (!stack.empty()) {
        sum = 5 * sum + stack.back();
        stack.pop_back();
      }
      ++counts[x / (1u << 29)];
      x = x * 1664525u + 1013904223u;
    }
    for (; !stack.empty(); stack.pop_back()) sum = 7 * sum + stack.back();
    for (unsigned k = 0; k < 8; ++k) sum += counts[(k + in[i]) % 8] * k * k;
    out[i] = sum;
  }
}

#endif
