#pragma once

// All that an algorithm of its own needs: #include <agpusim/agpusim.hpp>. Under nvcc the same lines
// give it a CUDA half as well.

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/simulate.hpp"
#include "agpusim/cuda/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/agpu/require_cost.hpp"
#include "agpusim/model/elementary.hpp"
#include "agpusim/model/fn.hpp"
#include "agpusim/model/loop.hpp"
#ifdef __CUDACC__
#include "agpusim/cli/own_cuda.cuh"
#endif

namespace agpusim {

/// A row for agpusim::main. Every field but name, program and reference may stay empty.
struct OwnAlgorithm : Algorithm {
  CudaRegistry::Factory cuda;  ///< empty where the source was not compiled as CUDA
  /// Rows that are written alike: `validate --own` predicts each style by the others. Empty: a
  /// style of its own.
  std::string style;
};

/// A row for elements of `Type` and `More`. `program(run)` asks an OwnRun for arrays and launches;
/// `reference(elements)`, or `reference(elements, config)` where the result depends on variant or
/// parameters, returns the vector that must result. Both are templates, for example lambdas of
/// `auto`.
/// Without a reference the result is not checked; on a GPU it must be that of the abstract machine.
template <class Type = std::uint32_t, class... More, class Program, class... Reference>
[[nodiscard]] OwnAlgorithm algorithm(std::string name, const Program& program,
                                     const Reference&... reference) {
  OwnAlgorithm own;
  static_cast<Algorithm&>(own) =
      own_row<SimulatedDevice, Type, More...>(std::move(name), program, reference...);
#ifdef __CUDACC__
  own.cuda = own_cuda_half<Type, More...>(program);
#endif
  return own;
}

/// A row on a PRAM of the given access rule: `program(pram, x)` or `program(config, pram, x)` gives
/// the output, where x is an array of n numbers, and `reference(numbers)` what it must be. A closed
/// form of steps, processors and work can be set on what it returns: row.pram->closed_form.
template <class Program, class Reference>
[[nodiscard]] OwnAlgorithm pram_algorithm(std::string name, PramAccess access,
                                          const Program& program, const Reference& reference) {
  const auto run = [program](const RunConfig& config, Pram& pram, const PramArray& x) {
    if constexpr (std::is_invocable_v<Program, const RunConfig&, Pram&, const PramArray&>) {
      return program(config, pram, x);
    } else {
      return program(pram, x);
    }
  };
  OwnAlgorithm own;
  own.name = std::move(name);
  own.pram = side_on_numbers({number_kinds(), generate_numbers}, run, reference, nullptr);
  own.pram->summary = "a step program of one's own";
  // What is right without concurrent accesses is right with them.
  own.pram->variants = {pram_variant("plain", "the program as it is", {"none known"}, "own",
                                     access == PramAccess::erew   ? machines_of_erew()
                                     : access == PramAccess::crew ? machines_of_crew()
                                                                  : std::vector{access})};
  return own;
}

/// The whole command line, for these algorithms beside the bundled ones. Returns the exit code.
int main(int argc, char** argv, std::vector<OwnAlgorithm> rows = {});

}  // namespace agpusim
