#!/usr/bin/env python3
"""options_test.py AGPUSIM OWN_PROGRAM [COMMAND...]: every option of every command does what it says. TABLE has for each option
a command line that is run with and without it, and what differs. An option that the table does not have is an error."""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

AGPUSIM, OWN = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]


# What a row says of the value with the option, beside the one without; any other value is the one with it.
def more(new, old):
    return new > old


def less(new, old):
    return new < old


def other(new, old):
    return True


def has(words):
    return lambda new, old: words in (new or "") and words not in (old or "")


def copied_alone(plan):
    """Whether no copy in and copy out can have been under way at once."""
    return plan["seconds"] >= sum(plan["engines"][copies]["busy_seconds"] for copies in (0, 2))


def machine(path, *, bits="--w"):
    """Rows of the options of the machine, whose values are members of `path`."""
    def at(**members):
        return {f"{path}.{member}": value for member, value in members.items()}

    return [(f"--p 4224 --M 4096 {bits} 64 --V 64 --bank-mode strict --assignment next-fit --cap 9000 --no-skip-empty",
             at(p=4224, M=4096, w=64, V=64, bank_mode="strict", assignment="next-fit", next_fit_cap=9000, skip_empty=False)),
            # A task keeps its warps: 8 of 16 lanes.
            ("--machine h200-block --b 16", at(p=33792, b=16, V=128))]


REDUCE = "reduce --n 100"
WIDE = "reduce --n 100 --V 256 --p 4224 --M 4096"  # a task of 8 warps, of which 4 have an element
BLELLOCH = "scan --variant blelloch --n 1024"  # lanes of a warp read one word of shared memory
TIMED = "reduce --n 1024 --records {t}/reduce.jsonl"
UNREAD = ("--threads many", {"exit": 2})  # no number depends on it
MPI = dict.fromkeys(["--mpi", "--rank-timeout"], "tests/commands/sweep/sweep_mpi_test.cpp")
GPU = "needs a GPU; tests/commands/measure/measure_test.cpp and experiment_test.cpp say what it does on a fake device"

# command: (arguments of its rows, begin of its CSV or None, rows, options without a row and why). A row: options, where to look
# and what is there with them and not without, arguments where they are others. Where to look: a path in the JSON, with # the
# length of what is there; "exit" code, "out"put and "err"ors of the command as it is; "file NAME" that it writes.
TABLE = {
    "run": (REDUCE, "kernel,tasks,T,", machine("config.machine") + [
        ("--n 100", {"exit": 0, "host_words_in": 100}, "reduce"),
        ("-n 100", {"exit": 0, "host_words_in": 100}, "reduce"),
        ("--variant ordered", {"config.variant": "ordered"}),
        ("--type u64", {"host_words_in": 200}),  # two words each
        ("--input sorted", {"checksum": other}),
        ("--seed 2", {"checksum": other}),
        ("--set per_lane=3", {"config.parameters.per_lane": 3}),
        ("--no-checks", {"exit": 0}, "own reads_unwritten --n 1024"),
        UNREAD,
        ("--by-line", {"lines.0.kernel": "segment_reduce"}),
        ("--bank-mode strict", {"shared_conflicts": more}, BLELLOCH),
        ("--no-skip-empty", {"counts.idle": more, "T": more}, WIDE)], {}),
    # 32 tasks; on 4 multiprocessors one after the other, or 16 on each of the first two.
    "step": ("vector_add --n 1024 --set rows=1 --p 128", "title,step,phase,", [
        ("--n 32", {"runs.0.n": 32}, "vector_add"),
        ("--machine textbook", {"runs.0.multiprocessors": 16, "runs.0.phases.0.tasks": 128}, "vector_add --n 1024 --set rows=1"),
        ("--p 128", {"runs.0.multiprocessors": 4}, "vector_add --n 1024 --set rows=1"),
        ("--b 16", {"runs.0.multiprocessors": 8, "runs.0.phases.0.tasks": 64}),
        ("--M 4096", {"runs.0.machine": has("M=4096")}),
        ("--w 64", {"runs.0.machine": has("w=64")}),
        ("--V 64", {"runs.0.phases.0.tasks": 16}),
        ("--bank-mode strict", {"runs.0.phases.2.T": more}, BLELLOCH),
        ("--assignment next-fit", {"runs.0.phases.0.multiprocessor_of_task.1": 0}),
        ("--assignment next-fit --cap 9000", {"runs.0.phases.0.multiprocessor_of_task.31": 0}),
        ("--no-skip-empty", {"runs.0.phases.0.T": more}, WIDE),
        ("--variant ordered", {"runs.0.variant": "ordered"}, REDUCE),
        ("--type u64", {"runs.0.arrays.0.words": 2}),
        ("--input sorted", {"runs.0.arrays.0.initial.0": other}),
        ("--seed 2", {"runs.0.arrays.0.initial.0": other}),
        ("--set rows=4", {"runs.0.phases.0.tasks": 8}, "vector_add --n 1024"),
        ("--no-checks", {"exit": 0}, "own reads_unwritten --n 64"),
        ("--pram", {"runs.0.machine": "Sum-CRCW PRAM"}, "scan --n 8"),
        ("--model erew", {"runs.0.machine": has("EREW")}, "maximum --n 4"),
        ("--limit 5", {"runs.0.steps#": 5}),
        ("--phase 1", {"runs.0.steps.0.phase": 1}, "scan --n 64"),
        ("--task 3", {"runs.0.steps.0.task": 3}),
        ("--accesses", {"runs.0.steps.0.instruction": has("read")}),
        ("--at 2", {"out": other}),
        ("--svg {t}/step.svg", {"file step.svg": has("<svg")})], {}),
    "ptx": ("{t}/touch.ptx --grid 600 --block 40 --arg io:u32:24000:random", "kernel,tasks,T,", [
        ("--p 4224 --M 4096 --bank-mode strict --assignment next-fit --cap 900000 --no-skip-empty",
         {"machine.p": 4224, "machine.M": 4096, "machine.bank_mode": "strict", "machine.assignment": "next-fit",
          "machine.next_fit_cap": 900000, "machine.skip_empty": False}),
        ("--machine h200-block --b 16", {"machine.p": 33792, "machine.b": 16, "machine.V": 48}),
        ("--w 64", {"exit": 2}),  # PTX has words of 32
        ("--bank-mode strict", {"shared_conflicts": more}),
        ("--assignment next-fit --cap 900000", {"T": more}),
        ("--no-skip-empty", {"counts.idle": more}),
        ("--kernel 'reduce<64>'", {"exit": 0},
         "{root}/tests/ptx/fixtures/reduce.ptx --grid 1 --block 64 --arg in:u32:64 --arg out:u32:1 --arg 64"),
        ("--grid 600", {"exit": 0, "grid.0": 600}, "{t}/touch.ptx --block 40 --arg io:u32:24000"),
        ("--block 40", {"exit": 0, "block.0": 40, "machine.V": 64}, "{t}/touch.ptx --grid 600 --arg io:u32:24000"),
        ("--arg io:u32:24000", {"exit": 0, "arguments.0": "io:u32:24000"}, "{t}/touch.ptx --grid 600 --block 40"),
        ("--shared 1024", {"shared_bytes": 1280, "dynamic_shared_bytes": 1024}),
        ("--seed 2", {"active_lane_share": other}),
        ("--no-checks", {"exit": 0}, "{t}/touch.ptx --grid 600 --block 40 --arg io:u32:24000:unwritten"),
        UNREAD,
        ("--registers 255", {"predicted_ms": more}, "{root}/tests/ptx/fixtures/reduce.ptx --kernel _Z6reduceILi256EEvPKiPii "
         "--grid 8192 --block 256 --arg in:u32:2^22 --arg out:u32:8192 --arg 2^22"),
        ("--why", {"why.kernel": "touch"}),
        ("--opcodes", {"out": has("ld  ")})], {}),
    "exec": ("{root}/tests/cli/reporting/program", None, [
        ("--machine h200-wide", {"out": has('"machine":"h200-wide"')}),
        ("--only scan", {"out": has('"only":"scan"')}),
        ("--first 3", {"out": has('"first":3')}),
        ("--check none", {"out": has('"checks":[]')}),
        ("--host-time", {"out": has('"host_time":true')}),
        ("--quiet-program", {"out": lambda new, old: "host_time" in old and "host_time" not in new}),
        ("--require 'conflicts == 0'", {"exit": 7}),
        ("--require-file {root}/tests/cli/reporting/conditions.txt", {"exit": 7}),
        ("--why", {"out": has("Why reduce takes")}),
        ("--step reduce:2", {"out": has("phase 0 reduce, task 3 of 4")}),
        ("--cta 3", {"out": has('"step_cta":3')}, "{root}/tests/cli/reporting/program --step reduce"),
        ("--at 0", {"out": has("after step 0:")}, "{root}/tests/cli/reporting/program --step reduce"),
        ("--markdown {t}/comment.md", {"file comment.md": has("### agpusim: passes")}),
        ("--sarif {t}/findings.sarif", {"file findings.sarif": has('"version": "2.1.0"')}),
        ("--against {root}/tests/cli/reporting/base.json", {"out": has("-1.4 %")}),
        ("--strict --json {t}/strict.json", {"file strict.json": has('"agpusim": "')}),
        ("--loop-seconds 5", {"out": has('"loop_seconds":5')}),
        ("--costs T --json {t}/costs.json", {"file costs.json": has('"agpusim": "')}),
        ("--tolerance 100 --json {t}/more.json", {"file more.json": has('"agpusim": "')}),
        ("--by-line", {"out": lambda new, old: "--by-line" in old and "--by-line" not in new},
         "{root}/tests/cli/reporting/program --against {root}/tests/cli/reporting/base.json"),
        ("--json {t}/sheet.json", {"file sheet.json": has('"agpusim": "')}),
        ("--html {t}/page.html", {"file page.html": has("<html")}),
        ("--functions", {"out": has("cudaFreeMipmappedArray")})], {}),
    "build": ("true", None, [
        ("--nvcc /bin/echo a.cu", {"out": has("a.cu -cudart shared")}, "")], {}),
    "pram": ("sum --n 16 --on-agpu", "name,processors,", machine("on_agpu.machine", bits="--agpu-w") + [
        ("--n 16", {"exit": 0, "config.n": 16}, "sum"),
        ("--variant tree", {"steps": 4}),
        ("--input values:1,2,3", {"output.0": 6}, "sum"),
        ("--seed 2", {"output.0": other}),
        ("--set range=7", {"config.parameters.range": 7}, "histogram --n 16"),
        UNREAD,
        ("--all-variants", {"variants.1.variant": "tree"}),
        ("--model priority", {"config.machine.access": "priority"}, "or --n 16 --variant common"),
        ("--sum count", {"exit": 2}),  # would lose the values
        ("--reads-per-step 1", {"exit": 4}, "scan --n 16 --variant hillis_steele"),
        ("--max-processors 15", {"exit": 2}),
        ("--w 4", {"exit": 4}),
        ("--processors 4", {"schedule.processors": 4}),
        ("--processors 1,4 --efficiency 90", {"speed_up.runs.2.processors": 4, "speed_up.largest_processors": 2}, "sum --n 16 --variant tree"),
        ("--svg {t}/p.svg", {"file p.svg": has("<svg")}, "sum --n 16 --processors 1,2"),
        ("--work-span", {"work_span.span": 1}),
        ("--dot {t}/graph.dot", {"file graph.dot": has("digraph")}),
        # Read, add, atomic, and 15 lanes that wait for others.
        ("--on-agpu", {"on_agpu.T": 18}, "sum --n 16"),
        # Two tasks of 8 lanes: read, add, atomic, and 7 that wait; each reads a block and updates one.
        ("--machine textbook", {"variants.0.on_agpu.T": 10, "variants.0.on_agpu.Q": 4},
         "sum --n 16 --all-variants --on-agpu")], {}),
    "bounds": ("", "n,b,M,", [
        ("--n 2^10,2^12", {"rows#": 6}),  # on three memories
        ("--b 16", {"rows.0.b": 16}),
        ("--svg {t}/bounds.svg", {"file bounds.svg": has("<svg")}),
        ("--M 4096", {"rows#": 3}),  # of three sizes
        ("--explain", {"explained#": 11}, "--n 16 --b 2 --M 8"),
        ("--k 2", {"explained.9.value": 16}, "--explain --n 16 --b 2 --M 8")], {}),
    "compare": ("reduce scan --n 100 --records {t}/reduce.jsonl", "machine,p,b,", machine("machines.0.machine") + [
        ("--n 100,200 --machine h200,p100 --p 2^10..2^12", {"exit": 0, "machines#": 6, "machines.0.rows#": 4}, "reduce scan"),
        ("--no-skip-empty --bank-mode strict", {"machines.0.label": "h200 bank-mode=strict no-skip-empty"}),
        ("--type u64 --input sorted --seed 2 --set per_lane=3",
         {"contestants.0.type": "u64", "contestants.0.input": "sorted", "machines.0.rows.0.seed": 2,
          "machines.0.rows.0.parameters.per_lane": 3}),
        ("--simulate", {"machines.0.rows.0.counts": "simulated"}),
        ("--svg {t}/compare.svg", {"file compare.svg": has("<svg")}, "reduce scan --n 2^10..2^12"),
        ("--simulate", {"exit": 7}, "own late vector_add --n 2^14"),
        UNREAD,
        ("--records {t}/reduce.jsonl", {"machines.0.rows.0.measured_ms": 2}, "reduce scan --n 1024"),
        ("--device h200", {"machines.0.device": "NVIDIA H200"}, "reduce scan --n 100 --machine p100"),
        ("--devices {t}/devices", {"machines.0.device": "Another GPU"}, "reduce scan --n 100")], {}),
    "sweep": ("reduce --n 1024", "program,model,", [
        ("--p 4224,16384 --M 4096 --w 64 --V 64 --bank-mode strict --assignment next-fit --cap 9000 --no-skip-empty",
         {"points#": 2, "points.0.p": 4224, "points.0.M": 4096, "points.0.w": 64, "points.0.V": 64,
          "points.0.rules": "bank-mode=strict assignment=next-fit cap=9000 no-skip-empty"}),
        ("--machine h200-block --b 16", {"points.0.p": 33792, "points.0.b": 16, "points.0.V": 128}),
        ("--n 2^10..2^12", {"exit": 0, "points#": 3}, "pram/sum"),
        ("--type u64 --input sorted --seed 2 --set per_lane=3",
         {"points.0.type": "u64", "points.0.input": "sorted", "points.0.seed": 2, "points.0.parameters.per_lane": 3}),
        # Of one multiprocessor the default is 1.
        ("--same-program", {"points.0.parameters.tasks": 528}, "reduce --n 2^20 --p 32,16896"),
        ("--verify", {"points.0.counts": "simulated"}),
        ("--verify", {"exit": 7}, "own late --n 2^14"),
        ("--simulate-limit 1", {"points.0.refused": has("too large to simulate")}, "hash_table --n 512 --p 4224"),
        UNREAD,
        ("--device h200", {"points.0.device": "NVIDIA H200"}, "reduce --n 1024 --machine p100"),
        ("--devices {t}/devices", {"points.0.device": "Another GPU"}),
        ("--shard 1/2", {"points#": 2}, "reduce --n 2^10..2^13"),
        ("--out {t}/points.jsonl", {"file points.jsonl": has('"reduce"')}),
        ("--svg {t}/sweep.svg", {"file sweep.svg": has("<svg")}),
        ("--fit", {"fits#": 7}),  # of T, Q, requests, sectors, wavefronts, idle lanes and the time
        ("--laws", {"fits#": 7, "out": has("stated bounds: ")})], MPI),
    "merge": ("{t}/part1.jsonl {t}/part2.jsonl", "program,model,", [
        ("--out {t}/whole.jsonl", {"file whole.jsonl": has('"reduce"')}),
        ("--svg {t}/merge.svg", {"file merge.svg": has("<svg")}),
        ("--out {t}/part1.jsonl", {"exit": 2}),  # it would replace what it reads
        ("--fit", {"fits#": 7}),
        ("--laws", {"fits#": 7, "out": has("stated bounds: ")})], {}),
    "count": ("{t}/table.jsonl --out {t}/new.jsonl", "algorithm,variant,", [
        UNREAD,
        ("--max-seconds 0", {"left": 1}),
        ("--compiled", {"derived": 1, "file new.jsonl": has("[32,")}),  # lanes and registers of the kernel
        ("--check", {"exit": 7}, "{t}/table.jsonl --out {t}/counts.jsonl")],
              {"--out": "without it the counts that agpusim carries are added to; all rows have it"} | MPI),
    "pipeline": ("scan --n 10^6 --budget 4MB", "step,runs,", [
        ("--p 4224 --M 4096 --V 64 --bank-mode strict --assignment next-fit --cap 900000 --no-skip-empty",
         {"machine.p": 4224, "machine.M": 4096, "machine.V": 64, "machine.bank_mode": "strict", "machine.assignment": "next-fit",
          "machine.next_fit_cap": 900000, "machine.skip_empty": False}),
        ("--b 16", {"exit": 2}),  # no device has such warps, or such words
        ("--w 64", {"exit": 2}),
        ("--machine h200-wide", {"machine.p": 4224, "machine.V": 1024}),
        ("--n 10^6", {"exit": 0, "n": 10**6}, "scan --budget 4MB"),
        ("--budget 4MB", {"exit": 0, "budget_bytes": 4 * 10**6}, "scan --n 10^6"),
        ("--scheme seed", {"scheme": "seed"}),
        ("--exclusive", {"exclusive": True}),
        ("--streams 2", {"streams": 2}),
        ("--chunk 1024", {"chunk": 1024}),
        ("--device h200", {"exit": 0}, "scan --n 10^6 --budget 4MB --machine p100"),
        ("--devices {t}/devices", {"link.in_bytes_per_second": 10e9}),
        ("--in-gbps 10", {"link.in_bytes_per_second": 10e9}),
        ("--out-gbps 10", {"link.out_bytes_per_second": 10e9}),
        ("--both-gbps 10", {"link.both_bytes_per_second": 10e9}),
        ("--host-gbps 40", {"link.host_bytes_per_second": 40e9}),
        ("--latency-us 8", {"link.in_latency_seconds": 8e-6}),
        ("--copy-engines 1", {"link.copy_engines": 1}),
        ("--pageable", {"": lambda new, old: copied_alone(new) and not copied_alone(old)}),
        ("--simulate", {"counts": "simulated"}),
        ("--seed 2", {"steps": other}, "hash_table --n 10^4 --budget 4MB --simulate")], {}),
    "why": (BLELLOCH, "resource,part_ms,", [
        ("--p 16384 --M 4096 --V 64 --type u64 --input sorted",
         {"machine": "AGPU(p=16384, b=32, M=4096, w=32), V=64", "type": "u64", "input": "sorted"}, TIMED + " --device h200"),
        ("--variant ordered", {"variant": "ordered"}, TIMED),
        # Of other runs there is no time.
        ("--machine h200-wide", {"measured_ms": None, "machine": has("p=4224")}, TIMED),
        ("--assignment list", {"measured_ms": None}, TIMED),
        ("--no-skip-empty", {"measured_ms": None}, TIMED),
        ("--seed 2", {"measured_ms": None}, TIMED),
        ("--set per_lane=3", {"measured_ms": None}, TIMED),
        ("--assignment next-fit --cap 1", {"exit": 4}, "vector_add --n 2^20"),  # room for one task on each multiprocessor
        ("--b 16", {"exit": 2}),
        ("--w 64", {"exit": 2}),
        ("--n 1024", {"exit": 0, "n": 1024}, "reduce"),
        ("--bank-mode strict", {"predicted_ms": more}),
        ("--device h200", {"exit": 0}, "reduce --n 1024 --p 3200"),
        ("--devices {t}/devices", {"device": "Another GPU"}),
        ("--records {t}/reduce.jsonl", {"measured_ms": 2}, "reduce --n 1024")], {}),
    "analyze": ("{t}/reduce.jsonl {t}/table.jsonl", "algorithm,variant,type,machine,", [
        ("--algorithm reduce", {"algorithms#": 1}),
        ("--rows", {"out": has("measured ms")}),
        ("--device 'Another GPU'", {"exit": 0, "device.name": "Another GPU"},
         "{t}/reduce.jsonl {t}/far.jsonl --devices {t}/devices"),
        ("--n-min 1025", {"algorithms.0.rows.0.n": 2048}),
        ("--n-max 1024", {"algorithms.1.rows#": 1}),
        ("--no-html", {"file agpusim-report.html": None}),
        ("--csv --html {t}/page.html", {"err": has("report: ")}),
        ("--verify", {"algorithms.0.rows.0.differences.0": has("T 10 simulated, 1010 stored")},
         "{t}/table.jsonl --counts {t}/counts.jsonl"),
        ("--verify-all", {"out": has("the reference's in 2.")}),
        UNREAD,
        ("--counts {t}/counts.jsonl", {"algorithms.0.rows.0.T": more}, "{t}/table.jsonl"),
        ("--devices {t}/devices", {"exit": 2})],
                {"--algorithms": "a few records have these lines without it; tests/commands/analyze/writers_test.cpp"} | MPI),
    "validate": ("--device nothing", None, [
        ],
                 dict.fromkeys(["--device", "--own", "--json", "--csv", "--tex", "--most-mape", "--ablation", "--out", "--html"],
                               "takes 10 s; the tests validate, outputs and docs have it")),
    "experiment": ("", "name,alias,", [
        ("--n-max 10^8", {"rows#": less}, "out-of-core"),
        ("--records {root}/validation/data/h200/out_of_core/times_again.jsonl", {"rows#": other}, "out-of-core --n-max 10^8"),
        ("--devices {t}/devices", {"exit": 2}, "out-of-core --n-max 10^8"),
        ("--quick", {"foreign": more}, "integer-sorts --n-max 2^18"),
        ("--threads many", {"exit": 2}, "integer-sorts --n-max 1000"),
        ("--cub-records {t}/none.jsonl", {"exit": 5}, "integer-sorts --n-max 1000")],
                   dict.fromkeys(["--measure", "--calibrate", "--max-seconds"], GPU)),
    # Without a GPU the exit code is 6; a wrong value is refused before.
    "measure": ("", None, [
        ("--n-min 2^27", {"exit": 2}),
        ("--n-max 2^9", {"exit": 2}),
        ("--algorithm nothing", {"exit": 2}),
        ("--machine nothing", {"exit": 2}),
        ("--plan nothing", {"exit": 2}),
        ("--max-seconds many", {"exit": 2}),
        ("--profile", {"exit": 2}, "--algorithm cub_scan")],  # without counts to compare with
                dict.fromkeys(["--variant", "--input", "--set", "--again", "--out", "--json", "--csv", "--tex", "--html"], GPU)),
    "calibrate": ("--out {t}/device.json", None, [
        ("--only nothing", {"exit": 2})], dict.fromkeys(["--out", "--json", "--csv", "--tex", "--html"], GPU)),
    "import-counters": ("{plan} {profile} --out {t}/counters.jsonl", "algorithm,kernel,", [
        ("--out {t}/kept.jsonl", {"exit": 0, "file kept.jsonl": has('"vector_add"')}, "{plan} {profile}")], {}),
    "exercise list": ("", "exercise,machine,", [
        ("--with {t}/twice", {"exercises#": more})], {}),
    "exercise start": ("twice", None, [
        ("--with {t}/twice", {"exit": 0})], {}),
    "exercise new": ("mine", None, [
        ("--pram", {"file mine/judge.hpp": has("PramExercise")}),
        ("--cuda", {"file mine/exercise.cu": has("__global__ void mine(")})], {}),
    "exercise check": ("{t}/twice", None, [], dict.fromkeys(["--seed", "--json", "--csv", "--tex", "--html"], "as of exercise grade; tests/install/grade.cmake")),
    "exercise grade": ("{t}/reverse.hpp", "exercise,seed,", [
        ("--with {t}/twice", {"exit": 0}, "{t}/ann_twice.hpp"),
        ("--as reverse", {"exit": 0}, "{t}/answer.hpp"),
        ("--seed 2", {"seed": 2}),
        ("--threads 0", {"exit": 2}),  # no number depends on it
        ("--seconds 0", {"exit": 2}),
        ("--verbose", {"err": has("In file included")}, "{t}/broken.hpp --as reverse"),
        ("--pages {t}/pages", {"file pages/ann.reverse.html": has("<html")}, "{t}/ann_reverse.hpp"),
        ("--moodle {t}/grades.csv", {"file grades.csv": has("Full name")}, "{t}/ann_reverse.hpp"),
        ("--gradescope {t}/results.json", {"file results.json": has("reverse: legality")}, "{t}/ann_reverse.hpp")], {}),
    "new": ("my_sort", None, [
        ("--folder {t}/there", {"file there/my_sort.hpp": has("my_sort")}),
        ("--pram", {"file my_sort/my_sort.hpp": has("pram_algorithm")})], {}),
    "list": ("", "name,summary,", [], {}),
}

# A kernel of CTAs of 40 threads: a broadcast from shared memory, an instruction that no lane of warp 0 takes, and writes that depend
# on data.
TOUCH = """.version 8.0
.target sm_90
.address_size 64
.visible .entry touch(.param .u64 to) {
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 words[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, words;
  shl.b32 %r3, %r1, 2;
  add.u32 %r3, %r2, %r3;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  ld.shared.u32 %r4, [%r2];
  setp.gt.u32 %p1, %r1, 31;
  @%p1 add.u32 %r4, %r4, 1;
  mov.u32 %r5, %ctaid.x;
  mad.lo.u32 %r6, %r5, 40, %r1;
  ld.param.u64 %rd1, [to];
  mul.wide.u32 %rd2, %r6, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r7, [%rd3];
  setp.gt.u32 %p2, %r7, 0x40000000;
  @%p2 st.global.u32 [%rd3], %r4;
  ret;
}
"""


def sealed(record):
    """The line of a record whose members were changed (validation/json/json_lines.cpp)."""
    record.pop("digest")
    digest = 0xcbf29ce484222325
    for byte in json.dumps(record, separators=(",", ":"), sort_keys=True).encode():
        digest = (digest ^ byte) * 0x100000001b3 % 2**64
    return json.dumps(record | {"digest": f"{digest:016x}"}) + "\n"


def records(file, algorithm, sizes, **changed):
    """Bundled times of runs on h200, each 2 ms."""
    lines = []
    for line in (ROOT / "validation/data/h200" / file).read_text().splitlines():
        record = json.loads(line)
        config = record["config"]
        if (config["algorithm"], config["type"], config["machine"]["p"]) == (algorithm, "u32", 16896) \
                and config["variant"] in ("", "commutative") and config["n"] in sizes:
            record["microseconds"] = [2000]
            record["environment"] |= changed
            lines.append(sealed(record))
    assert len(lines) == len(sizes), (file, algorithm)
    return "".join(lines)


def put_files(place):
    """What the rows read: times of runs and of one on another device, counts of a run that are not its own, the file of that
    device, a sweep in two parts, an exercise of one's own, and answers to exercises."""
    files = {"reduce.jsonl": records("earlier/timings.jsonl", "reduce", (1024, 2048)),
             "table.jsonl": records("primitives/times.jsonl", "hash_table", (1024,)),
             "far.jsonl": records("earlier/timings.jsonl", "reduce", (4096,), device="Another GPU"),
             "broken.hpp": "void launch(agpusim::Word);", "touch.ptx": TOUCH}
    for name in ("reverse", "answer", "ann_reverse"):
        files[name + ".hpp"] = (ROOT / "exercises/reverse/solution.hpp").read_text()
    subprocess.run([AGPUSIM, "exercise", "new", "twice", "--pram"], cwd=place, capture_output=True, check=True)
    files["ann_twice.hpp"] = (place / "twice/solution.hpp").read_text()
    device = json.loads((ROOT / "validation/devices/h200.json").read_text())
    device["device"] = "Another GPU"
    device["constants"]["link_in"]["value"] = 10
    (place / "devices").mkdir()
    files["devices/h200.json"] = json.dumps(device)
    for name, text in files.items():
        (place / name).write_text(text)
    for part in "12":
        subprocess.run([AGPUSIM, *f"sweep reduce --n 2^10..2^17 --shard {part}/2 --out part{part}.jsonl".split()], cwd=place,
                       capture_output=True, check=True)
    subprocess.run([AGPUSIM, *"count table.jsonl --out counts.jsonl".split()], cwd=place, capture_output=True, check=True)
    counts = json.loads((place / "counts.jsonl").read_text())
    counts["phases"][0][3] += 1000  # its time, and the largest of a task
    counts["phases"][0][4] += 1000
    counts["T_tot"] += 1000
    (place / "counts.jsonl").write_text(sealed(counts))


with tempfile.TemporaryDirectory() as given:
    GIVEN = pathlib.Path(given)
    put_files(GIVEN)

    @functools.cache
    def run(command, arguments):
        """Exit code, output, errors and new files of a command line in a folder of its own."""
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(GIVEN, place, dirs_exist_ok=True)
            before = {path.name for path in GIVEN.iterdir()}
            program = AGPUSIM
            if arguments.startswith("own "):
                program, arguments = OWN, arguments[4:]
            line = f"'{program}' {command} {arguments}".format(
                t=place, root=ROOT, plan=ROOT / "tests/fake_device/plan.jsonl", profile=ROOT / "tests/fake_device/profile.csv")
            done = subprocess.run(line, shell=True, cwd=place, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            files = {str(path.relative_to(place)): path.read_text() for path in pathlib.Path(place).rglob("*")
                     if path.is_file() and path.name not in before}
            return {"exit": done.returncode, "out": done.stdout, "err": done.stderr, "files": files}

    def look(command, arguments, where):
        if where in ("exit", "out", "err"):
            return run(command, arguments)[where]
        if where.startswith("file "):
            return run(command, arguments)["files"].get(where[5:])
        out = run(command, arguments + " --json")["out"]
        value = json.loads(out) if out else None
        path = where.rstrip("#")
        for name in path.split(".") if path else []:
            if isinstance(value, list):
                value = value[int(name)] if int(name) < len(value) else None
            else:
                value = value.get(name) if value else None
        return len(value) if where.endswith("#") and value is not None else value

    def wrong(command, options, where, expected, without):
        """What is wrong with a row; None: nothing."""
        old = look(command, without, where)
        new = look(command, f"{without} {options}", where)
        try:
            if new != old and (expected(new, old) if callable(expected) else new == expected):
                return None
        except (TypeError, KeyError):  # what a rule compares is not there
            pass
        must = "otherwise" if callable(expected) else repr(expected)
        return (f"agpusim {command} {without} [{options}]: {where or 'JSON'} is {str(new)[:200]!r} with the options and "
                f"{str(old)[:200]!r} without; must be {must}")

    def main():
        problems = []
        jobs = []
        for command in sys.argv[3:] or TABLE:
            without, csv, rows, exceptions = TABLE[command]
            there = set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", run(command, "--help")["out"], re.M)) - {"--help"}
            if csv:
                rows = rows + [("--tex", {"out": has("\\begin{tabular}")})] * ("--tex" in there)
                rows = rows + [("--json", {"out": has('"agpusim": "')}),
                               ("--csv --html {t}/page.html", {"out": has(csv), "file page.html": has("<html")})]
            jobs += [(command, options, where, expected, *(base or [without]))
                     for options, members, *base in rows for where, expected in members.items()]
            named = {word for row in rows for word in row[0].split() if word.startswith("--")} | set(exceptions)
            problems += [f"agpusim {command} {option}: no row of the table" for option in there - named]
            problems += [f"agpusim {command}: has no {option}" for option in named - there]
        listed = set()
        for outer in ("", "exercise "):
            commands = run(outer, "--help")["out"].partition("Subcommands:")[2].partition("\n\n")[0]
            listed |= {outer + name for name in re.findall(r"^  (\S+) ", commands, re.M)}
        problems += [f"agpusim {name}: not in the table" for name in
                     listed - set(TABLE) - {"help", "exercise", "schema"}]  # these have no options
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            problems += filter(None, pool.map(lambda job: wrong(*job), jobs))
        print("\n".join(problems))
        print(f"{len(jobs)} members with and without options, {len(problems)} problems")
        return 1 if problems else 0

    sys.exit(main())
