#include "agpusim/algorithms/common/form.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/agpu/phase_bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
PhaseReport phase_of_tasks(const AgpuSpec& spec, std::string kernel, std::int64_t tasks,
                           std::int64_t shared_words,
                           const std::function<Counts(std::int64_t)>& cost) {
  return PhaseBill(spec).whole(kernel, tasks, [&](std::int64_t task) {
    return TaskBill{cost(task), shared_words};
  });
}

LowerBound lower_bound_of_io(const RunConfig& config, std::int64_t io, std::string source) {
  return {
      io,
      std::max(ceil_div(io, config.spec.multiprocessors()), ceil_div(config.n, config.spec.cores)),
      std::move(source)};
}

bool is_power_of_two(std::int64_t x) {
  return x > 0 && std::has_single_bit(static_cast<std::uint64_t>(x));
}

std::int64_t floor_power_of_two(std::int64_t x) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(x)));
}

}  // namespace agpusim
