#!/usr/bin/env python3
"""Answers in CUDA that try to get marks by tricks, of kinds that public competitions have reported: tricks.py AGPUSIM. 77: no compiler.

None may get all marks, change a file, or keep the others from being marked; most are said a word of which a part stands here.
"""
import os
import pathlib
import sys
import tempfile

import run

RIGHT = "__global__ void map(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x] + 10; }\n"
SIGNATURE = "__global__ void map(const unsigned* in, unsigned* out) "
NOTHING = SIGNATURE + "{}\n"
HEADERS = "an answer may include"
# name -> (text of an answer to cuda_map, part of the first message)
MAP = {
    # what the compiler can read
    "solution_by_path": ('#include "exercises/cuda_map/solution.cu"\n', HEADERS),
    "solution_in_brackets": ("#include <../exercises/cuda_map/solution.cu>\n", HEADERS),
    "file_of_the_host": ('#include "/etc/hostname"\n' + RIGHT, HEADERS),
    "digraph": ('%:include "/etc/hostname"\n' + RIGHT, HEADERS),
    "trigraph": ('??=include "/etc/hostname"\n' + RIGHT, HEADERS),
    "continued_line": ('#inc\\\nlude "/etc/hostname"\n' + RIGHT, HEADERS),
    "behind_a_comment": ('/* */ # /* */ include "/etc/hostname"\n' + RIGHT, HEADERS),
    "by_a_macro": ('#define FILE_OF_JUDGE "/etc/hostname"\n#include FILE_OF_JUDGE\n' + RIGHT, HEADERS),
    "embed": ("const char text[] = {\n#embed </etc/hostname>\n};\n" + RIGHT, HEADERS),
    "has_include": ('#if __has_include("/etc/passwd")\n#endif\n' + RIGHT, HEADERS),
    "line_of_another": ('#line 1 "judge.hpp"\n' + RIGHT, HEADERS),
    "pragma": ('#pragma GCC dependency "/etc/hostname"\n' + RIGHT, HEADERS),
    "import": ('#import "/etc/hostname"\n' + RIGHT, HEADERS),
    "far_to_the_right": (" " * 201 + '#include "/etc/hostname"\n' + RIGHT, HEADERS),
    "far_behind_the_sign": ("#" + " " * 220 + 'include "/etc/hostname"\n' + RIGHT, HEADERS),
    "behind_a_raw_text": ('const char* s = R"(" /*)";\n#include "/etc/hostname"\n' + RIGHT, HEADERS),
    "behind_a_wide_quote": ("const auto c = L'\"'; const char* d = \"/*\";\n#include \"/etc/hostname\"\n" + RIGHT, HEADERS),
    "blank_behind_a_backslash": ('#\\ \ninclude "/etc/hostname"\n' + RIGHT, HEADERS),
    "carriage_return": ('int x;\r#include "/etc/hostname"\n' + RIGHT, HEADERS),
    "text_for_the_judge": ('static_assert(sizeof(int) == 1, "(' + "1" * 200000 + '");\n' + RIGHT, "compile"),
    # a host half of its own
    "host_main": ('#include <cstdio>\nint main() { puts("3 of 3"); }\n' + NOTHING, HEADERS),
    "host_before_main": ('extern "C" int system(const char*);\nint ran = system("touch FOLDER/ran");\n' + NOTHING, "no run wrote"),
    "host_constructor": ('extern "C" int system(const char*);\n__attribute__((constructor)) void first() { system("touch FOLDER/ran"); }\n'
                         + NOTHING, "no run wrote"),
    # what was there before
    "nothing_is_done": (NOTHING, "no run wrote"),
    "right_before": (SIGNATURE + "{ if (out[threadIdx.x] != in[threadIdx.x] + 10) out[threadIdx.x] = in[threadIdx.x] + 10; }\n", "unwritten"),
    "half_is_left": (SIGNATURE + "{ if (threadIdx.x % 2 == 0) out[threadIdx.x] = in[threadIdx.x] + 10; }\n", "nobody wrote"),
    "state_of_earlier_runs": ("__device__ unsigned runs;\n" + SIGNATURE
                              + "{ if (++runs > 1) out[threadIdx.x] = in[threadIdx.x] + 10; }\n", ""),
    # known inputs
    "table_of_small_inputs": ("__constant__ unsigned table[4] = {10, 11, 12, 13};\n" + SIGNATURE
                              + "{ out[threadIdx.x] = threadIdx.x < 4 ? table[threadIdx.x] : threadIdx.x + 10; }\n", "must be"),
    "only_zeros": (SIGNATURE + "{ out[threadIdx.x] = 10; }\n", "must be"),
    # memory of others
    "search_in_memory": (SIGNATURE + "{ const unsigned* p = in; while (*p != in[0] + 10) ++p; out[threadIdx.x] = *p; }\n", "out of bounds"),
    "address_of_the_host": (SIGNATURE + "{ out[threadIdx.x] = *(const unsigned*)0x400000; }\n", "out of bounds"),
    "behind_the_output": (SIGNATURE + "{ out[threadIdx.x] = in[threadIdx.x] + 10; out[1 << 20] = 1; }\n", "out of bounds"),
    "negative_index": (SIGNATURE + "{ out[threadIdx.x] = in[threadIdx.x] + 10; out[-1] = 1; }\n", "out of bounds"),
    # another program than was asked for
    "other_signature": ("__global__ void map(unsigned* out) { out[threadIdx.x] = 10; }\n", "parameters"),
    "other_types": ("__global__ void map(int in, int out) {}\n", "must be a pointer"),
    "no_kernel": ("void map(const unsigned*, unsigned*) {}\n", "no kernel map"),
    "launches_itself": (SIGNATURE + "{ map<<<1, 1>>>(in, out); }\n", ""),
    # time, and what stops a judge
    "without_end": (SIGNATURE + "{ while (in != out) __threadfence(); }\n", "stopped"),
    "waits_for_nobody": ("__device__ volatile int flag;\n" + SIGNATURE + "{ while (flag == 0) {} }\n", ""),
    "without_end_in_the_compiler": ("template <int n> struct T { enum { v = T<n - 1>::v + T<n - 2>::v }; };\n" + SIGNATURE
                                    + "{ out[0] = T<100000>::v; }\n", "compile"),
    "prints_without_end": (SIGNATURE + '{ for (;;) printf("3 of 3\\n"); }\n', "stopped"),
    "takes_all_memory": (SIGNATURE + "{ for (;;) out[threadIdx.x] = *(unsigned*)memset(malloc(1 << 20), 1, 1 << 20); }\n", ""),
    "calls_itself": ("__device__ __noinline__ unsigned f(unsigned n) { return f(n + 1) + 1; }\n" + SIGNATURE + "{ out[0] = f(0); }\n", ""),
    "traps": (SIGNATURE + "{ __trap(); }\n", "trap"),
    "ends_early": (SIGNATURE + '{ asm volatile("exit;"); out[threadIdx.x] = in[threadIdx.x] + 10; }\n', "no run wrote"),
    # timers
    "slows_only_the_judge": (SIGNATURE + "{ if (clock64() % 2) out[threadIdx.x] = in[threadIdx.x] + 10; }\n", ""),
    # no text
    "zero_bytes": ("\0" * 100, ""),
    "no_utf8": ("\udcff\udcfe" * 100, ""),
    "nothing": ("", "no kernel map"),
}


def main(agpusim, folder):
    answers = folder / "answers"
    answers.mkdir()
    for name, (text, _) in MAP.items():
        (answers / f"{name}-cuda_map.cu").write_bytes(text.replace("FOLDER", str(folder)).encode(errors="surrogateescape"))
    (answers / "honest-cuda_map.cu").write_text(RIGHT)
    (answers / "a$(touch ran)`touch ran`-cuda_map.cu").write_text(NOTHING)
    os.symlink(answers / "honest-cuda_map.cu", answers / "linked-cuda_map.cu")
    done, rows = run.grade(agpusim, answers, "--seconds", "4")
    faults = [] if done.returncode == 0 else [f"exit code {done.returncode}: {done.stderr}"]
    for name, (_, message) in MAP.items():
        row = rows.get((name, "cuda_map"))
        if row is None or row["marks"] == "3" or message not in row["message"]:
            faults.append(f"{name}: {row}, must say '{message}'")
    if rows.get(("honest", "cuda_map"), {}).get("marks") != "3":
        faults.append(f"the honest answer: {rows.get(('honest', 'cuda_map'))}")
    if ("linked", "cuda_map") in rows or "linked-cuda_map.cu: left out, a link" not in done.stderr:
        faults.append("a link is marked")
    if any(folder.rglob("ran")):
        faults.append("something of an answer ran on the host")
    print("\n".join(faults))
    print(f"{len(MAP) + 2} tricks, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    run.require_compiler()
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(sys.argv[1], pathlib.Path(temporary)))
