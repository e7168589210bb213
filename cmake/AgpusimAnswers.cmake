# The answers to the exercises, right and wrong ones, as a table: tests/support/answers.hpp. Each is compiled in a namespace of
# its own with the grader of its exercise; several exercises share a unit, because most of its time goes into headers.
set(units 4)
foreach(unit RANGE 1 ${units})
  set(answers_of_unit_${unit} "")
  set(rows_of_unit_${unit} "")
endforeach()
set(unit 0)
set(declarations "")
set(calls "")
foreach(exercise IN LISTS AGPUSIM_EXERCISES)
  math(EXPR unit "${unit} % ${units} + 1")
  file(GLOB answers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/exercises/${exercise}/*.hpp")
  list(FILTER answers EXCLUDE REGEX "/grade.hpp$")
  foreach(answer IN LISTS answers)
    cmake_path(GET answer STEM name)
    string(APPEND answers_of_unit_${unit} "namespace ${exercise}_${name} {\n#include \"${answer}\"\n"
                  "#include \"${PROJECT_SOURCE_DIR}/exercises/${exercise}/grade.hpp\"\n}\n")
    string(APPEND rows_of_unit_${unit}
           "  all.push_back({\"${exercise}\", \"${name}\", [] { return mark(${exercise}_${name}::the_exercise(), 1); }});\n")
  endforeach()
endforeach()
set(AGPUSIM_ANSWER_SOURCES "")
foreach(unit RANGE 1 ${units})
  set(answers "${answers_of_unit_${unit}}")
  set(rows "${rows_of_unit_${unit}}")
  set(source "${AGPUSIM_GENERATED_DIR}/answers_${unit}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
// Generated from exercises/.
#include "agpusim/tests/support/answers.hpp"

namespace {
@answers@}  // namespace

void agpusim::test::add_answers_@unit@(std::vector<Answer>& all) {
@rows@}
]=])
  # Wrong answers leave parameters unused; -O0 compiles in half the time and marks as quickly.
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-w;-O0" SKIP_UNITY_BUILD_INCLUSION ON)
  list(APPEND AGPUSIM_ANSWER_SOURCES "${source}")
endforeach()
