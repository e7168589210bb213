// 8 x 8 elements of 16 bits: row and column of a lane's elements are those of PTX ISA 9.0, 9.7.14.5.
#ifndef HOST

#include <cuda_fp16.h>

using Address = unsigned;
__device__ Address address_of(const void* at) {
  return static_cast<Address>(__cvta_generic_to_shared(at));
}

#define FOUR(sign, r) sign(r[0]), sign(r[1]), sign(r[2]), sign(r[3])

// Each of five tiles of 16 x 16 is transposed, each by other instructions.
__device__ void transpose(const unsigned short* in, unsigned short* out) {
  __shared__ __align__(16) unsigned short from[16][24];
  __shared__ __align__(16) unsigned short to[16][24];
  const unsigned lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
  const auto begin = [&](int tile) {
    for (unsigned i = lane; i < 256; i += 32) from[i / 16][i % 16] = in[256 * tile + i];
    __syncwarp();
  };
  const auto end = [&](int tile) {
    __syncwarp();
    for (unsigned i = lane; i < 256; i += 32) out[256 * tile + i] = to[i / 16][i % 16];
    __syncwarp();
  };
  // Matrix j lies at row 8 (j % 2) and column 8 (j / 2); lanes 8 j to 8 j + 7 name its rows.
  const Address source = address_of(&from[lane % 16][lane / 16 * 8]);
  const Address target = address_of(&to[lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8]);
  const auto put =
      [&](unsigned* registers) {  // matrix j to its transposed place, element by element
        for (unsigned j = 0; j < 4; ++j) {
          for (unsigned i = 0; i < 2; ++i) {
            to[j / 2 * 8 + row][j % 2 * 8 + column + i] = registers[j] >> 16 * i;
          }
        }
      };
  unsigned r[4];

  begin(0);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : FOUR("=r", r)
               : "r"(source));
  put(r);
  end(0);

  begin(1);
  for (unsigned j = 0; j < 4; ++j) {
    const unsigned short* const at = &from[j % 2 * 8 + row][j / 2 * 8 + column];
    r[j] = at[0] | at[1] << 16;
  }
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%4], {%0,%1,%2,%3};" ::FOUR("r", r),
               "r"(target)
               : "memory");
  end(1);

  begin(2);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : FOUR("=r", r)
               : "r"(source));
  for (unsigned j = 0; j < 4; ++j) {
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[j]));
  }
  put(r);
  end(2);

  begin(3);
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(source));
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared::cta.b16 {%0,%1}, [%2+16];"
               : "=r"(r[2]), "=r"(r[3])
               : "r"(address_of(from[lane % 16])));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0,%1};" ::"r"(r[0]), "r"(r[1]),
               "r"(target)
               : "memory");
  asm volatile("stmatrix.sync.aligned.x2.m8n8.shared.b16 [%2], {%0,%1};" ::"r"(r[2]), "r"(r[3]),
               "r"(target + 384)
               : "memory");
  end(3);

  begin(4);
  for (unsigned j = 0; j < 4; ++j) {
    const Address tile = address_of(&from[lane % 8 + j % 2 * 8][j / 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[j]) : "r"(tile));
  }
  for (unsigned j = 0; j < 4; ++j) {
    const Address tile = address_of(&to[lane % 8 + j / 2 * 8][j % 2 * 8]);
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%1], {%0};" ::"r"(r[j]), "r"(tile)
                 : "memory");
  }
  end(4);
}

// A product of 16 x 32 and 32 x 8 elements, whose operands come through shared memory.
__device__ void product(float* out) {
  __shared__ __align__(16) half left[16][40];
  __shared__ __align__(16) half right[32][8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 512; i += 32) left[i / 32][i % 32] = int(i * 5 % 23) - 11;
  for (unsigned i = lane; i < 256; i += 32) right[i / 8][i % 8] = int(i * 7 % 19) - 9;
  __syncwarp();
  float c[4] = {};
  for (unsigned k = 0; k < 32; k += 16) {
    unsigned a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : FOUR("=r", a)
                 : "r"(address_of(&left[lane % 16][k + lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(address_of(right[k + lane % 16])));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : FOUR("+f", c)
        : FOUR("r", a), "r"(b[0]), "r"(b[1]));
  }
  for (unsigned i = 0; i < 4; ++i) {
    out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
  }
}

// run: grid=1 block=32 shared=0 args=in:u16:1280:random,out:u16:1280:zeros,products:f32:128:zeros
extern "C" __global__ void tensor_rows(const unsigned short* in, unsigned short* out,
                                       float* products) {
  transpose(in, out);
  product(products);
}

#else

void tensor_rows_reference(const std::uint16_t* in, std::uint16_t* out, float* products) {
  for (int tile = 0; tile < 1280; tile += 256) {
    for (int i = 0; i < 256; ++i) out[tile + i % 16 * 16 + i / 16] = in[tile + i];
  }
  for (int i = 0; i < 128; ++i) {
    int sum = 0;
    for (int k = 0; k < 32; ++k) {
      sum += ((32 * (i / 8) + k) * 5 % 23 - 11) * ((8 * k + i % 8) * 7 % 19 - 9);
    }
    products[i] = static_cast<float>(sum);
  }
}

#endif
