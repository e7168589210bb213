#pragma once

#include "intrinsics.h"

// Atomic functions of whole numbers are the compiler's, which knows the state space. Those of a
// scope are instructions.

#define AGPUSIM_ATOMIC(name, T, function)                    \
  AGPUSIM_DEVICE T atomic##name(T* at, T value) {            \
    return __atomic_##function(at, value, __ATOMIC_RELAXED); \
  }
#define AGPUSIM_ATOMICS(T)                                                                       \
  AGPUSIM_ATOMIC(Add, T, fetch_add)                                                              \
  AGPUSIM_ATOMIC(Sub, T, fetch_sub)                                                              \
  AGPUSIM_ATOMIC(Min, T, fetch_min)                                                              \
  AGPUSIM_ATOMIC(Max, T, fetch_max)                                                              \
  AGPUSIM_ATOMIC(And, T, fetch_and)                                                              \
  AGPUSIM_ATOMIC(Or, T, fetch_or)                                                                \
  AGPUSIM_ATOMIC(Xor, T, fetch_xor)                                                              \
  AGPUSIM_ATOMIC(Exch, T, exchange_n)                                                            \
  AGPUSIM_DEVICE T atomicCAS(T* at, T compare, T value) {                                        \
    __atomic_compare_exchange_n(at, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                              \
  }
AGPUSIM_INTEGERS(AGPUSIM_ATOMICS)
AGPUSIM_DEVICE float atomicAdd(float* at, float value) { return __nvvm_atom_add_gen_f(at, value); }
AGPUSIM_DEVICE double atomicAdd(double* at, double value) {
  return __nvvm_atom_add_gen_d(at, value);
}
AGPUSIM_DEVICE float atomicExch(float* at, float value) {
  return __builtin_bit_cast(float, atomicExch((int*)at, __builtin_bit_cast(int, value)));
}
AGPUSIM_DEVICE unsigned atomicInc(unsigned* at, unsigned most) {
  return __nvvm_atom_inc_gen_ui(at, most);
}
AGPUSIM_DEVICE unsigned atomicDec(unsigned* at, unsigned most) {
  return __nvvm_atom_dec_gen_ui(at, most);
}
AGPUSIM_DEVICE unsigned short atomicCAS(unsigned short* at, unsigned short compare,
                                        unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(at), "h"(compare), "h"(value)
               : "memory");
  return old;
}

#define AGPUSIM_SCOPED_AS(name, T, op, scope, in_ptx, letter) \
  AGPUSIM_DEVICE T atomic##name##_##scope(T* at, T value) {   \
    T old;                                                    \
    asm volatile("atom." in_ptx "." op " %0, [%1], %2;"       \
                 : "=" letter(old)                            \
                 : "l"(at), letter(value)                     \
                 : "memory");                                 \
    return old;                                               \
  }
/// One is for the CTA, one for the whole system.
#define AGPUSIM_SCOPED(name, T, op, letter)            \
  AGPUSIM_SCOPED_AS(name, T, op, block, "cta", letter) \
  AGPUSIM_SCOPED_AS(name, T, op, system, "sys", letter)
#define AGPUSIM_COMPARED_AS(T, bits, scope, in_ptx, letter)       \
  AGPUSIM_DEVICE T atomicCAS_##scope(T* at, T compare, T value) { \
    T old;                                                        \
    asm volatile("atom." in_ptx ".cas." bits " %0, [%1], %2, %3;" \
                 : "=" letter(old)                                \
                 : "l"(at), letter(compare), letter(value)        \
                 : "memory");                                     \
    return old;                                                   \
  }
#define AGPUSIM_OF_SCOPES(T, sum, kind, bits, letter) \
  AGPUSIM_SCOPED(Add, T, "add." sum, letter)          \
  AGPUSIM_SCOPED(Min, T, "min." kind, letter)         \
  AGPUSIM_SCOPED(Max, T, "max." kind, letter)         \
  AGPUSIM_SCOPED(And, T, "and." bits, letter)         \
  AGPUSIM_SCOPED(Or, T, "or." bits, letter)           \
  AGPUSIM_SCOPED(Xor, T, "xor." bits, letter)         \
  AGPUSIM_SCOPED(Exch, T, "exch." bits, letter)       \
  AGPUSIM_COMPARED_AS(T, bits, block, "cta", letter)  \
  AGPUSIM_COMPARED_AS(T, bits, system, "sys", letter)
AGPUSIM_OF_SCOPES(int, "s32", "s32", "b32", "r")
AGPUSIM_OF_SCOPES(unsigned, "u32", "u32", "b32", "r")
AGPUSIM_OF_SCOPES(long long, "u64", "s64", "b64", "l")
AGPUSIM_OF_SCOPES(unsigned long long, "u64", "u64", "b64", "l")
AGPUSIM_SCOPED(Add, float, "add.f32", "f")
AGPUSIM_SCOPED(Add, double, "add.f64", "d")
AGPUSIM_SCOPED(Inc, unsigned, "inc.u32", "r")
AGPUSIM_SCOPED(Dec, unsigned, "dec.u32", "r")
