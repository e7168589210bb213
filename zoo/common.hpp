#pragma once

#include <agpusim/agpusim.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace zoo {

/// The number of a lane among the lanes of all tasks: blockIdx.x * blockDim.x + threadIdx.x.
template <class Mp>
[[nodiscard]] AGPUSIM_FN auto global_index(const Mp& mp) {
  return mp.lane() + static_cast<std::int32_t>(mp.task() * mp.width());
}

/// n as kernels take it.
template <class Run>
[[nodiscard]] std::int32_t length(const Run& run) {
  return static_cast<std::int32_t>(run.n());
}
/// A parameter as kernels take it.
template <class Run>
[[nodiscard]] std::int32_t setting(const Run& run, const char* name) {
  return static_cast<std::int32_t>(run.parameter(name));
}
/// A parameter as references take it.
[[nodiscard]] inline std::size_t setting(const agpusim::RunConfig& run, const char* name) {
  return static_cast<std::size_t>(run.parameters.at(name));
}

[[nodiscard]] inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}
/// The side of the largest square of at most n elements.
[[nodiscard]] inline std::int32_t side_of(std::int64_t n) {
  std::int32_t side = 1;
  while (std::int64_t{side + 1} * (side + 1) <= n) ++side;
  return side;
}

/// The values of(0), of(1), ..., of(size - 1).
template <class F>
[[nodiscard]] auto vector_of(std::int64_t size, F of) {
  std::vector<decltype(of(std::int64_t{}))> values(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) values[static_cast<std::size_t>(i)] = of(i);
  return values;
}
[[nodiscard]] inline std::vector<std::uint32_t> zeros(std::int64_t size) {
  return std::vector<std::uint32_t>(static_cast<std::size_t>(size), 0);
}
/// A second input, of random bits.
[[nodiscard]] inline std::vector<std::uint32_t> words(std::int64_t size) {
  return vector_of(size, [](std::int64_t i) {
    return static_cast<std::uint32_t>(agpusim::random_bits(7, static_cast<std::uint64_t>(i)) >> 32);
  });
}
/// A second input, of numbers in [0, 1).
[[nodiscard]] inline std::vector<float> numbers(std::int64_t size) {
  return vector_of(size, [](std::int64_t i) {
    return static_cast<float>(agpusim::random_bits(8, static_cast<std::uint64_t>(i)) >> 40) /
           16777216.0F;
  });
}
/// The numbers 0, 1, ..., size - 1 in random order.
[[nodiscard]] inline std::vector<std::int32_t> permutation(std::int64_t size) {
  auto order = vector_of(size, [](std::int64_t i) { return static_cast<std::int32_t>(i); });
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[agpusim::random_bits(9, i) % i]);
  }
  return order;
}

/// What a warp gets from v = v + shuffle(v, lane ^ distance) for the distances 16, 8, 4, 2, 1.
[[nodiscard]] inline float butterfly(std::vector<float> lanes) {
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    for (std::size_t i = 0; i < distance; ++i) lanes[i] += lanes[i + distance];
  }
  return lanes[0];
}

/// The program of a kernel whose lanes make an element each of the array `out` from the input. The
/// kernel knows n and these parameters.
template <class Kernel, class... Names>
[[nodiscard]] auto each_lane(const char* out, Names... parameters) {
  return [=](auto& run) {
    const auto in = run.input();
    const auto made = run.array(run.n(), out);
    run.launch(run.tasks_of(run.width()), Kernel{length(run), setting(run, parameters)...}, in,
               made);
    run.result(made);
  };
}
/// The reference that makes of(x) of each element x.
template <class F>
[[nodiscard]] auto each_element(F of) {
  return [of](auto elements) {
    for (auto& x : elements) x = of(x);
    return elements;
  };
}

/// A row for elements of type T. Kernels have 32-bit indices and know that a warp has 32 lanes.
template <class T, class Program, class Reference>
[[nodiscard]] agpusim::OwnAlgorithm row_of(std::string name, std::string summary,
                                           const Program& program, const Reference& reference,
                                           agpusim::Bound io = {}) {
  auto row = agpusim::algorithm<T>(std::move(name), program, reference);
  row.summary = std::move(summary);
  row.io = std::move(io);
  row.check = [](const agpusim::RunConfig& run) {
    if (run.spec.block_words != 32) throw agpusim::UsageError("warps have 32 lanes: choose b = 32");
    if (run.n > (1 << 26)) throw agpusim::UsageError("indices have 32 bits: choose n up to 2^26");
  };
  return row;
}
/// Q = factor * n / b, which `text` says.
[[nodiscard]] inline agpusim::Bound io_of(std::string text, double factor) {
  return {std::move(text), [factor](const agpusim::RunConfig& run) {
            return factor * static_cast<double>(run.n) / run.spec.block_words;
          }};
}
/// The bound of a row whose work grows as n^2.
[[nodiscard]] inline agpusim::Bound quadratic_time() {
  return {"n^2/p", [](const agpusim::RunConfig& run) {
            return static_cast<double>(run.n) * static_cast<double>(run.n) /
                   static_cast<double>(run.spec.cores);
          }};
}
[[nodiscard]] inline agpusim::Parameter parameter(std::string name, std::string help,
                                                  std::int64_t value) {
  return {std::move(name), std::move(help), [value](const agpusim::RunConfig&) { return value; }};
}
[[nodiscard]] inline agpusim::Variant variant(std::string name, std::string help) {
  agpusim::Variant form;
  form.name = std::move(name);
  form.help = std::move(help);
  return form;
}

}  // namespace zoo
