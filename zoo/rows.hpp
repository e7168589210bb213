#pragma once

#include <agpusim/agpusim.hpp>
#include <utility>
#include <vector>

#include "access/column_sums.hpp"
#include "access/gather.hpp"
#include "access/permute.hpp"
#include "access/strided_copy.hpp"
#include "arithmetic/digit_sum.hpp"
#include "arithmetic/gcd.hpp"
#include "arithmetic/horner.hpp"
#include "arithmetic/modular_power.hpp"
#include "barriers/odd_even.hpp"
#include "barriers/shared_tree.hpp"
#include "barriers/tile_scan.hpp"
#include "csr/degree_count.hpp"
#include "csr/neighbour_max.hpp"
#include "csr/spmv.hpp"
#include "divergent/bit_loop.hpp"
#include "divergent/collatz_steps.hpp"
#include "divergent/mandelbrot.hpp"
#include "divergent/table_lookup.hpp"
#include "elementwise/clamp.hpp"
#include "elementwise/polynomial.hpp"
#include "elementwise/saxpy.hpp"
#include "frontier/active_vertices.hpp"
#include "frontier/bfs.hpp"
#include "frontier/filter.hpp"
#include "grid_stride/dot.hpp"
#include "grid_stride/grid_copy.hpp"
#include "grid_stride/grid_sum.hpp"
#include "halo/box_blur.hpp"
#include "halo/stencil_1d.hpp"
#include "halo/stencil_2d.hpp"
#include "inner_loop/closest.hpp"
#include "inner_loop/convolution.hpp"
#include "inner_loop/pair_distances.hpp"
#include "many_launches/axpy_steps.hpp"
#include "many_launches/doubling_max.hpp"
#include "many_launches/jacobi.hpp"
#include "mixed_types/axpy_f64.hpp"
#include "mixed_types/grey.hpp"
#include "mixed_types/hash_mix.hpp"
#include "mixed_types/short_sums.hpp"
#include "one_cta/grid_path.hpp"
#include "one_cta/recurrence.hpp"
#include "pointer_chase/cycle_steps.hpp"
#include "pointer_chase/list_hops.hpp"
#include "pointer_chase/tree_descent.hpp"
#include "private_histogram/byte_counts.hpp"
#include "private_histogram/float_bins.hpp"
#include "private_histogram/pair_counts.hpp"
#include "register_tile/gemm.hpp"
#include "register_tile/midpoint.hpp"
#include "register_tile/sort_eight.hpp"
#include "small_grids/eight_ctas.hpp"
#include "small_grids/one_cta_sum.hpp"
#include "small_grids/one_warp_scan.hpp"
#include "transcendental/black_scholes.hpp"
#include "transcendental/log_sum.hpp"
#include "transcendental/rotation.hpp"
#include "warp_rows/matrix_vector.hpp"
#include "warp_rows/row_max.hpp"
#include "warp_rows/row_sums.hpp"
#include "warp_words/butterfly_sum.hpp"
#include "warp_words/warp_partition.hpp"
#include "warp_words/warp_scan.hpp"

namespace zoo {

/// Every row; the folders are the styles.
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
