#pragma once

#include <agpusim/agpusim.hpp>
#include <utility>
#include <vector>

#include "access.hpp"
#include "arithmetic.hpp"
#include "barriers.hpp"
#include "csr.hpp"
#include "divergent.hpp"
#include "elementwise.hpp"
#include "frontier.hpp"
#include "grid_stride.hpp"
#include "halo.hpp"
#include "inner_loop.hpp"
#include "many_launches.hpp"
#include "mixed_types.hpp"
#include "one_cta.hpp"
#include "pointer_chase.hpp"
#include "private_histogram.hpp"
#include "register_tile.hpp"
#include "small_grids.hpp"
#include "transcendental.hpp"
#include "warp_rows.hpp"
#include "warp_words.hpp"

namespace zoo {

/// Every row; the files are the styles.
[[nodiscard]] inline std::vector<agpusim::OwnAlgorithm> rows() {
  std::vector<agpusim::OwnAlgorithm> all;
  const auto add = [&](const char* style, std::vector<agpusim::OwnAlgorithm> of_style) {
    for (agpusim::OwnAlgorithm& row : of_style) {
      row.style = style;
      all.push_back(std::move(row));
    }
  };
  add("access", {column_sums(), gather(), permute(), strided_copy()});
  add("arithmetic", {digit_sum(), gcd(), horner(), modular_power()});
  add("barriers", {odd_even(), shared_tree(), tile_scan()});
  add("csr", {degree_count(), neighbour_max(), spmv()});
  add("divergent", {bit_loop(), collatz_steps(), mandelbrot(), table_lookup()});
  add("elementwise", {clamp(), polynomial(), saxpy()});
  add("frontier", {active_vertices(), bfs(), filter()});
  add("grid_stride", {dot(), grid_copy(), grid_sum()});
  add("halo", {box_blur(), stencil_1d(), stencil_2d()});
  add("inner_loop", {closest(), convolution(), pair_distances()});
  add("many_launches", {axpy_steps(), doubling_max(), jacobi()});
  add("mixed_types", {axpy_f64(), grey(), hash_mix(), short_sums()});
  add("one_cta", {grid_path(), recurrence()});
  add("pointer_chase", {cycle_steps(), list_hops(), tree_descent()});
  add("private_histogram", {byte_counts(), float_bins(), pair_counts()});
  add("register_tile", {gemm(), midpoint(), sort_eight()});
  add("small_grids", {eight_ctas(), one_cta_sum(), one_warp_scan()});
  add("transcendental", {black_scholes(), log_sum(), rotation()});
  add("warp_rows", {matrix_vector(), row_max(), row_sums()});
  add("warp_words", {butterfly_sum(), warp_partition(), warp_scan()});
  return all;
}

}  // namespace zoo
