#pragma once

#include "attributes.h"

// The engine itself defines these. Headers of the standard library call them on the device.
extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);
__device__ void* malloc(__SIZE_TYPE__ bytes) noexcept;
__device__ void free(void* pointer) noexcept;
__device__ __attribute__((noreturn)) void __assertfail(const char* message, const char* file,
                                                       unsigned line, const char* function,
                                                       __SIZE_TYPE__ char_size);
/// assert() calls it.
__device__ __attribute__((noreturn, nodebug)) inline void __assert_fail(
    const char* message, const char* file, unsigned line, const char* function) noexcept {
  __assertfail(message, file, line, function, 1);
}
}
