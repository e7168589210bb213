#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:f32:64,out:f32:512:zeros
// tolerance: 1e-6 relative
extern "C" __global__ void math_functions(const float* in, float* out) {
  const unsigned t = threadIdx.x;
  const float x = in[t] * 0.13f + 0.2f;
  float* o = out + t;
  o[0] = expf(x);
  o[64] = logf(x + 1.5f);
  o[128] = sinf(x) + 2.0f;
  o[192] = cosf(3.0f * x) + 2.0f;
  o[256] = powf(x, 1.7f);
  o[320] = tanhf(x);
  o[384] = rsqrtf(x);
  o[448] = cbrtf(x) + atan2f(x, 2.0f);
}

#else

void math_functions_reference(const float* in, float* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const float x = in[t] * 0.13f + 0.2f;
    float* o = out + t;
    o[0] = static_cast<float>(std::exp(static_cast<double>(x)));
    o[64] = static_cast<float>(std::log(static_cast<double>(x + 1.5f)));
    o[128] = static_cast<float>(std::sin(static_cast<double>(x)) + 2.0);
    o[192] = static_cast<float>(std::cos(static_cast<double>(3.0f * x)) + 2.0);
    o[256] = static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(1.7f)));
    o[320] = static_cast<float>(std::tanh(static_cast<double>(x)));
    o[384] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
    o[448] = static_cast<float>(std::cbrt(static_cast<double>(x)) +
                                std::atan2(static_cast<double>(x), 2.0));
  }
}

#endif
