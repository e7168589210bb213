// Global memory: which elements CTAs share, read-only reads, what nobody has written.
#include "agpusim/tests/memory_model/idiom.cuh"

IDIOM(stencil_in_place, 2, 64, race_in_global) {
  const unsigned i = 64 * cta + t;
  const unsigned sum = in[i] + in[i + 1];
  __syncthreads();
  (right ? out : in)[i] = sum;
}

IDIOM(neighbour_of_another_cta, 2, 64, race_in_global) {
  const unsigned i = 64 * cta + t;
  out[i] = in[i];
  __syncthreads();
  out[128 + i] = out[right ? i ^ 1 : i ^ 64];
}

IDIOM(syncthreads_does_not_order_ctas, 4, 32, race_in_global) {
  if (cta == 0) out[t] = in[t];
  __syncthreads();
  if (right ? cta == 0 : cta == 3) out[32 + t] = out[31 - t];
}

IDIOM(grid_stride_loop, 4, 32, race_in_global) {
  const unsigned stride = right ? 128 : 96;
  for (unsigned i = 32 * cta + t; i < 512; i += stride) out[i] = in[i] + cta;
}

IDIOM(pairs_overlap, 2, 32, race_in_global) {
  const unsigned i = 32 * cta + t;
  out[right ? 2 * i : i] = in[i];
  out[right ? 2 * i + 1 : i + 1] = in[i] + 5;
}

IDIOM(chunks_of_ctas, 4, 64, race_in_global) {
  const unsigned chunk = right ? 64 : 63;
  out[chunk * cta + t] = in[t] + cta;
}

IDIOM(tail_by_vectors, 2, 32, race_in_global) {
  if (cta == 0) reinterpret_cast<uint4*>(out)[t] = {t, t, t, t};
  if (cta == 1) out[(right ? 128 : 124) + t] = t + 200;
}

IDIOM(vector_reads_neighbour, 2, 32, race_in_global) {
  if (cta == 0) out[t] = in[t] + 1;
  if (cta == 1 && t == 0) out[64] = reinterpret_cast<uint2*>(out)[right ? 16 : 15].x;
}

IDIOM(bytes_of_ctas, 4, 32, race_in_global) {
  auto* const bytes = reinterpret_cast<unsigned char*>(out);
  if (right) bytes[4 * t + cta] = static_cast<unsigned char>(in[t]);
  if (!right) out[t] |= in[t] << 8 * cta;
}

IDIOM(half_words_of_ctas, 2, 32, race_in_global) {
  auto* const halves = reinterpret_cast<unsigned short*>(out);
  if (right) halves[2 * t + cta] = static_cast<unsigned short>(in[t]);
  if (!right) out[t] = (out[t] & 0xffffu << 16 * (1 - cta)) | in[t] << 16 * cta;
}

IDIOM(read_only_load, 1, 64, race_or_read_only) {
  out[t] = in[t];
  __syncthreads();
  out[64 + t] = right ? out[63 - t] : __ldg(&out[63 - t]);
}

RIGHT(read_only_load_of_input, 2, 64) { out[64 * cta + t] = __ldg(&in[t]) + __ldg(&in[63 - t]); }

IDIOM(read_before_write, 1, 64, unwritten_global) {
  if (right) fresh[t] = in[t];
  out[t] = fresh[t];
}

IDIOM(accumulates_into_fresh_memory, 1, 64, unwritten_global) {
  if (right) fresh[t] = 0;
  for (unsigned k = 0; k < 3; ++k) fresh[t] += in[k];
}

struct Pair {
  bool is_set;
  long long value;
};

IDIOM(structure_with_padding, 1, 64, unwritten_global) {
  auto* const pairs = reinterpret_cast<Pair*>(fresh);
  pairs[t].is_set = true;
  if (right) pairs[t].value = t;
  __syncthreads();
  reinterpret_cast<Pair*>(out)[t] = pairs[63 - t];
}

IDIOM(structure_in_shared, 1, 64, unwritten_shared) {
  __shared__ Pair pairs[64];
  pairs[t].is_set = true;
  if (right) pairs[t].value = t;
  __syncthreads();
  reinterpret_cast<Pair*>(out)[t] = pairs[63 - t];
}

IDIOM(members_of_threads, 2, 32, race_in_global) {
  auto* const pairs = reinterpret_cast<Pair*>(out);
  if (cta == 0) pairs[t].is_set = true;
  if (cta == 1 && right) pairs[t].value = t;
  if (cta == 1 && !right) pairs[t] = {false, t};
}

IDIOM(transpose_of_tiles, 4, 64, race_in_global) {
  const unsigned x = 8 * (cta % 2) + t % 8, y = 8 * (cta / 2) + t / 8;
  (right ? out : in)[16 * x + y] = in[16 * y + x];
}

RIGHT(own_element_again, 2, 64) {
  unsigned* const mine = out + 64 * cta + t;
  for (unsigned k = 0; k < 3; ++k) *mine += in[k];
}

RIGHT(flags_of_a_search, 4, 64) {
  const unsigned i = 64 * cta + t;
  if (in[i] % 7 == 0) out[in[i] % 32] = 1;
  if (in[i] % 5 == 0) flag[0] = 1;
}

IDIOM(level_of_a_search, 4, 64, race_in_global) {
  const unsigned i = 64 * cta + t;
  out[i % 32] = right ? 3 : 3 + cta;
}

IDIOM(more_ctas_than_16_bits_count, 65537, 32, race_in_global) {
  if (t == 0 && cta % 65536 == 0) out[right ? cta / 65536 : 0] = cta + 1;
}

RIGHT(one_thread_alone, 1, 1) {
  for (unsigned k = 0; k < 8; ++k) out[in[k] % 3] += k;
}

RIGHT(last_warp_of_one_lane, 1, 33) {
  if (t < 32) return;
  for (unsigned k = 0; k < 8; ++k) out[in[k] % 3] += k;
}
