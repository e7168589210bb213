#ifndef HOST

namespace {

struct Step {
  __device__ virtual ~Step() {}
  __device__ virtual unsigned apply(unsigned value) const = 0;
};
struct Add : Step {
  __device__ explicit Add(unsigned by) : by_(by) {}
  __device__ unsigned apply(unsigned value) const override { return value + by_; }
  unsigned by_;
};
struct Multiply : Step {
  __device__ Multiply(unsigned by, const Step* next) : by_(by), next_(next) {}
  __device__ unsigned apply(unsigned value) const override { return next_->apply(by_ * value); }
  unsigned by_;
  const Step* next_;
};

}  // namespace

// Objects whose class the lanes do not have in common.
// run: grid=2 block=32 shared=0 args=in:u32:64:random,out:u32:64:zeros
extern "C" __global__ void virtual_calls(const unsigned* in, unsigned* out) {
  const unsigned i = 32 * blockIdx.x + threadIdx.x;
  const Step* last = new Add(i);
  const Step* first = in[i] % 3 == 0 ? new Multiply(in[i], last) : last;
  out[i] = first->apply(in[i] + 1);
  if (first != last) delete first;
  delete last;
}

#else

void virtual_calls_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 64; ++i) out[i] = (in[i] + 1) * (in[i] % 3 == 0 ? in[i] : 1) + i;
}

#endif
