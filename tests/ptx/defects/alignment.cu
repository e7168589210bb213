#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=in:f32:132,out:f32:32:zeros
TWINS(vector_offset, (const float* in, float* out), (in, out)) {
  const unsigned i = threadIdx.x;
  const float* first = in + 4 * i + (mended ? 4 : 1);
  const float4 v = *reinterpret_cast<const float4*>(first);  // finding: misaligned
  out[i] = v.x + v.y + v.z + v.w;
}

// run: grid=1 block=32 shared=0 args=in:u8:256:random,out:u32:32:zeros
TWINS(packed_records, (const unsigned char* in, unsigned* out), (in, out)) {
  const unsigned i = threadIdx.x;
  const unsigned char* record = in + (mended ? 8 : 5) * i;
  out[i] = *reinterpret_cast<const unsigned*>(record);  // finding: misaligned
}

// run: grid=1 block=32 shared=512 args=in:f64:32,out:f64:32:zeros
TWINS(shared_carving, (const double* in, double* out), (in, out)) {
  extern __shared__ double storage[];
  unsigned char* flags = reinterpret_cast<unsigned char*>(storage);
  double* values = reinterpret_cast<double*>(flags + blockDim.x + (mended ? 8 : 4));
  const unsigned t = threadIdx.x;
  flags[t] = in[t] > 15.0;
  values[t] = in[t];  // finding: misaligned
  __syncthreads();
  out[t] = flags[31 - t] ? values[31 - t] : 0.0;  // finding: misaligned
}
