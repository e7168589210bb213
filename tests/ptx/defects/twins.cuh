// How a defect and its mended twin are written down once, which corpus.cpp reads in the sources:
//   // run: ...                          says how both kernels are launched,
//   // mended: ...                       and, behind it, how the mended one is, if otherwise;
//   TWINS(name, parameters, arguments)   makes name_defect, and name_mended where `mended` is true.
// The findings that the body names are those of the defect.
#pragma once

#define TWINS_BODY(name, parameters) \
  template <bool mended>             \
  __device__ __forceinline__ void name parameters
#define TWINS(name, parameters, arguments)                                       \
  TWINS_BODY(name, parameters);                                                  \
  extern "C" __global__ void name##_defect parameters { name<false> arguments; } \
  extern "C" __global__ void name##_mended parameters { name<true> arguments; }  \
  TWINS_BODY(name, parameters)
