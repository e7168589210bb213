#include "agpusim/tests/ptx/defects/twins.cuh"

__constant__ unsigned weights[32] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23};

struct Settings {
  unsigned scale;
  unsigned offset;
};

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(write_constant, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  unsigned* target = mended ? out : weights;
  if (!mended) asm volatile("" : "+l"(target));
  target[t] = in[t] + 1;  // finding: read_only
  out[t] = in[t] * weights[t];
}

// run: grid=1 block=32 shared=0 args=21474836483,in:u32:32,out:u32:32:zeros
extern "C" __global__ void write_parameter_defect(const __grid_constant__ Settings settings,
                                                  const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned* scale = const_cast<unsigned*>(&settings.scale);
  asm volatile("" : "+l"(scale));
  *scale = settings.scale + t;  // finding: read_only
  out[t] = in[t] * *scale + settings.offset;
}

// run: grid=1 block=32 shared=0 args=21474836483,in:u32:32,out:u32:32:zeros
extern "C" __global__ void write_parameter_mended(const __grid_constant__ Settings settings,
                                                  const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned scratch = settings.scale;
  unsigned* scale = &scratch;
  *scale = settings.scale + t;
  out[t] = in[t] * *scale + settings.offset;
}
