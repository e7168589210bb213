// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void use_after_free_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned* list;
  const unsigned t = threadIdx.x;
  if (t == 0) list = static_cast<unsigned*>(malloc(64 * sizeof(unsigned)));
  __syncthreads();
  list[t] = 3 * in[t];
  __syncthreads();
  if (t == 0) free(list);
  __syncthreads();
  out[t] = list[63 - t];  // finding: freed
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void use_after_free_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned* list;
  const unsigned t = threadIdx.x;
  if (t == 0) list = static_cast<unsigned*>(malloc(64 * sizeof(unsigned)));
  __syncthreads();
  list[t] = 3 * in[t];
  __syncthreads();
  out[t] = list[63 - t];
  __syncthreads();
  if (t == 0) free(list);
}
