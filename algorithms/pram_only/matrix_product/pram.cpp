#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

// c = a·b for n x n matrices; x is a and then b, in row-major order.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t largest_order = std::int64_t{1} << 20;

/// Also of a run, whose 2n² numbers must be countable before there is room for them.
void refuse_large_order(const RunConfig& config) {
  if (config.n > largest_order) {
    throw UsageError(
        fmt::format("{}: n = {} is the order of the matrices; at most 2^20 is possible",
                    config.algorithm, config.n));
  }
}

Numbers generate_matrices(const RunConfig& config) {
  RunConfig words = config;
  words.n = 2 * config.n * config.n;
  return generate_numbers(words);
}

Numbers reference(const Numbers& x, std::int64_t order) {
  const auto n = static_cast<std::size_t>(order);
  Numbers c(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x[i * n + k] * x[n * n + k * n + j];
    }
  }
  return c;
}

/// The matrices on the machine, and what a processor reads of them.
struct Matrices {
  PramArray x;
  std::int64_t n = 0;

  /// a[i][k]·b[k][j].
  [[nodiscard]] std::int64_t product(PramProcessor& p, std::int64_t i, std::int64_t j,
                                     std::int64_t k) const {
    return multiply_words(p.read(x, i * n + k), p.read(x, n * n + k * n + j));
  }
};

PramArray add_in_one_step(Pram& pram, const Matrices& ab) {
  const std::int64_t square = ab.n * ab.n;
  const PramArray c = pram.array(square, "c");
  pram.step("add all products", square * ab.n, [&](PramProcessor& p) {
    const std::int64_t ij = p.id() % square;
    p.write(c, ij, ab.product(p, ij / ab.n, ij % ab.n, p.id() / square));
  });
  return c;
}

PramArray add_by_trees(Pram& pram, const Matrices& ab) {
  const std::int64_t square = ab.n * ab.n;
  const PramArray c = pram.array(square, "c");
  const PramArray products =
      ab.n == 1 ? c : pram.array(square * ab.n, "products");  // i, j, k are at k·n² + i·n + j
  pram.step("products", square * ab.n, [&](PramProcessor& p) {
    const std::int64_t ij = p.id() % square;
    p.write(products, p.id(), ab.product(p, ij / ab.n, ij % ab.n, p.id() / square));
  });
  for (std::int64_t left = ab.n; left > 1; left -= left / 2) {
    const std::int64_t half = left - left / 2;
    const PramArray& to = left == 2 ? c : products;
    pram.step("add pairs", square * (left / 2), [&](PramProcessor& p) {
      const std::int64_t sum = p.read(products, p.id());
      p.write(to, p.id(), add_words(sum, p.read(products, p.id() + half * square)));
    });
  }
  return c;
}

/// A processor for every number of c. In step t all of row i read a[i][t], or, `rotated`,
/// processor (i, j) reads a[i][k] with k = (i + j + t) mod n: each another one.
PramArray add_one_by_one(Pram& pram, const Matrices& ab, bool rotated) {
  const std::int64_t n = ab.n;
  const PramArray c = pram.array(n * n, "c");
  Numbers sum(static_cast<std::size_t>(n * n), 0);  // registers
  for (std::int64_t t = 0; t < n; ++t) {
    pram.step("add a product", n * n, [&](PramProcessor& p) {
      const std::int64_t i = p.id() / n;
      const std::int64_t j = p.id() % n;
      std::int64_t& own = sum[static_cast<std::size_t>(p.id())];
      own = add_words(own, ab.product(p, i, j, rotated ? (i + j + t) % n : t));
      if (t == n - 1) p.write(c, p.id(), own);
    });
  }
  return c;
}

PramRunResult run(const RunConfig& config, const PramOptions& options) {
  refuse_large_order(config);
  return run_pram(
      config, options, 2 * config.n * config.n, generate_matrices,
      [&](Pram& pram, const PramArray& x) -> Numbers {
        const Matrices ab{x, config.n};
        if (config.n == 0) return {};
        if (config.variant == "sum_crcw") return pram.values(add_in_one_step(pram, ab));
        if (config.variant == "trees") return pram.values(add_by_trees(pram, ab));
        return pram.values(add_one_by_one(pram, ab, config.variant == "rotated"));
      },
      [&](const Numbers& x) { return reference(x, config.n); });
}

PramForm closed_form(const RunConfig& config) {
  const std::int64_t n = config.n;
  const std::int64_t cube = n * n * n;
  if (n == 0) return {};
  if (config.variant == "sum_crcw") return step_form(cube);
  if (config.variant == "trees") return {1 + ceil_lg(n), cube, cube + n * n * (n - 1)};
  return {n, n * n, cube};
}

}  // namespace

void register_pram_matrix_product(Registry& registry) {
  PramSide row;
  row.summary = "product of two n x n matrices";
  row.variants = {
      pram_variant("sum_crcw",
                   "a processor for every product, which one cell of the result adds up",
                   growth::of_n("1 step, n^3 processors", growth::one, growth::cube, growth::cube),
                   "theory 2.2", {PramAccess::sum}),
      pram_variant("trees", "a processor for every product; n^2 trees add them up",
                   growth::of_n("ceil(lg n) + 1 steps, n^3 processors, work 2n^3 - n^2",
                                growth::log, growth::cube, growth::cube),
                   "JaJa, An Introduction to Parallel Algorithms, 1992", machines_of_crew()),
      pram_variant("rows", "a processor for every number of the result; a row reads one number",
                   growth::of_n("n steps, n^2 processors, work n^3", growth::linear, growth::square,
                                growth::cube),
                   "the sequential algorithm", machines_of_crew()),
      pram_variant("rotated", "in step t processor (i, j) adds product (i + j + t) mod n",
                   growth::of_n("n steps, n^2 processors, work n^3", growth::linear, growth::square,
                                growth::cube),
                   "Cannon, PhD thesis, Montana State University, 1969", machines_of_erew())};
  row.inputs = number_kinds();
  row.check = [](const RunConfig& config) {
    refuse_count_reading(config);
    refuse_large_order(config);
    refuse_given_values(config, "it makes its matrices itself, for example --n 8 --input ones");
  };
  row.run = run;
  row.closed_form = closed_form;
  registry.add("matrix_product", std::move(row));
}

}  // namespace agpusim
