namespace {

using Operation = unsigned (*)(unsigned);

__device__ __noinline__ unsigned twice(unsigned value) { return 2 * value; }
__device__ Operation operations[2] = {twice, nullptr};

}  // namespace

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void call_of_nothing_defect(unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = operations[t / 31](t);  // finding: out_of_bounds
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void call_of_nothing_mended(unsigned* out) {
  const unsigned t = threadIdx.x;
  const Operation operation = operations[t / 31];
  out[t] = operation != nullptr ? operation(t) : t;
}
