#!/usr/bin/env python3
"""Measures on a GPU, with CuPy, how long a multiprocessor takes for instructions of matrices: python3 dev/tensor_rates.py [REPEATS]

Cycles of a scheduler for each of many (16 warps of one CTA, 4 on a scheduler, 4 accumulators a warp), and the cycles until a dependent
one can issue (one warp, one accumulator): medians. ptx/lower/special_functions.hpp has them.
"""

import statistics
import sys

import cupy

# opcode: registers of D, A, B and their letters in inline PTX
PRODUCTS = {
    f"mma.sync.aligned.{shape}.row.col.{types}": operands
    for shape, types, operands in (
        ("m16n8k8", "f32.f16.f16.f32", ("4f", "2r", "1r")), ("m16n8k16", "f32.f16.f16.f32", ("4f", "4r", "2r")),
        ("m16n8k8", "f16.f16.f16.f16", ("2r", "2r", "1r")), ("m16n8k16", "f16.f16.f16.f16", ("2r", "4r", "2r")),
        ("m16n8k8", "f32.bf16.bf16.f32", ("4f", "2r", "1r")), ("m16n8k16", "f32.bf16.bf16.f32", ("4f", "4r", "2r")),
        ("m16n8k4", "f32.tf32.tf32.f32", ("4f", "2r", "1r")), ("m16n8k8", "f32.tf32.tf32.f32", ("4f", "4r", "2r")),
        ("m8n8k16", "s32.s8.s8.s32", ("2r", "1r", "1r")), ("m16n8k16", "s32.s8.s8.s32", ("4r", "2r", "1r")),
        ("m16n8k32", "s32.s8.s8.s32", ("4r", "4r", "2r")), ("m8n8k4", "f64.f64.f64.f64", ("2d", "1d", "1d")),
        ("m16n8k4", "f64.f64.f64.f64", ("4d", "2d", "1d")), ("m16n8k8", "f64.f64.f64.f64", ("4d", "4d", "2d")),
        ("m16n8k16", "f64.f64.f64.f64", ("4d", "8d", "4d")))
}
C_TYPES = {"f": "float", "r": "unsigned", "d": "double"}
STEPS = 256


def product(opcode, operands, chains):
    """A kernel that repeats a product; every chain of them adds into registers of its own."""
    (d, a, b), kinds = [int(each[:-1]) for each in operands], [each[-1] for each in operands]
    places, number = [], 0
    for count in (d, a, b):
        places.append("{" + ", ".join(f"%{number + i}" for i in range(count)) + "}")
        number += count
    lines = [f"{C_TYPES[kinds[1]]} a[{a}] = {{}}; {C_TYPES[kinds[2]]} b[{b}] = {{}};"]
    lines += [f"{C_TYPES[kinds[0]]} d{chain}[{d}] = {{}};" for chain in range(chains)]
    step = []
    for chain in range(chains):
        outs = ", ".join(f'"+{kinds[0]}"(d{chain}[{i}])' for i in range(d))
        ins = ", ".join([f'"{kinds[1]}"(a[{i}])' for i in range(a)] + [f'"{kinds[2]}"(b[{i}])' for i in range(b)])
        step.append(f'asm volatile("{opcode} {places[0]}, {places[1]}, {places[2]}, {places[0]};" : {outs} : {ins});')
    total = " + ".join(f"d{chain}[{i}]" for chain in range(chains) for i in range(d))
    return kernel("\n".join(lines), "\n".join(step), f"(long long)({total})")


def kernel(before, step, total):
    text = f"""extern "C" __global__ void probe(long long* out) {{
      __shared__ __align__(16) unsigned shared[4096];
      shared[threadIdx.x] = 0;
      unsigned at = (unsigned)__cvta_generic_to_shared(shared) + threadIdx.x % 32 * 16;
      {before}
      __syncthreads();
      const long long begin = clock64();
      #pragma unroll 4
      for (int i = 0; i < {STEPS}; ++i) {{ {step} }}
      __syncthreads();
      const long long end = clock64();
      out[threadIdx.x] = end - begin;
      if ({total} == 12345 + at) out[0] = 0;
    }}"""
    return cupy.RawKernel(text, "probe", options=("-arch=sm_90",))


def cycles(probe, threads, repeats):
    out = cupy.zeros(1024, dtype=cupy.int64)
    measured = []
    for _ in range(repeats):
        probe((1,), (threads,), (out,))
        measured.append(int(out[:threads].max()))
    return statistics.median(measured)


def moves():
    """Kernels of (chain of 1, of 4) for moves of matrices; ldmatrix depends on the one before by its address."""
    for count in (1, 2, 4):
        registers = ", ".join(f"%{i}" for i in range(count))
        for trans in ("", ".trans"):
            opcode = f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16"

            def step(k, opcode=opcode, registers=registers, count=count):
                outs = ", ".join(f'"=r"(r{k}[{i}])' for i in range(count))
                return f'asm volatile("{opcode} {{{registers}}}, [%{count}];" : {outs} : "r"(at + r{k}[0]));'
            yield opcode, *(kernel("".join(f"unsigned r{k}[{count}] = {{}};" for k in range(n)), "".join(step(k) for k in range(n)),
                                   "+".join(f"(long long)r{k}[0]" for k in range(n))) for n in (1, 4))

    def move(k):
        return f'asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(m{k}));'
    yield "movmatrix.sync.aligned.m8n8.trans.b16", *(
        kernel("".join(f"unsigned m{k} = 0;" for k in range(n)), "".join(move(k) for k in range(n)),
               "+".join(f"(long long)m{k}" for k in range(n))) for n in (1, 4))


def main(repeats=9):
    print("opcode,scheduler_cycles,latency")
    for opcode, lone, many in [*((op, product(op, of, 1), product(op, of, 4)) for op, of in PRODUCTS.items()), *moves()]:
        busy = cycles(many, 512, repeats) / (4 * 4 * STEPS)  # 4 warps a scheduler, 4 chains
        print(f"{opcode},{busy:.2f},{cycles(lone, 32, repeats) / STEPS:.1f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
