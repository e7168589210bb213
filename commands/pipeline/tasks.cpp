#include "agpusim/commands/pipeline/tasks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/task_table.hpp"
#include "agpusim/model/agpu/trigonometry.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {
namespace {

template <class Row>
const Row& find(const std::vector<Row>& rows, const std::string& name, const std::string& thing) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (it != rows.end()) return *it;
  std::string known;
  for (const Row& row : rows) known += (known.empty() ? "" : ", ") + row.name;
  throw UsageError(fmt::format("unknown {} '{}': known: {}", thing, name, known));
}

}  // namespace

std::int64_t Task::bytes_in(std::int64_t n) const {
  constexpr std::int64_t element = sizeof(double);
  constexpr std::int64_t place = sizeof(std::int64_t);
  constexpr std::int64_t head = sizeof(std::uint32_t);
  return n * (element + (has_places ? place : 0) + (has_heads ? head : 0));
}

std::int64_t Task::bytes_out(std::int64_t n) const {
  return results(n) * std::int64_t{sizeof(double)};
}

const std::vector<Task>& tasks() {
  static const std::vector<Task> table = task_table<PlannedStreams, SimulatedStreams>();
  return table;
}

const Task& find_task(const std::string& name, const std::vector<Task>& table) {
  return find(table, name, "task of `agpusim pipeline`");
}

const Scheme& find_scheme(const Task& task, const std::string& name) {
  if (name.empty()) return task.schemes.front();
  return find(task.schemes, name, "scheme of " + task.name);
}

void fill_expected(const Task& task, const HostArrays& arrays, bool exclusive) {
  if (task.reference != nullptr) return task.reference(arrays);
  if (task.in_place) std::copy(arrays.in.begin(), arrays.in.end(), arrays.out.begin());
  task.on_host(HostCores::one, arrays);
  if (!exclusive || arrays.out.empty()) return;
  std::shift_right(arrays.out.begin(), arrays.out.end(), 1);
  arrays.out.front() = 0;
}

}  // namespace agpusim::out_of_core
