// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void scatter_defect(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[in[i] % 8] = i;  // finding: write_conflict
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void scatter_mended(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[in[i] % 32] = i;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
extern "C" __global__ void shared_winner_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned winner;
  const unsigned t = threadIdx.x;
  if (t == 0) winner = 0;
  __syncwarp();
  const unsigned votes = __ballot_sync(0xffffffffu, in[t] % 5 == 3);
  if (votes >> t & 1) winner = t;  // finding: write_conflict
  __syncwarp();
  if (t == 0) out[0] = winner;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
extern "C" __global__ void shared_winner_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned winner;
  const unsigned t = threadIdx.x;
  if (t == 0) winner = 0;
  __syncwarp();
  const unsigned votes = __ballot_sync(0xffffffffu, in[t] % 5 == 3);
  if (t == __ffs(votes) - 1) winner = t;
  __syncwarp();
  if (t == 0) out[0] = winner;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,found:u32:1:zeros,20
extern "C" __global__ void search_result_defect(const unsigned* in, unsigned* found,
                                                unsigned limit) {
  const unsigned i = threadIdx.x;
  if (in[i] > limit) found[0] = i;  // finding: write_conflict
}

// run: grid=1 block=32 shared=0 args=in:u32:32,found:u32:1:zeros,20
extern "C" __global__ void search_result_mended(const unsigned* in, unsigned* found,
                                                unsigned limit) {
  const unsigned i = threadIdx.x;
  if (in[i] > limit) atomicMax(found, i);
}

// run: grid=1 block=8x4 shared=0 args=in:f32:32,out:f32:32:zeros,8
extern "C" __global__ void row_of_matrix_defect(const float* in, float* out, unsigned width) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned i = x * 4;
  out[i] = in[y * width + x];  // finding: write_conflict
}

// run: grid=1 block=8x4 shared=0 args=in:f32:32,out:f32:32:zeros,8
extern "C" __global__ void row_of_matrix_mended(const float* in, float* out, unsigned width) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned i = x * 4 + y;
  out[i] = in[y * width + x];
}
