#include "agpusim/commands/help/help_vocabulary.hpp"

#include <vector>

#include <fmt/format.h>

#include "agpusim/model/agpu/trigonometry.hpp"

namespace agpusim {
namespace {

/// An example of a word, its time (theory 1.2), what it does, and what it is on CUDA.
struct Word {
  const char* example;
  std::string time;
  const char* meaning;
  const char* cuda;
};

struct Group {
  const char* heading;
  std::vector<Word> words;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"The task",
       {{"mp.lane()", "0", "lane value 0 .. V-1", "threadIdx.x, modulo 32 where V = 32"},
        {"mp.width(), mp.warp_width()", "0", "V and b, plain int", "32 or blockDim.x; 32"},
        {"mp.task()", "0", "number of the task in its phase", "from blockIdx.x"},
        {"mp.lanes_per_pass<T>()", "0", "lanes that one pass over the banks serves", "a constant"},
        {"mp.varying(x)", "0", "plain x as a lane value, the same in every lane", "x"},
        {"mp.uniform(v)", "0", "lane value v as plain C++; error: active lanes differ", "v"},
        {"mp.sync()", "0", "barrier of the task; error: not all lanes reach it",
         "__syncwarp, __syncthreads"},
        {"auto t = mp.turns(); s = t.next(s, end, V)", "0",
         "marks a loop whose turns cost the same", "s"}}},
      {"Control flow where lanes differ (plain if, for, while and functions are free)",
       {{"mp.when(c, [&] { ... })", "body", "runs the body for the lanes where c holds", "if"},
        {"mp.when(c, [&] { ... }, [&] { ... })", "both bodies", "one side, then the other",
         "if, else"},
        {"mp.while_any([&] { return c; }, [&] { ... })", "all turns",
         "condition and body, until c holds in no lane", "while"},
        {"for_lanes(mp, n, [&](auto i) { ... })", "1 a turn, bodies",
         "i = 0 .. n-1, V lanes a turn; 1 more in a last partial turn", "the same loop"},
        {"stream_lanes(mp, n, load, use)", "as for_lanes",
         "the reads of up to 4 turns are issued before the first use", "the same loop"}}},
      {"Memory (i: int32 lane value)",
       {{"auto s = mp.template shared<T>(size)", "0", "array of the task in shared memory",
         "dynamic shared memory"},
        {"s.size()", "0", "its elements, plain int", "size"},
        {"auto g = view.from(offset)", "0", "global array seen from a 64-bit offset on",
         "pointer + offset"},
        {"g.read(i), g.write(i, v)", "blocks", "global memory; the I/O Q grows by as many blocks",
         "load, store"},
        {"s.read(i), s.write(i, v)", "wavefronts", "shared memory", "load, store"},
        {"g.read_wide<2>(i), g.write_wide(i, r)", "blocks",
         "2 or 4 neighbours of each lane, 8 or 16 bytes, aligned", "64- or 128-bit load, store"},
        {"s.read_wide<4>(i), s.write_wide(i, r)", "wavefronts",
         "the same in shared memory; elements of 32 or 64 bits", "64- or 128-bit load, store"},
        {"g.atomic_add(i, v), _max, _min", "blocks + m - 1",
         "m = the most lanes on one element; returns nothing", "atomicAdd, Max, Min"},
        {"s.atomic_add(i, v), _max, _min", "bank queue", "returns nothing", "atomicAdd, Max, Min"},
        {"s.fetch_add(i, v)", "bank queue",
         "returns what was there; error: the order is not certain", "atomicAdd"}}},
      {"Operators of lane values (each also with one plain operand)",
       {{"a + b, a - b, a * b", "1", "numbers of 32 or 64 bits; signed overflow is an error",
         "the operator"},
        {"a / b, a % b", "1", "floating point; of integers b is plain; no % of floating point",
         "the operator"},
        {"a & b, a | b, a ^ b, a << b, a >> b", "1", "integers; & | ^ also truth values",
         "the operator"},
        {"a < b, <=, >, >=, ==, !=", "1", "a truth value per lane", "the operator"},
        {"c && d, c || d, !c", "1", "truth values; both sides are computed", "the operator"},
        {"a = b", "0", "changes the active lanes", "="}}},
      {"Functions of lane values",
       {{"min(a, b), max(a, b)", "1", "the smaller, the larger", "a choice by <"},
        {"select(c, a, b)", "1", "a where c holds, else b; no divergence", "?:"},
        {"fma(a, b, c)", "1", "a*b + c of floating point, rounded once", "fma"},
        {"cast<T>(a)", "1", "another type; error: an integer type that a does not fit",
         "static_cast"},
        {"popcount(a), highest_bit(a)", "1", "unsigned; highest_bit(0) is -1",
         "__popc, 31 - __clz"},
        {"abs(a), floor(a), sqrt(a)", "1", "abs also of signed integers; sqrt as a division",
         "fabs, floor, sqrt"},
        {"bit_cast<T>(a)", "0", "the same bits as another type", "the same register"},
        {"exp(a), log(a), tanh(a), pow(a, b)", "17, 27, 34, 47",
         "float; sequences of these words, the same bits everywhere", "the same words"},
        {"sin(a), cos(a), rsqrt(a)", "23, 23, 2", "float, |a| up to 30,000; rsqrt is 1 / sqrt",
         "the same words"},
        {"sin(a), cos(a)", fmt::format("{}", trigonometric_instructions),
         "of double; the header is named below", "sin, cos"},
        {"mp.vote(c)", "1", "bit i: c in lane i of the warp; b at most 32", "__ballot_sync"},
        {"mp.shuffle(v, j)", "1", "v of lane j of the warp; 32 or 64 bits", "__shfl_sync"},
        {"make_registers<k>(f), registers_of<k>(v)", "0", "k lane values r[0] .. r[k-1]",
         "registers"}}},
  };
  return all;
}

}  // namespace

std::string vocabulary_text() {
  std::string text =
      "The words of a kernel: example, time, meaning, what it is on CUDA.\n\n"
      "Time is of one warp (b lanes); a warp without an active lane costs nothing. A lane value\n"
      "(`auto`, or typename Mp::template Lane<T>) has one value per lane; everything else is "
      "plain\n"
      "C++ and free. A word of time 1 is one instruction, also for elements of 64 bits.\n"
      "  blocks      different blocks of b words of global memory that the lanes touch\n"
      "  wavefronts  passes over the b banks of shared memory\n"
      "  bank queue  most lanes at one bank, also where they access one word\n";
  for (const Group& group : groups()) {
    text += fmt::format("\n{}\n", group.heading);
    for (const Word& word : group.words) {
      text += fmt::format("  {:<44}  {:<18}  {:<61}  {}\n", word.example, word.time, word.meaning,
                          word.cuda);
    }
  }
  return text +
         "\nexp, log, tanh, sin, cos and rsqrt of float are off by two units of the last place at\n"
         "most, pow by 2^-23 (1 + |b ln a|) of its value; exp is 0 below 2^-125. sin and cos of "
         "double\n"
         "need #include \"agpusim/model/agpu/trigonometry.hpp\", on CUDA "
         "\"agpusim/model/trigonometry.hpp\".\n"
         "\nThere is no word for:\n"
         "  functions    exp and its like of double\n"
         "  operators    -a (write 0 - a), ~a, a += b, ++a, c ? a : b (write select), integer "
         "division\n"
         "               by a lane value\n"
         "  atomics      compare-and-swap, exchange; any of floating-point numbers, of 8 or of 16 "
         "bits;\n"
         "               on global memory any that returns a value\n"
         "  memory       textures, constant memory, pointers, asynchronous copies\n"
         "  instructions matrix units, reductions of a warp in one instruction\n"
         "  barriers     between tasks: end the launch and begin another\n";
}

}  // namespace agpusim
