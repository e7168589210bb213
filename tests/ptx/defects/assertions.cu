#include <cassert>

#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
TWINS(value_range, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] < (mended ? 128 : 100));  // finding: assertion
  out[i] = in[i] + 1;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(trap_on_code, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned i = threadIdx.x;
  const unsigned code = in[i] % 8;
  if (mended && code == 7) return;
  if (code == 7) __trap();  // finding: trap
  out[i] = 1u << code;
}

// run: grid=1 block=96 shared=0 args=in:u32:96,out:u32:96:zeros
// mended: grid=1 block=64 shared=0 args=in:u32:96,out:u32:96:zeros
TWINS(block_shape, (const unsigned* in, unsigned* out), (in, out)) {
  assert((blockDim.x & (blockDim.x - 1)) == 0);  // finding: assertion
  const unsigned t = threadIdx.x;
  out[t] = in[t ^ 1];
}
