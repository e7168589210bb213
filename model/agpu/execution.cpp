#include "agpusim/model/agpu/execution.hpp"

#include <algorithm>
#include <bit>

namespace agpusim {
namespace {

using Words = std::array<std::int64_t, sizeof(Execution) / sizeof(std::int64_t)>;

template <class F>
Execution each(const Execution& a, const Execution& b, F f) {
  Words x = std::bit_cast<Words>(a);
  const Words y = std::bit_cast<Words>(b);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = f(x[i], y[i]);
  return std::bit_cast<Execution>(x);
}

}  // namespace

Execution& Execution::operator+=(const Execution& o) {
  return *this = each(*this, o, [](std::int64_t a, std::int64_t b) { return a + b; });
}

Execution& Execution::operator-=(const Execution& o) {
  return *this = each(*this, o, [](std::int64_t a, std::int64_t b) { return a - b; });
}

Execution operator*(const Execution& execution, std::int64_t times) {
  return each(execution, execution, [times](std::int64_t a, std::int64_t) { return a * times; });
}

void PhaseExecution::note_task(const Execution& task, std::int64_t values) {
  for (std::size_t i = 0; i < longest.size(); ++i) longest[i] = std::max(longest[i], task.lone[i]);
  live_values = std::max(live_values, values);
}

void PhaseExecution::merge(const PhaseExecution& other) {
  total += other.total;
  for (std::size_t i = 0; i < longest.size(); ++i) {
    longest[i] = std::max(longest[i], other.longest[i]);
  }
  live_values = std::max(live_values, other.live_values);
}

}  // namespace agpusim
