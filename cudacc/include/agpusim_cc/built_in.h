#pragma once

// Here are the variables of a thread, barriers, fences, clocks and state spaces.

/// The members of the variable are special registers.
#define AGPUSIM_MEMBER(name, read)                      \
  __declspec(property(get = get_##name)) unsigned name; \
  AGPUSIM_METHOD unsigned get_##name() const { return read; }
#define AGPUSIM_SPECIAL(variable, T, sreg)                                     \
  struct agpusim_##variable {                                                  \
    AGPUSIM_MEMBER(x, __nvvm_read_ptx_sreg_##sreg##_x())                       \
    AGPUSIM_MEMBER(y, __nvvm_read_ptx_sreg_##sreg##_y())                       \
    AGPUSIM_MEMBER(z, __nvvm_read_ptx_sreg_##sreg##_z())                       \
    AGPUSIM_METHOD operator T() const { return T{get_x(), get_y(), get_z()}; } \
  };                                                                           \
  extern const __attribute__((device, weak)) agpusim_##variable variable;
AGPUSIM_SPECIAL(threadIdx, uint3, tid)
AGPUSIM_SPECIAL(blockIdx, uint3, ctaid)
AGPUSIM_SPECIAL(blockDim, dim3, ntid)
AGPUSIM_SPECIAL(gridDim, dim3, nctaid)
static constexpr int warpSize = 32;

AGPUSIM_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
AGPUSIM_DEVICE void* memset(void* to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}

// Barriers are asm statements, since clang 14 moves loads of shared variables across its own. Two
// of them stay two: programs wait at different ones.
#define AGPUSIM_WAIT(name, parameters, text, ...)          \
  AGPUSIM_DEVICE void name parameters {                    \
    [[clang::nomerge]] { asm volatile(text __VA_ARGS__); } \
  }
AGPUSIM_WAIT(agpusim_syncthreads, (), "bar.sync 0;", ::: "memory")
AGPUSIM_WAIT(__syncwarp, (unsigned mask = 0xffffffff), "bar.warp.sync %0;", ::"r"(mask) : "memory")
AGPUSIM_WAIT(__threadfence_block, (), "membar.cta;", ::: "memory")
AGPUSIM_WAIT(__threadfence, (), "membar.gl;", ::: "memory")
AGPUSIM_WAIT(__threadfence_system, (), "membar.sys;", ::: "memory")
// The compiler knows a function of this name.
#define __syncthreads() agpusim_syncthreads()
#define AGPUSIM_JOINT(name, text)                                                \
  AGPUSIM_DEVICE int __syncthreads_##name(int is) {                              \
    int all;                                                                     \
    [[clang::nomerge]] {                                                         \
      asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." text " }" \
                   : "=r"(all)                                                   \
                   : "r"(is)                                                     \
                   : "memory");                                                  \
    }                                                                            \
    return all;                                                                  \
  }
AGPUSIM_JOINT(count, "popc.u32 %0, 0, p;")
AGPUSIM_JOINT(and, "and.pred q, 0, p; selp.s32 %0, 1, 0, q;")
AGPUSIM_JOINT(or, "or.pred q, 0, p; selp.s32 %0, 1, 0, q;")
AGPUSIM_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
AGPUSIM_DEVICE void __trap() { asm volatile("trap;"); }
AGPUSIM_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
AGPUSIM_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
AGPUSIM_DEVICE unsigned long long __globaltimer() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/// They say whether an address is in the state space, and convert it.
#define AGPUSIM_SPACE(Name, space)                                                                 \
  AGPUSIM_DEVICE unsigned __is##Name(const void* p) {                                              \
    unsigned is;                                                                                   \
    asm("{ .reg .pred p; isspacep." #space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p)); \
    return is;                                                                                     \
  }                                                                                                \
  AGPUSIM_DEVICE size_t __cvta_generic_to_##space(const void* p) {                                 \
    size_t at;                                                                                     \
    asm("cvta.to." #space ".u64 %0, %1;" : "=l"(at) : "l"(p));                                     \
    return at;                                                                                     \
  }                                                                                                \
  AGPUSIM_DEVICE void* __cvta_##space##_to_generic(size_t at) {                                    \
    void* p;                                                                                       \
    asm("cvta." #space ".u64 %0, %1;" : "=l"(p) : "l"(at));                                        \
    return p;                                                                                      \
  }
AGPUSIM_SPACE(Shared, shared)
AGPUSIM_SPACE(Global, global)
AGPUSIM_SPACE(Local, local)
