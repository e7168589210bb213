# In the order of docs/course.
set(AGPUSIM_EXERCISES
    pram_reverse
    pram_broadcast
    pram_or
    pram_or_tree
    pram_maximum
    pram_first
    pram_sum
    pram_histogram
    pram_prefix
    pram_rank_sort
    pram_scan
    pram_list_ranking
    pram_merge
    pram_matrix_product
    reverse
    pairs
    stencil
    row_sums
    transpose
    tree_sum
    collatz
    in_flight
    sum
    segmented_scan
    compaction
    histogram
    sort_tile
    matrix_product
    pram_hp_pairs
    pram_hp_search
    pram_one_hp
    pram_zero_compressed
    stable_split
    heap_merge
    pram_heap_path
    sample_pivots
    pram_next_fit)

# Whose answers are values in a text.
set(AGPUSIM_QUESTIONS first_conflict lanes_at_work what_limits sorts_cross out_of_core)

# Whose answers are kernels in CUDA.
set(AGPUSIM_CUDA_EXERCISES
    cuda_map
    cuda_zip
    cuda_guard
    cuda_map_2d
    cuda_broadcast
    cuda_blocks
    cuda_shared
    cuda_pooling
    cuda_dot
    cuda_convolution
    cuda_prefix_sum
    cuda_axis_sum
    cuda_matrix_product
    cuda_histogram
    cuda_coalesce
    cuda_pad
    cuda_aggregate
    cuda_division
    cuda_tile
    cuda_fuse)

# <files>: what is included behind an answer to the exercise in <folder>; <run>: what then runs it, with @ for its namespace.
function(agpusim_start_of_answer folder files run)
  set(${files} "" PARENT_SCOPE)
  set(${run} "exercise::Solve(@::solve)" PARENT_SCOPE)
  if(EXISTS "${folder}/launch.hpp")
    set(${files} "#include \"${folder}/launch.hpp\"\n" PARENT_SCOPE)
    set(${run} "exercise::Launch(@::launch)" PARENT_SCOPE)
  endif()
endfunction()

# The judge of each exercise and its solution, whose costs are the best known ones, as a table: commands/exercise/exercise_table.hpp. Several
# share a unit, because most of its time goes into headers.
set(units 4)
foreach(unit RANGE 1 ${units})
  set(exercises_of_unit_${unit} "")
  set(rows_of_unit_${unit} "")
endforeach()
set(unit 0)
foreach(exercise IN LISTS AGPUSIM_EXERCISES)
  math(EXPR unit "${unit} % ${units} + 1")
  set(folder "${PROJECT_SOURCE_DIR}/exercises/${exercise}")
  agpusim_start_of_answer("${folder}" launch run)
  string(REPLACE "@" "of_${exercise}" run "${run}")
  string(APPEND exercises_of_unit_${unit} "namespace of_${exercise} {\n#include \"${folder}/solution.hpp\"\n"
         "${launch}#include \"${folder}/judge.hpp\"\n}\n")
  string(APPEND rows_of_unit_${unit} "  all.push_back(exercise::bundled_exercise(\"${exercise}\", of_${exercise}::judge(),\n"
         "      [](const std::string& request) { return exercise::reply_to(request, ${run}); }));\n")
endforeach()
foreach(exercise IN LISTS AGPUSIM_CUDA_EXERCISES)
  math(EXPR unit "${unit} % ${units} + 1")
  string(APPEND exercises_of_unit_${unit}
         "namespace of_${exercise} {\n#include \"${PROJECT_SOURCE_DIR}/exercises/${exercise}/judge.hpp\"\n}\n")
  string(APPEND rows_of_unit_${unit} "  all.push_back(exercise::bundled_exercise(\"${exercise}\", of_${exercise}::judge()));\n")
endforeach()
foreach(unit RANGE 1 ${units})
  set(judges "${exercises_of_unit_${unit}}")
  set(rows "${rows_of_unit_${unit}}")
  set(source "${AGPUSIM_GENERATED_DIR}/exercises_${unit}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
// Generated from exercises/.
#include <algorithm>
#include <numeric>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/commands/exercise/answer.hpp"

using namespace agpusim;

namespace {
@judges@}  // namespace

void agpusim::add_exercises_@unit@(std::vector<exercise::Exercise>& all) {
@rows@}
]=])
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-w" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(agpusim_cli PRIVATE "${source}")
endforeach()
