"""Written by `python3 python/make_stub.py AGPUSIM`."""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Union

from .program import Error as Error
from .program import call as call
from .program import map as map
from .result import Result as Result
from .result import Rows as Rows

__version__: str
_Number = Union[int, float, str, Iterable[Union[int, float, str]], None]
_Text = Union[str, int, float, PathLike[str], Iterable[Any], None]
_File = Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]], bool, None]


def command(*words: object, **options: object) -> Result | str:
    """What `agpusim WORDS OPTIONS --json` prints, or its text where it is no JSON. Raises Error when the command fails.

    Options stand before a word "--", and before the program of "exec" and "build".
    """


def exec(
    program: object = None, *arguments: object, machine: _Text = ..., only: _Text = ..., first: _Number = ...,
    loop_seconds: _Number = ..., check: _Text = ..., require: _Text = ..., require_file: _File = ...,
    against: _File = ..., costs: _Text = ..., tolerance: _Number = ..., why: _Text = ..., step: _Text = ...,
    cta: _Number = ..., at: _Number = ..., strict: bool = ..., by_line: bool = ..., host_time: bool = ...,
    quiet_program: bool = ..., functions: bool = ..., json: _File = ..., html: _File = ..., markdown: _File = ...,
    sarif: _File = ...,
) -> Result:
    """What a CUDA program costs and does wrong, without a GPU; `program` may be a list with its arguments.

    Tables "kernels", "launches", "lines", "findings"; `.output` is what the program printed. A finding, a broken condition
    of `require` and a program that fails raise Error, whose `result` has all that. The plot: y ("predicted_ms") of each kernel.

    Options of `agpusim exec`:
    machine (NAME=h200): the GPU that the program finds
    only (KERNEL): run this kernel only, mangled or as in the source; the others are skipped
    first (SIZE=0): launches of each kernel that are run, the others are skipped (0: run all)
    loop_seconds (SIZE=60): a CTA may compute while its warps only turn in their loops, before it is a deadlock (0: no
        limit)
    check (LIST=races,init,bounds,sync): races, init, bounds and sync with commas between them, or none
    require (CONDITION): '[kernel NAME[, launch K]:] cost op expression', such as 'kernel reduce: conflicts == 0'; exit
        code 7 where it does not hold
    require_file (FILE): a file of such conditions, one a line; # begins a comment
    against (FILE): what --json wrote before: which kernels and lines got dearer, exit code 7 where one did
    costs (LIST=ms,T,sectors,conflicts,atomics,barriers,local,registers): those that make a kernel dearer, with commas
        between them: ms, T, Q, sectors, wavefronts, conflicts, atomics, barriers, local, registers
    tolerance (PERCENT): by which they may grow (default: 10 for T, registers and ms, 0 for others)
    why (KERNEL): explain the predicted time of this kernel (none named: the one with most time), and what to change
    step (KERNEL[:LAUNCH]): print what a CTA of this kernel did, access by access, in place of the sheet (launch 1 where
        none is named)
    cta (SIZE=0): the CTA of --step
    at (SIZE): print the steps of --step around this one, and the memory after it
    strict: notes, of what is legal and probably not meant, are findings
    by_line: print all lines, launches and findings
    host_time: events of the program measure the wall clock, not the predicted time
    quiet_program: drop what the program prints on standard output
    functions: print the functions of the CUDA runtime, and which are supported
    json (FILE): also write the JSON
    html (FILE): also write a page
    markdown (FILE): also write what changed, findings and conditions as a comment
    sarif (FILE): also write findings, broken conditions and costs that rose, at their lines
    """


def build(*words: object, nvcc: _File = ...) -> str:
    """Builds a CUDA program for `exec` by its own recipe: `build("make", "-B")`. Returns what that prints.

    Options of `agpusim build`:
    nvcc (FILE): be this nvcc: what the one on PATH of a build calls
    """


def cc(*words: object) -> str:
    """Compiles a CUDA program for `exec` with clang, without CUDA: `cc("prog.cu", "-o", "prog")`. Returns what that prints."""


def ptx(
    *files: object, kernel: _Text = ..., grid: _Text = ..., block: _Text = ..., shared: _Number = ...,
    arg: _Text = ..., seed: _Number = ..., threads: _Number = ..., no_checks: bool = ..., registers: _Number = ...,
    why: bool = ..., opcodes: bool = ..., json: _File = ..., html: _File = ..., machine: _Text = ...,
    p: _Number = ..., b: _Number = ..., M: _Number = ..., w: _Number = ..., bank_mode: _Text = ...,
    assignment: _Text = ..., cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """A kernel of PTX files: T in time units, sectors, conflicts. The plot: y ("time") of its costliest lines.

    grid=(64, 2) and block=256 are the launch, arg=["in:u32:2^16", "out:u32:64:zeros", 65536] its arguments.

    Options of `agpusim ptx`:
    kernel (NAME): mangled or as in the source (default: the only one)
    grid (X[xY[xZ]]): CTAs of the launch
    block (X[xY[xZ]]): threads of a CTA
    shared (BYTES=0): dynamic shared memory of a CTA
    arg (ARGUMENT): of the kernel, in order: a number, or a buffer NAME:TYPE:COUNT[:CONTENT] whose content is iota
        (default), zeros, random or unwritten
    seed (NUMBER=1): seed of random contents
    threads (NUMBER=0): host threads (0: one per core)
    no_checks: do not look for races and unwritten memory
    registers (NUMBER): of a lane, as ptxas gives it, for the predicted time
    why: explain the predicted time, and what to change
    opcodes: print the instructions that are supported
    json (FILE): also write the JSON
    html (FILE): also write a page
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def algorithms() -> Rows:
    """The rows of the algorithm table: name, bounds, variants, types, inputs, parameters of each."""


def run(
    algorithm: str, n: object, *, variant: _Text = ..., type: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., no_checks: bool = ..., threads: _Number = ..., by_line: bool = ...,
    json: _File = ..., html: _File = ..., machine: _Text = ..., p: _Number = ..., b: _Number = ...,
    M: _Number = ..., w: _Number = ..., V: _Number = ..., bank_mode: _Text = ..., assignment: _Text = ...,
    cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """One run on AGPU(p, b, M, w): T in time units, Q in blocks, all counts. by_line=True: also table "lines".

    The plot: y ("T") of each phase.

    Options of `agpusim run`:
    n (SIZE): elements of the input (see `agpusim help sizes`)
    variant (NAME): form of the algorithm
    type (NAME): element type
    input (NAME): kind of input; also values:3,3,1,7 or file:NAME
    seed (NUMBER=1): seed of the input
    set (NAME=VALUE): parameter of the algorithm; may be repeated
    no_checks: do not enforce the rules of the machine
    threads (NUMBER=0): host threads (0: one per core)
    by_line: add what each source line of the kernels costs
    json (FILE): also write the JSON
    html (FILE): also write a page
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def step(
    algorithm: str, n: object, *, variant: _Text = ..., type: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., no_checks: bool = ..., pram: bool = ..., model: _Text = ...,
    limit: _Number = ..., phase: _Number = ..., task: _Number = ..., accesses: bool = ..., at: _Number = ...,
    json: _File = ..., html: _File = ..., svg: _File = ..., machine: _Text = ..., p: _Number = ...,
    b: _Number = ..., M: _Number = ..., w: _Number = ..., V: _Number = ..., bank_mode: _Text = ...,
    assignment: _Text = ..., cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """Every instruction of a small run, with its T in time units and Q in blocks, or every step on a PRAM: table "runs.steps".

    Options of `agpusim step`:
    n (SIZE): elements of the input (see `agpusim help sizes`)
    variant (NAME): form of the algorithm
    type (NAME): element type
    input (NAME): kind of input; also values:3,3,1,7 or file:NAME
    seed (NUMBER=1): seed of the input
    set (NAME=VALUE): parameter of the algorithm; may be repeated
    no_checks: do not enforce the rules of the machine
    pram: the row on a PRAM, where it is on both machines
    model (NAME): the PRAM, also one whose rules it breaks (default: the variant's own)
    limit (SIZE=100000): instructions, or PRAM operations, to record
    phase (NUMBER): record this phase only
    task (NUMBER): record this task only
    accesses: record accesses to memory only
    at (STEP): print the steps around this one (of a PRAM from 1), and the memory after it
    json (FILE): also write the JSON
    html (FILE): write a page instead, to step through
    svg (FILE): draw what the step --at accesses, as an image for a text or a slide
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def pram(
    algorithm: str, n: object, *, variant: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., threads: _Number = ..., json: _File = ..., html: _File = ...,
    svg: _File = ..., all_variants: bool = ..., model: _Text = ..., sum: _Text = ..., reads_per_step: _Number = ...,
    max_processors: _Number = ..., w: _Number = ..., processors: _Number = ..., efficiency: _Number = ...,
    work_span: bool = ..., dot: _File = ..., on_agpu: bool = ..., machine: _Text = ..., p: _Number = ...,
    b: _Number = ..., M: _Number = ..., V: _Number = ..., bank_mode: _Text = ..., assignment: _Text = ...,
    cap: _Number = ..., no_skip_empty: bool = ..., agpu_w: _Number = ...,
) -> Result:
    """One run on a PRAM: steps, processors, work in operations. The plot: y ("active" processors) of each step.

    Options of `agpusim pram`:
    n (SIZE): size of the input (see `agpusim help sizes`)
    variant (NAME): form of the algorithm
    input (NAME): kind of input; also values:3,3,1,7 or file:NAME
    seed (NUMBER=1): seed of the input
    set (NAME=VALUE): parameter of the algorithm; may be repeated
    threads (NUMBER=0): host threads (0: one per core)
    json (FILE): also write the JSON
    html (FILE): also write a page
    svg (FILE): also write the plots for print
    all_variants: one table: every variant on its own machine
    model (NAME): erew, crew, common, arbitrary, priority, sum, max, min, or, xor (default: the variant's own; see
        `agpusim help pram-machines`)
    sum (values|count=values): what a cell of a Sum-CRCW PRAM receives: the sum of the values, or the count of the
        writers
    reads_per_step (NUMBER=2): cells that a processor may read in one step, 1 to 16
    max_processors (SIZE=0): refuse a step with more processors (0: any)
    w (BITS=64): bits of a signed word, 2 to 64
    processors (P): schedule the run on P processors (Brent), correctly under Sum; of a list: speed-up and efficiency on
        each
    efficiency (PERCENT): look for the largest P with this efficiency
    work_span: work, span, parallelism and a critical path
    dot (FILE): write the graph of the computation for Graphviz
    on_agpu: price every step as a phase of an AGPU
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    agpu_w (SIZE): bits of a word of the AGPU
    """


def sweep(
    *programs: str, n: object, type: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., same_program: bool = ..., verify: bool = ...,
    simulate_limit: _Number = ..., device: _Text = ..., devices: _File = ..., shard: _Text = ...,
    threads: _Number = ..., mpi: bool = ..., rank_timeout: _Number = ..., out: _File = ..., fit: bool = ...,
    laws: bool = ..., json: _File = ..., html: _File = ..., svg: _File = ..., machine: _Text = ...,
    p: _Number = ..., b: _Number = ..., M: _Number = ..., w: _Number = ..., V: _Number = ...,
    bank_mode: _Text = ..., assignment: _Text = ..., cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """Counts, bounds and predicted_ms over sizes and machines; n, p, b, M, w, V may be lists. fit=True: also table "fits".

    The plot: y ("T") over n.

    Options of `agpusim sweep`:
    n (SIZES): elements of the input: a list of sizes and ranges (see `agpusim help sizes`)
    type (NAME): element type (default: the first of each row)
    input (NAME): kind of input (default: the first of each row)
    seed (NUMBER=1): seed of the input
    set (NAME=VALUES): parameter of every program that has it, a value or a list; may be repeated
    same_program: parameters by default are those of the largest p, on every p
    verify: simulate what is affordable though it is known, and compare
    simulate_limit (SIZE=2^28): most lane operations of a simulation; larger runs are extrapolated
    device (NAME): whose constants predict (default: the machine's)
    devices (DIR): folder of device files
    shard (I/N): count only every N-th point, from the I-th on; job: those of this process of a Slurm job array, mpirun
        or srun, in a FILE of its own
    threads (NUMBER=0): host threads (0: one per core)
    mpi: share the runs among the ranks of mpirun; rank 0 hands them out and writes
    rank_timeout (SECONDS=10): with --mpi: a rank that is silent for so long is taken for dead, and its runs are handed
        out again
    out (FILE): keep the points in this file; points that it has are not simulated again
    fit: find the law of every count and time, judged on the largest sizes
    laws: the same, and print a line for each law and no points
    json (FILE): also write the JSON
    html (FILE): also write a page
    svg (FILE): also write the plots for print
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def merge(
    *parts: object, out: _File = ..., fit: bool = ..., laws: bool = ..., json: _File = ..., html: _File = ...,
    svg: _File = ...,
) -> Result:
    """The points of several files of `sweep(..., out=FILE)`, as `sweep` returns them.

    Options of `agpusim merge`:
    out (FILE): also write all points into one file
    fit: find the law of every count and time, judged on the largest sizes
    laws: the same, and print a line for each law and no points
    json (FILE): also write the JSON
    html (FILE): also write a page
    svg (FILE): also write the plots for print
    """


def compare(
    *contestants: str, n: object, type: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., simulate: bool = ..., threads: _Number = ..., records: _File = ...,
    device: _Text = ..., devices: _File = ..., json: _File = ..., html: _File = ..., svg: _File = ...,
    machine: _Text = ..., p: _Number = ..., b: _Number = ..., M: _Number = ..., w: _Number = ..., V: _Number = ...,
    bank_mode: _Text = ..., assignment: _Text = ..., cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """Algorithms side by side: T, Q, predicted_ms and measured_ms in table "machines.rows", and where the order changes.

    The plot: y ("T") over n.

    Options of `agpusim compare`:
    n (SIZES): elements of the input: a list of sizes and ranges (see `agpusim help sizes`)
    type (NAME): element type (default: one that all have)
    input (NAME): kind of input (default: one that all have)
    seed (NUMBER=1): seed of the input
    set (NAME=VALUE): parameter of every contestant that has it; may be repeated
    simulate: simulate every affordable run and compare it with its reference and known counts
    threads (NUMBER=0): host threads (0: one per core)
    records (FILE): files or folders of times (default: the measurements that agpusim carries)
    device (NAME): whose constants and times (default: the machine's own, or the records')
    devices (DIR): folder of device files
    json (FILE): also write the JSON
    html (FILE): also write a page
    svg (FILE): also write the plots for print
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def predict(
    algorithm: str, n: object, *, variant: _Text = ..., type: _Text = ..., input: _Text = ..., seed: _Number = ...,
    set: Mapping[str, object] | None = ..., device: _Text = ..., devices: _File = ..., records: _File = ...,
    json: _File = ..., html: _File = ..., machine: _Text = ..., p: _Number = ..., b: _Number = ...,
    M: _Number = ..., w: _Number = ..., V: _Number = ..., bank_mode: _Text = ..., assignment: _Text = ...,
    cap: _Number = ..., no_skip_empty: bool = ...,
) -> Result:
    """What `agpusim why` prints: predicted_ms, its parts (table "resources", plotted) and what each count adds to it.

    Options of `agpusim why`:
    n (SIZE): elements of the input (see `agpusim help sizes`)
    variant (NAME): form of the algorithm
    type (NAME): element type
    input (NAME): kind of input; also values:3,3,1,7 or file:NAME
    seed (NUMBER=1): seed of the input
    set (NAME=VALUE): parameter of the algorithm; may be repeated
    device (NAME): whose constants predict (default: the machine's)
    devices (DIR): folder of device files, or one file
    records (PATH ...): record files or folders with a measured time (default: the measurements that agpusim carries)
    json (FILE): also write the JSON
    html (FILE): also write a page
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    """


def bounds(
    n: object = None, *, b: _Number = ..., M: _Number = ..., explain: bool = ..., k: _Number = ...,
    json: _File = ..., html: _File = ..., svg: _File = ...,
) -> Result:
    """The I/O of the sorts: Q in blocks and in passes of n/b blocks (table "rows.sorts", plotted), and the lower bound.

    Options of `agpusim bounds`:
    n (SIZES): keys (see `agpusim help sizes`)
    b (SIZE=32): words per block
    M (SIZES): words of shared memory of one multiprocessor
    explain: the counting argument, each inequality with its numbers
    k (SIZE=132): multiprocessors of --explain, if shared memory were not erased
    json (FILE): also write the JSON
    html (FILE): also write a page
    svg (FILE): also write the plots for print
    """


def pipeline(
    task: str, n: object, *, budget: _Number = ..., scheme: _Text = ..., exclusive: bool = ...,
    streams: _Number = ..., chunk: _Number = ..., device: _Text = ..., devices: _File = ..., simulate: bool = ...,
    seed: _Number = ..., json: _File = ..., html: _File = ..., machine: _Text = ..., p: _Number = ...,
    b: _Number = ..., M: _Number = ..., w: _Number = ..., V: _Number = ..., bank_mode: _Text = ...,
    assignment: _Text = ..., cap: _Number = ..., no_skip_empty: bool = ..., in_gbps: _Number = ...,
    out_gbps: _Number = ..., both_gbps: _Number = ..., latency_us: _Number = ..., host_gbps: _Number = ...,
    copy_engines: _Number = ..., pageable: bool = ...,
) -> Result:
    """The plan of a primitive on data larger than the device: seconds, bytes; table "operations" is plotted over time.

    Options of `agpusim pipeline`:
    n (SIZE): elements (see `agpusim help sizes`)
    budget (BYTES): device memory to use, for example 8GiB
    scheme (NAME): program (default: the task's first)
    exclusive: of scan: an element receives what lies before it, without itself
    streams (NUMBER=3): streams, 1 to 64
    chunk (SIZE): elements of a chunk (default: the power of two with the least time)
    device (NAME): whose constants (default: the machine's own)
    devices (DIR): folder of device files
    simulate: run it on the abstract machine (n <= 2^22) and check the result
    seed (NUMBER=1): seed of the simulated input
    json (FILE): also write the JSON
    html (FILE): also write a page
    machine (NAME=h200): named machine (see `agpusim help machines`)
    p (SIZE): cores in total
    b (SIZE): words per block = banks = cores per multiprocessor
    M (SIZE): words of shared memory of one multiprocessor
    w (SIZE): bits of a word
    V (SIZE): lanes of one task, a multiple of b (default: W*b)
    bank_mode (MODE=merge): requests to one word: merge or strict
    assignment (RULE=static): tasks to multiprocessors: static, list or next-fit
    cap (SIZE=0): time units per multiprocessor under next-fit (0: twice the average)
    no_skip_empty: charge warps without an active lane one idle instruction
    in_gbps (NUMBER): GB/s from host to device
    out_gbps (NUMBER): GB/s from device to host
    both_gbps (NUMBER): GB/s of both together (0: their sum)
    latency_us (NUMBER): us of a copy of no bytes
    host_gbps (NUMBER): GB/s of host memory (0: no limit)
    copy_engines (NUMBER): 1 or 2
    pageable: the host's arrays are in pageable memory
    """


def new(name: str, *, folder: _File = ..., pram: bool = ...) -> str:
    """Writes a project with an algorithm of your own. Returns what to do next.

    Options of `agpusim new`:
    folder (DIR): to make (default: the name)
    pram: a step program for a PRAM
    """


def analyze(
    *files: object, algorithm: _Text = ..., rows: bool = ..., algorithms: bool = ..., device: _Text = ...,
    n_min: _Number = ..., n_max: _Number = ..., json: _File = ..., html: _File = ..., verify: bool = ...,
    verify_all: bool = ..., counts: _File = ..., devices: _File = ..., threads: _Number = ..., mpi: bool = ...,
    rank_timeout: _Number = ...,
) -> Result:
    """predicted_ms beside measured_ms of records (files or folders; the bundled ones where none is named): plotted.

    Table "scores" has the errors of each algorithm, as fractions.

    Options of `agpusim analyze`:
    algorithm (NAME): only this one, with its runs
    rows: print every run
    algorithms: print a line for each algorithm and variant, not for each family only
    device (NAME): only this one (default: NVIDIA H200 of what agpusim carries)
    n_min (SIZE): smallest input
    n_max (SIZE): largest input
    json (FILE): also write the JSON
    html (FILE): where the report goes (default: agpusim-report.html; none with --json or --csv)
    verify: simulate again what takes a moment, and compare with derived and stored counts
    verify_all: also recompute the results of runs that are not simulated
    counts (FILE ...): files of `agpusim count --out`, beside the counts that agpusim carries
    devices (DIR): folder of device files
    threads (NUMBER=0): host threads (0: one per core)
    mpi: share the runs among the ranks of mpirun; rank 0 hands them out and writes
    rank_timeout (SECONDS=10): with --mpi: a rank that is silent for so long is taken for dead, and its runs are handed
        out again
    """


def validate(
    *, device: _Text = ..., most_mape: _Number = ..., ablation: bool = ..., json: _File = ..., html: _File = ...,
    out: _File = ..., own: _File = ...,
) -> Result:
    """How well times are predicted of runs that the model was not fitted to. Errors are fractions; the plot has them in %.

    Options of `agpusim validate`:
    device (NAME=NVIDIA H200): name of a device with measurements
    most_mape (PERCENT): fail (exit code 7) when the mean error with each algorithm left out is larger
    ablation: fit the model without each of its terms, too
    json (FILE): also write the JSON
    html (FILE): also write a page
    out (FILE.json): write the device file with the constants fitted here
    own (FILE.jsonl ...): score only the times in this file, of this program's own rows; may be repeated
    """


def experiment(
    name: str, *, measure: _File = ..., calibrate: _File = ..., quick: bool = ..., n_max: _Number = ...,
    max_seconds: _Number = ..., records: _File = ..., cub_records: _File = ..., devices: _File = ...,
    json: _File = ..., html: _File = ..., threads: _Number = ...,
) -> Result:
    """The repeated experiment of a paper: "integer-sorts", "statistics" or "out-of-core".

    Options of `agpusim experiment`:
    measure (FILE.jsonl): time every run on this machine's GPU (needs CUDA) and add the records to this file; runs it
        already has are skipped
    calibrate (FILE.jsonl): integer-sorts: time CUB radix sort by itself, for the prediction of its time, likewise
    quick: only small inputs: one per data set (integer-sorts), n <= 10^5 (statistics)
    n_max (SIZE): largest input
    max_seconds (NUMBER): start no run after this many seconds of either measurement
    records (FILE.jsonl): analyse these files (default: the measurements that agpusim carries)
    cub_records (FILE.jsonl): integer-sorts: what --calibrate measured (default: the measurements that agpusim carries)
    devices (DIR): folder of device files
    json (FILE): also write the JSON
    html (FILE): also write a page
    threads (NUMBER=0): host threads (0: one per core)
    """


def count(
    *records: object, out: _File = ..., max_seconds: _Number = ..., check: bool = ..., compiled: bool = ...,
    threads: _Number = ..., mpi: bool = ..., rank_timeout: _Number = ..., json: _File = ..., html: _File = ...,
) -> Result:
    """Counts recorded runs and stores the counts: table "added". The plot: y ("T") over n.

    Options of `agpusim count`:
    out (FILE): file of stored counts to add to (default: those which agpusim carries)
    max_seconds (SECONDS): start no count after so much time
    check: compare the stored counts with what this agpusim simulates; adds nothing
    compiled: count the kernels as nvcc has compiled them, from which times are predicted
    threads (NUMBER=0): host threads (0: one per core)
    mpi: share the runs among the ranks of mpirun; rank 0 hands them out and writes
    rank_timeout (SECONDS=10): with --mpi: a rank that is silent for so long is taken for dead, and its runs are handed
        out again
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def measure(
    *, algorithm: _Text = ..., variant: _Text = ..., machine: _Text = ..., input: _Text = ...,
    set: Mapping[str, object] | None = ..., n_min: _Number = ..., n_max: _Number = ..., again: _File = ...,
    out: _File = ..., plan: _Text = ..., profile: bool = ..., max_seconds: _Number = ..., json: _File = ...,
    html: _File = ...,
) -> Result:
    """Measures the algorithms on this machine's GPU: times in ms in table "plans.runs". The plot: y ("median_ms") over n.

    Options of `agpusim measure`:
    algorithm (NAME): only these; may be repeated; also the library's cub_reduce, cub_scan, cub_merge_sort,
        cub_radix_sort_keys, few_values_sort, cub_radix_sort_pairs
    variant (NAME): only runs of this variant; may be repeated
    machine (NAME): only on this machine; may be repeated (default: h200, h200-wide, h200-full)
    input (NAME): times of this kind of input at every power of two; may be repeated (default: the row's first kind at
        all sizes, the others at 2^20)
    set (NAME=VALUE): parameter of all these algorithms, but not of peers; may be repeated
    n_min (SIZE=2^10): smallest input
    n_max (SIZE=2^26): largest input
    again (FILE.jsonl): the timed runs of this file, of all sizes, into another one
    out (FILE.jsonl): file that the records are added to; runs it already has are skipped (default: agpusim-times.jsonl,
        with --profile agpusim-plan.jsonl)
    plan (NAME=default): what to run: default (times) or profile
    profile: run everything once for Nsight Compute and write the plan for import-counters
    max_seconds (NUMBER): start no run after this many seconds
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def import_counters(plan: object, profile: object, *, out: _File = ..., json: _File = ..., html: _File = ...) -> Result:
    """Turns a profile of Nsight Compute into counter records: table "kernels".

    Options of `agpusim import-counters`:
    out (FILE.jsonl): record file that the counters are added to
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def calibrate(*, out: _File = ..., only: _Text = ..., json: _File = ..., html: _File = ...) -> Result:
    """Measures the constants of this machine's GPU: table "constants".

    Options of `agpusim calibrate`:
    out (FILE.json): device file to write
    only (TEXT): measure just these constants and keep the others of the file: link (copies, library sorts and the host)
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def exercises(*, with_: _File = ..., json: _File = ..., html: _File = ...) -> Rows:
    """The exercises, each with its machine and what it is about.

    Options of `agpusim exercise list`:
    with_ (FOLDER ...): exercises of your own, or a folder of such
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def grade(
    *answers: object, as_: _Text = ..., with_: _File = ..., seed: _Number = ..., threads: _Number = ...,
    seconds: _Number = ..., verbose: bool = ..., pages: _File = ..., moodle: _File = ..., gradescope: _File = ...,
    json: _File = ..., html: _File = ...,
) -> Result:
    """Compiles, runs and marks answers to exercises: files, folders, zip archives. Those without all marks raise Error,
    whose `result` has them: table "answers", or "of" and "costs" of one answer alone. The plot: marks, or costs.

    Options of `agpusim exercise grade`:
    as_ (NAME): the exercise (default: by the name of the file)
    with_ (FOLDER ...): exercises of your own, or a folder of such
    seed (NUMBER=1): of sizes and hostile inputs
    threads (COUNT): answers at a time (default: all cores)
    seconds (COUNT): that an answer may take
    verbose: all that the compiler says
    pages (FOLDER): a page for each answer, to hand back
    moodle (FILE): a worksheet of grades for Moodle, CSV
    gradescope (FILE): results.json of an autograder
    json (FILE): also write the JSON
    html (FILE): also write a page
    """


def records(path: object) -> Rows:
    """The records of a JSON Lines file of `measure`, one object a line (docs/reference/formats.md)."""
