#ifndef HOST

// run: grid=1 block=64 shared=0 args=left:u32:64:random,right:u32:64:random,out:u32:1:zeros
extern "C" __global__ void edit_distance(const unsigned* left, const unsigned* right,
                                         unsigned* out) {
  __shared__ unsigned diagonals[3][65];
  const unsigned t = threadIdx.x;
  const unsigned letter = left[t] % 4;
  if (t == 0) diagonals[0][0] = 0;
  for (unsigned d = 1; d <= 128; ++d) {
    unsigned* now = diagonals[d % 3];
    const unsigned* last = diagonals[(d + 2) % 3];
    const unsigned* older = diagonals[(d + 1) % 3];
    __syncthreads();
    const unsigned i = t + 1;
    if (t == 0 && d <= 64) now[0] = d;
    if (d > i && d - i <= 64) {
      const unsigned change = older[i - 1] + (letter != right[d - i - 1] % 4);
      now[i] = min(change, min(last[i], last[i - 1]) + 1);
    } else if (d == i) {
      now[i] = i;
    }
  }
  if (t == 63) out[0] = diagonals[128 % 3][64];
}

#else

void edit_distance_reference(const unsigned* left, const unsigned* right, unsigned* out) {
  unsigned table[65][65];
  for (unsigned i = 0; i <= 64; ++i) {
    for (unsigned j = 0; j <= 64; ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      const unsigned change = table[i - 1][j - 1] + (left[i - 1] % 4 != right[j - 1] % 4);
      table[i][j] = std::min({change, table[i - 1][j] + 1, table[i][j - 1] + 1});
    }
  }
  out[0] = table[64][64];
}

#endif
