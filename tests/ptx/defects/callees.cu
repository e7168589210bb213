#include "agpusim/tests/ptx/defects/twins.cuh"

namespace {

using Operation = unsigned (*)(unsigned);

__device__ __noinline__ unsigned twice(unsigned value) { return 2 * value; }
__device__ Operation operations[2] = {twice, nullptr};

}  // namespace

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(call_of_nothing, (unsigned* out), (out)) {
  const unsigned t = threadIdx.x;
  const Operation operation = operations[t / 31];
  out[t] = !mended || operation != nullptr ? operation(t) : t;  // finding: out_of_bounds
}
