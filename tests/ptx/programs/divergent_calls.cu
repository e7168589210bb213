#ifndef HOST

__device__ __noinline__ unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__device__ __noinline__ unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (; exponent != 0; exponent /= 2, base *= base)
    if (exponent % 2) result *= base;
  return result;
}

__device__ __noinline__ unsigned mix(unsigned a, unsigned b) {
  return a % 2 ? gcd(a, b) + 1 : power(a, b % 16);
}

// run: grid=1 block=96 shared=0 args=in:u32:96:random,out:u32:96:zeros
extern "C" __global__ void divergent_calls(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned x = in[i];
  unsigned result;
  if (x % 4 == 0)
    result = gcd(x, 360360);
  else if (x % 4 == 1)
    result = power(x, 13);
  else
    result = mix(x / 4, i);
  out[i] = result;
}

#else

unsigned host_gcd(unsigned a, unsigned b) { return b == 0 ? a : host_gcd(b, a % b); }

unsigned host_power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (unsigned k = 0; k < exponent; ++k) result *= base;
  return result;
}

void divergent_calls_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 96; ++i) {
    const unsigned x = in[i];
    const unsigned y = x / 4;
    if (x % 4 == 0)
      out[i] = host_gcd(x, 360360);
    else if (x % 4 == 1)
      out[i] = host_power(x, 13);
    else
      out[i] = y % 2 ? host_gcd(y, i) + 1 : host_power(y, i % 16);
  }
}

#endif
