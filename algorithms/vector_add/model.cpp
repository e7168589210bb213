#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/vector_add/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace vector_add;

void check(const RunConfig& config) {
  if (config.parameters.at("rows") * config.spec.width > (std::int64_t{1} << 30)) {
    throw UsageError("rows: a task takes at most 2^30 elements; use fewer rows");
  }
}

std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class T>(T) {
    std::vector<T> a = operand<T>(config, 0);
    const std::vector<T> b = operand<T>(config, 1);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return checksum<T>(a);
  });
}

/// What the elements first..first+count-1 cost their task.
Counts cost_of_task(const RunConfig& config, std::int64_t first, std::int64_t count) {
  const std::int64_t words = element_words(config);
  Bill bill(config.spec);
  bill.loop_rows(count);
  bill.alu_rows(1, count);
  bill.rounds_of_rows(count);
  bill.global_rows(&Counts::global_read, count, first * words, words);
  bill.global_rows(&Counts::global_read, count, first * words, words);
  bill.global_rows(&Counts::global_write, count, first * words, words);
  return bill.counts();
}

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const std::int64_t per_task = config.parameters.at("rows") * config.spec.width;
  const std::int64_t tasks = ceil_div(config.n, per_task);
  const std::int64_t last = config.n - (tasks - 1) * per_task;
  PhaseForm form =
      form_of_equal_tasks(config.spec, Add::name, tasks, cost_of_task(config, 0, per_task),
                          cost_of_task(config, (tasks - 1) * per_task, last), 0);
  // Blocks are aligned with tasks, sectors need not be: they are counted over the whole array.
  Bill sweep(config.spec);
  sweep.global_rows(&Counts::global_read, config.n, 0, element_words(config));
  const std::int64_t sectors = sweep.counts().global_read.sectors;
  form.counts.global_read.sectors = 2 * sectors;
  form.counts.global_write.sectors = sectors;
  return {form};
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
  return {3 * blocks, ceil_div(3 * blocks, config.spec.multiprocessors()),
          "every block of a and b is read and every block of c written; T >= Q/k"};
}

}  // namespace

void register_vector_add(Registry& registry) {
  Algorithm row;
  row.name = "vector_add";
  row.summary = "c[i] = a[i] + b[i]: the least a coalesced program can cost";
  row.source = "AGPU model: Koike and Sadakane, IJNC 5(1), 2015, section 2";
  row.time = {"Theta(n/p)", [](const Symbols& s) { return s.n / s.p; }};
  row.io = {"3n/b", [](const Symbols& s) { return 3 * s.n / s.b; }};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = {{"rows", "rows of V elements that one task adds",
                     [](const RunConfig&) { return std::int64_t{8}; }}};
  row.check = check;
  row.program = vector_add::make_program<SimulatedDevice>;
  row.reference = reference;
  row.closed_form = closed_form;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
