#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/commands/exercise/wire.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/pram/spec.hpp"

// One run that the judge asks an answer's program for, and the forms of the reply.
namespace agpusim::exercise {

/// Drawn anew for every run; the reply begins with it.
using Nonce = std::int64_t;

/// An argument of a CUDA kernel: an array from a word on, or an int.
struct CudaArgument {
  enum Kind : std::uint8_t { in, out, scratch, number };
  Kind kind = number;
  std::int64_t value = 0;

  CudaArgument(Kind its_kind, std::int64_t its_value) : kind(its_kind), value(its_value) {}
  CudaArgument(std::int64_t its_value) : value(its_value) {}
};
[[nodiscard]] inline CudaArgument in_at(std::int64_t word) { return {CudaArgument::in, word}; }
[[nodiscard]] inline CudaArgument out_at(std::int64_t word) { return {CudaArgument::out, word}; }
[[nodiscard]] inline CudaArgument scratch_at(std::int64_t word) {
  return {CudaArgument::scratch, word};
}
/// Sizes in x and y.
struct CudaSize {
  std::int64_t x = 1;
  std::int64_t y = 1;
};
struct CudaLaunch {
  std::string kernel;
  CudaSize grid;
  CudaSize block;
  std::vector<CudaArgument> arguments;
};

struct KernelCase {
  Nonce nonce = 0;
  AgpuSpec spec;
  std::vector<std::uint32_t> in;
  std::int64_t out = 0;                   ///< words
  std::vector<CudaLaunch> launches = {};  ///< kernels of an answer in CUDA
  std::int64_t scratch = 0;               ///< words that are 0, for these
  bool out_is_zeroed = false;  ///< for these; else nobody may read it before it is written
};
struct PramCase {
  Nonce nonce = 0;
  PramSpec spec;
  std::vector<std::int64_t> in;
  std::int64_t out = 0;
};

/// What "out" holds before the run.
inline constexpr std::uint32_t unwritten_word = 0xdeadbeef;

enum class Ending : std::uint8_t { came_to_its_end, broke_a_rule, failed };

/// What follows in the trace of a run on AGPU.
namespace tag {
inline constexpr std::int64_t end = 0;
inline constexpr std::int64_t phase = 1;
inline constexpr std::int64_t task = 2;
inline constexpr std::int64_t instruction = 3;
}  // namespace tag

[[nodiscard]] inline std::string request(const KernelCase& given) {
  Writer to;
  to.number(given.nonce);
  for (const std::int64_t value :
       {given.spec.cores, std::int64_t{given.spec.block_words}, given.spec.shared_words,
        std::int64_t{given.spec.width}, given.out}) {
    to.number(value);
  }
  to.words(given.in);
  to.number(given.scratch);
  to.number(given.out_is_zeroed ? 1 : 0);
  to.number(static_cast<std::int64_t>(given.launches.size()));
  for (const CudaLaunch& launch : given.launches) {
    to.text(launch.kernel);
    for (const CudaSize& size : {launch.grid, launch.block}) {
      to.number(size.x);
      to.number(size.y);
    }
    to.number(static_cast<std::int64_t>(launch.arguments.size()));
    for (const CudaArgument& argument : launch.arguments) {
      to.number(argument.kind);
      to.number(argument.value);
    }
  }
  return to.bytes();
}
[[nodiscard]] inline KernelCase read_kernel_case(const std::string& bytes) {
  Reader from(bytes);
  KernelCase given;
  given.nonce = from.number();
  given.spec.cores = from.number();
  given.spec.block_words = static_cast<std::int32_t>(from.number());
  given.spec.shared_words = from.number();
  given.spec.width = static_cast<std::int32_t>(from.number());
  given.out = from.number();
  given.in = from.words<std::vector<std::uint32_t>>();
  given.scratch = from.number();
  given.out_is_zeroed = from.number(0, 1) != 0;
  given.launches.resize(static_cast<std::size_t>(from.count()));
  for (CudaLaunch& launch : given.launches) {
    launch.kernel = from.text();
    for (CudaSize* size : {&launch.grid, &launch.block}) *size = {from.number(), from.number()};
    for (std::int64_t left = from.count(); left > 0; --left) {
      const auto kind = static_cast<CudaArgument::Kind>(from.number(0, CudaArgument::number));
      launch.arguments.emplace_back(kind, from.number());
    }
  }
  from.end();
  return given;
}

[[nodiscard]] inline std::string request(const PramCase& given) {
  Writer to;
  to.number(given.nonce);
  to.text(to_string(given.spec.access));
  to.number(given.spec.word_bits);
  to.number(given.spec.reads_per_step);
  to.number(static_cast<std::int64_t>(given.spec.seed));
  to.number(given.out);
  to.words(given.in);
  return to.bytes();
}
[[nodiscard]] inline PramCase read_pram_case(const std::string& bytes) {
  Reader from(bytes);
  PramCase given;
  given.nonce = from.number();
  given.spec.access = parse_pram_access(from.text());
  given.spec.word_bits = static_cast<std::int32_t>(from.number());
  given.spec.reads_per_step = static_cast<std::int32_t>(from.number());
  given.spec.seed = static_cast<std::uint64_t>(from.number());
  given.out = from.number();
  given.in = from.words<std::vector<std::int64_t>>();
  from.end();
  return given;
}

}  // namespace agpusim::exercise
