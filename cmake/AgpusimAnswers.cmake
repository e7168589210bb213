# The answers to the exercises, right and wrong ones, as a table: tests/support/answers.hpp. Each is compiled in a namespace of
# its own with the grader of its exercise; several exercises share a unit, because most of its time goes into headers.

# Characters that mean something inside a list stand as others there.
string(ASCII 1 semicolon)
string(ASCII 2 bracket)
string(ASCII 3 closing)
string(ASCII 4 backslash)

function(agpusim_read_lines file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${bracket}" text "${text}")
  string(REPLACE "]" "${closing}" text "${text}")
  string(REPLACE "\\" "${backslash}" text "${text}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(agpusim_write_lines file lines)
  string(REPLACE ";" "\n" text "${lines}")
  string(REPLACE "${semicolon}" ";" text "${text}")
  string(REPLACE "${bracket}" "[" text "${text}")
  string(REPLACE "${closing}" "]" text "${text}")
  string(REPLACE "${backslash}" "\\" text "${text}")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT "${text}\n")
endfunction()

# Makes <folder>/wrong_<name>.<ending> of exercises/<exercise>/solution.<ending> for each part of wrong.diff there:
#   @@ <name>, <the mark that is lost>: <what is wrong>
#    a line that stays             each is looked for behind the one before, whatever its indentation;
#   -a line that goes              what lies between them stays,
#   -...                           or goes
#   +a new line
# <result>: "<name> <mark>" of each.
function(agpusim_wrong_answers exercise folder ending result)
  agpusim_read_lines("${PROJECT_SOURCE_DIR}/exercises/${exercise}/solution.${ending}" solution)
  agpusim_read_lines("${PROJECT_SOURCE_DIR}/exercises/${exercise}/wrong.diff" diff)
  set(marks "")
  foreach(line IN LISTS diff ITEMS "@@")
    string(SUBSTRING "${line}" 0 1 kind)
    string(SUBSTRING "${line}" 1 -1 text)
    if(kind STREQUAL "@")
      if(marks)
        agpusim_write_lines("${folder}/wrong_${name}.${ending}" "${answer};${rest}")
      endif()
      if(line MATCHES "^@@( ([a-z_]+), (result|legality|cost): .*)")
        set(name "${CMAKE_MATCH_2}")
        list(APPEND marks "wrong_${name} ${CMAKE_MATCH_3}")
        set(answer "//${CMAKE_MATCH_1}")
        set(rest "${solution}")
        set(drop FALSE)
      elseif(NOT line STREQUAL "@@")
        message(FATAL_ERROR "exercises/${exercise}/wrong.diff: no \"@@ name, mark: what\": ${line}")
      endif()
    elseif(kind STREQUAL "+")
      list(APPEND answer "${text}")
    elseif(line STREQUAL "-...")
      set(drop TRUE)
    else()
      string(STRIP "${text}" wanted)
      set(found "")
      while(NOT found STREQUAL wanted)
        if(rest STREQUAL "")
          message(FATAL_ERROR "exercises/${exercise}/wrong.diff: ${name}: not in solution.${ending}, or not in this order: ${wanted}")
        endif()
        list(POP_FRONT rest line)
        string(STRIP "${line}" found)
        if((NOT drop AND NOT found STREQUAL wanted) OR (kind STREQUAL " " AND found STREQUAL wanted))
          list(APPEND answer "${line}")
        endif()
      endwhile()
      set(drop FALSE)
    endif()
  endforeach()
  set(${result} "${marks}" PARENT_SCOPE)
endfunction()

set(units 4)
foreach(unit RANGE 1 ${units})
  set(answers_of_unit_${unit} "")
  set(rows_of_unit_${unit} "")
endforeach()
set(unit 0)
foreach(exercise IN LISTS AGPUSIM_EXERCISES)
  math(EXPR unit "${unit} % ${units} + 1")
  set(given "${PROJECT_SOURCE_DIR}/exercises/${exercise}")
  set(generated "${AGPUSIM_GENERATED_DIR}/exercises/${exercise}")
  agpusim_wrong_answers(${exercise} "${generated}" hpp wrong)
  agpusim_start_of_answer("${given}" launch run)
  # The program has the solution already: its costs are the best known ones.
  string(APPEND rows_of_unit_${unit} "  all.push_back({\"${exercise}\", \"solution\", \"none\", \"${given}/solution.hpp\",\n"
         "                 find_exercise(bundled_exercises(), \"${exercise}\").solution});\n")
  foreach(answer IN ITEMS "exercise any" LISTS wrong)
    string(REGEX MATCH "^(.+) (.+)$" answer "${answer}")
    set(name "${CMAKE_MATCH_1}")
    set(lost "${CMAKE_MATCH_2}")
    set(file "${given}/${name}.hpp")
    if(name MATCHES "^wrong_")
      set(file "${generated}/${name}.hpp")
    endif()
    string(APPEND answers_of_unit_${unit}
           "namespace ${exercise}_${name} {\n#include \"${file}\"\n${launch}}\n")
    string(REPLACE "@" "${exercise}_${name}" run_this "${run}")
    string(APPEND rows_of_unit_${unit} "  all.push_back({\"${exercise}\", \"${name}\", \"${lost}\", \"${file}\",\n"
           "                 [](const std::string& request) {\n"
           "                   return exercise::reply_to(request, ${run_this});\n"
           "                 }});\n")
  endforeach()
endforeach()
# Those in CUDA: a compiler of CUDA makes them when they are tested.
foreach(exercise IN LISTS AGPUSIM_CUDA_EXERCISES)
  agpusim_wrong_answers(${exercise} "${AGPUSIM_GENERATED_DIR}/exercises/${exercise}" cu wrong)
endforeach()
set(AGPUSIM_ANSWER_SOURCES "")
foreach(unit RANGE 1 ${units})
  set(answers "${answers_of_unit_${unit}}")
  set(rows "${rows_of_unit_${unit}}")
  set(source "${AGPUSIM_GENERATED_DIR}/answers_${unit}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
// Generated from exercises/.
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/tests/support/answers.hpp"
#include "agpusim/commands/exercise/answer.hpp"

using namespace agpusim;

namespace {
@answers@}  // namespace

void agpusim::test::add_answers_@unit@(std::vector<Answer>& all) {
@rows@}
]=])
  # Wrong answers leave parameters unused; -O0 compiles in half the time and marks as quickly.
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-w;-O0" SKIP_UNITY_BUILD_INCLUSION ON)
  list(APPEND AGPUSIM_ANSWER_SOURCES "${source}")
endforeach()
