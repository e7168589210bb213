#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/form.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace reduce;

bool is_ordered(const RunConfig& config) { return config.variant == "ordered"; }

/// c: odd, so that a stride of c words meets every bank, and at least lg V, so that the tree is
/// hidden.
std::int64_t default_per_lane(const RunConfig& config) {
  const auto lg = std::bit_width(static_cast<std::uint32_t>(config.spec.width)) - 1;
  return std::max<std::int64_t>(1, lg | 1);
}

void check(const RunConfig& config) {
  if (is_ordered(config) && config.type != "u32") {
    throw UsageError(
        "reduce: the ordered variant composes affine maps packed in u32; use --type u32");
  }
  const std::int64_t lanes = config.spec.width;
  const std::int64_t elements =
      is_ordered(config) ? lanes * (config.parameters.at("per_lane") + 1) : lanes;
  if (elements * element_words(config) > config.spec.shared_words) {
    throw UsageError(
        fmt::format("reduce ({}): needs {} words of shared memory, but M = {}; use a "
                    "larger M or a smaller V",
                    config.variant, elements * element_words(config), config.spec.shared_words));
  }
  const Step first = steps(config).front();
  if (first.per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("reduce: a task would take {} elements, at most 2^30 are possible; "
                    "use more tasks or a larger p",
                    first.per_task));
  }
}

/// Calls `f.operator()<Operator, ordered>()` for the operator of a run.
template <class F>
auto with_operator(const RunConfig& config, F f) {
  if (is_ordered(config)) return f.template operator()<ComposeAffine, true>();
  return config.type == "u32" ? f.template operator()<Sum<std::uint32_t>, false>()
                              : f.template operator()<Sum<std::uint64_t>, false>();
}

std::uint64_t reference(const RunConfig& config) {
  return with_operator(config, [&]<class Operator, bool ordered>() {
    using T = typename Operator::value_type;
    T total = Operator::identity;
    for (const T value : generate<T>(config.input, config.n, config.seed)) {
      total = Operator{}(total, value);
    }
    return checksum<T>(std::vector<T>{total});
  });
}

RunResult simulate(const RunConfig& config, const SimulationOptions& options) {
  return with_operator(config, [&]<class Operator, bool ordered>() {
    SimulatedDevice device(config.spec, options);
    Program<SimulatedDevice, Operator, ordered> program(device, config);
    return finish_simulation(device, program, reference(config));
  });
}

/// The costs of one task that reduces `length` elements and writes partial result `task`.
class TaskCostForm {
 public:
  TaskCostForm(const RunConfig& config)
      : config_(config),
        spec_(config.spec),
        words_(element_words(config)),
        operator_alu_(is_ordered(config) ? ComposeAffine::alu : Sum<std::uint32_t>::alu) {}

  [[nodiscard]] Counts operator()(std::int64_t length, std::int64_t first,
                                  std::int64_t task) const {
    Bill bill(spec_);
    if (is_ordered(config_)) {
      ordered(bill, length, first);
    } else {
      commutative(bill, length, first);
    }
    bill.alu(1);  // lane == 0
    const std::int64_t at = task * words_;
    bill.global(&Counts::global_write, 1, 1, units_of_range(at, words_, spec_.block_words),
                units_of_range(at, words_, spec_.sector_words()));
    bill.idle(1, 1);
    return bill.counts();
  }

 private:
  void commutative(Bill& bill, std::int64_t length, std::int64_t first) const {
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, first * words_, words_);
    bill.alu_rows(operator_alu_, length);
    bill.rounds_of_rows(length);
    bill.shared_rows(&Counts::shared_write, spec_.width, words_);
    for (std::int64_t count = spec_.width; count > 1; count = (count + 1) / 2) {
      const std::int64_t active = count - (count + 1) / 2;
      bill.alu(1);  // lane < active
      bill.alu_prefix(1 + operator_alu_, active);
      tree_access(bill, active, 1);
    }
  }

  void ordered(Bill& bill, std::int64_t length, std::int64_t first) const {
    const std::int64_t per_lane = config_.parameters.at("per_lane");
    const std::int64_t tile = per_lane * spec_.width;
    for (std::int64_t start = 0; start < length; start += tile) {
      const std::int64_t count = std::min(tile, length - start);
      bill.loop_rows(count);
      bill.global_rows(&Counts::global_read, count, (first + start) * words_, words_);
      bill.rounds_of_rows(count);
      bill.shared_rows(&Counts::shared_write, count, words_);
      fold(bill, count, per_lane);
      bill.shared_rows(&Counts::shared_write, spec_.width, words_);
      for (std::int64_t distance = 1; distance < spec_.width; distance *= 2) {
        bill.alu(4);  // lane & mask, == 0, lane < V - distance, &&
        const std::int64_t active = ceil_div(spec_.width - distance, 2 * distance);
        bill.alu(1 + operator_alu_, active, warps_of_multiples(active, 2 * distance));
        tree_access(bill, active, 2 * distance);
      }
      bill.alu(1);  // lane == 0
      bill.alu_prefix(operator_alu_, 1);
    }
  }

  /// Every lane folds its `per_lane` neighbours out of the `count` elements of a tile.
  void fold(Bill& bill, std::int64_t count, std::int64_t per_lane) const {
    const std::int64_t b = spec_.block_words;
    bill.alu(1 + 2 * per_lane);  // lane·c; then i and i < count for each j
    for (std::int64_t j = 0; j < per_lane; ++j) {
      const std::int64_t active = count > j ? ceil_div(count - j, per_lane) : 0;
      bill.alu_prefix(operator_alu_, active);
      const auto wavefronts = [&](std::int64_t lanes) {
        return bill.strided_wavefronts(per_lane, lanes, words_);
      };
      bill.shared(&Counts::shared_read, active / b * b, active / b, wavefronts(b), words_);
      if (active % b != 0) {
        bill.shared(&Counts::shared_read, active % b, 1, wavefronts(active % b), words_);
      }
      bill.idle(1, ceil_div(active, b));
    }
  }

  /// Warps that hold one of the lanes 0, step, 2·step, ... (`active` of them).
  [[nodiscard]] std::int64_t warps_of_multiples(std::int64_t active, std::int64_t step) const {
    return step >= spec_.block_words ? active : (active - 1) * step / spec_.block_words + 1;
  }

  /// A read and a write of the tree array by the lanes 0, step, 2·step, ...: neighbouring or spread
  /// within a window of b elements, hence without conflict.
  void tree_access(Bill& bill, std::int64_t active, std::int64_t step) const {
    const std::int64_t b = spec_.block_words;
    const std::int64_t lanes_per_pass = bill.lanes_per_pass(words_);
    for (std::int64_t begin = 0, lane = 0; begin < active;) {
      // Lanes of one warp, pass by pass.
      const std::int64_t warp = lane / b;
      std::int64_t wavefronts = 0;
      std::int64_t lanes = 0;
      std::int64_t pass = -1;
      for (; begin < active && lane / b == warp; ++begin, lane += step, ++lanes) {
        if (lane % b / lanes_per_pass != pass) {
          pass = lane % b / lanes_per_pass;
          wavefronts += ceil_div(words_, b);
        }
      }
      bill.shared(&Counts::shared_read, lanes, 1, wavefronts, words_);
      bill.shared(&Counts::shared_write, lanes, 1, wavefronts, words_);
    }
    bill.idle(2, warps_of_multiples(active, step) * 2);
  }

  const RunConfig& config_;
  const AgpuSpec& spec_;
  std::int64_t words_;
  std::int64_t operator_alu_;
};

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const TaskCostForm cost(config);
  const std::int64_t words = element_words(config);
  std::vector<PhaseForm> forms;
  for (const Step& step : steps(config)) {
    const std::int64_t last_first = (step.tasks - 1) * step.per_task;
    PhaseForm form = form_of_equal_tasks(
        config.spec, is_ordered(config) ? "ordered_segment_reduce" : "segment_reduce", step.tasks,
        cost(std::min(step.per_task, step.n), 0, 0),
        cost(step.n - last_first, last_first, step.tasks - 1),
        config.spec.width * words *
            (is_ordered(config) ? config.parameters.at("per_lane") + 1 : 1));
    // Sectors of the segments and units of the partial results depend on where a task starts.
    Bill sweep(config.spec);
    sweep.global_rows(&Counts::global_read, step.n, 0, words);
    form.counts.global_read = sweep.counts().global_read;
    const auto written = [&](std::int64_t unit) {
      return sum_units_of_ranges(0, words, step.tasks, words, unit);
    };
    form.counts.global_write.blocks = written(config.spec.block_words);
    form.counts.global_write.sectors = written(config.spec.sector_words());
    if (config.spec.block_words % words != 0) {  // a partial may straddle two blocks
      form.time.reset();
      form.max_task_time += words - 1;
    }
    forms.push_back(std::move(form));
  }
  return forms;
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
  const auto lg =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(config.n - 1)));
  return {blocks + 1,
          std::max({ceil_div(blocks + 1, config.spec.multiprocessors()),
                    ceil_div(config.n - 1, config.spec.cores), lg}),
          "every block is read and one written; fan-in 2 needs lg n steps and n-1 applications"};
}

}  // namespace

void register_reduce(Registry& registry) {
  Algorithm row;
  row.name = "reduce";
  row.summary =
      "fold of n elements by an associative operator, in coalesced segments and lane trees";
  row.source = "theory 3.8, after Koike and Sadakane, IJNC 5(1), 2015";
  row.bound_time = "Theta(n/p + log b) for n >= p·b";
  row.bound_io = "n/b + k + ceil(k/b) + 1";
  row.variants = {"commutative", "ordered"};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = {
      {"tasks", "most tasks of a phase",
       [](const RunConfig& config) { return config.spec.multiprocessors(); }},
      {"rows", "fewest rows of V elements of a task",
       [](const RunConfig&) { return std::int64_t{4}; }},
      {"per_lane", "c, neighbours a lane folds (ordered variant); odd avoids bank conflicts",
       default_per_lane}};
  row.check = check;
  row.simulate = simulate;
  row.reference = reference;
  row.closed_form = closed_form;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
