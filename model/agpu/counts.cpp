#include "agpusim/model/agpu/counts.hpp"

namespace agpusim {
namespace {

/// Applies `f` to each pair of corresponding fields.
template <class F>
void zip(Counts& a, const Counts& b, F f) {
  f(a.alu, b.alu);
  f(a.idle, b.idle);
  GlobalCounts* const global_a[] = {&a.global_read, &a.global_write, &a.global_atomic};
  const GlobalCounts* const global_b[] = {&b.global_read, &b.global_write, &b.global_atomic};
  SharedCounts* const shared_a[] = {&a.shared_read, &a.shared_write, &a.shared_atomic};
  const SharedCounts* const shared_b[] = {&b.shared_read, &b.shared_write, &b.shared_atomic};
  for (int i = 0; i < 3; ++i) {
    f(global_a[i]->requests, global_b[i]->requests);
    f(global_a[i]->blocks, global_b[i]->blocks);
    f(global_a[i]->sectors, global_b[i]->sectors);
    f(shared_a[i]->requests, shared_b[i]->requests);
    f(shared_a[i]->wavefronts, shared_b[i]->wavefronts);
    f(shared_a[i]->conflicts, shared_b[i]->conflicts);
  }
  f(a.rounds, b.rounds);
  f(a.serialised, b.serialised);
  f(a.active_lanes, b.active_lanes);
  f(a.lane_slots, b.lane_slots);
}

}  // namespace

Counts& Counts::operator+=(const Counts& o) {
  zip(*this, o, [](std::int64_t& x, std::int64_t y) { x += y; });
  return *this;
}

Counts& Counts::operator-=(const Counts& o) {
  zip(*this, o, [](std::int64_t& x, std::int64_t y) { x -= y; });
  return *this;
}

Counts operator*(const Counts& counts, std::int64_t times) {
  Counts result = counts;
  zip(result, counts, [times](std::int64_t& x, std::int64_t) { x *= times; });
  return result;
}

std::int64_t Counts::time() const { return alu + idle + io() + wavefronts() + serialised; }

std::int64_t Counts::instructions() const {
  return alu + idle + requests() + shared_read.requests + shared_write.requests +
         shared_atomic.requests;
}

}  // namespace agpusim
