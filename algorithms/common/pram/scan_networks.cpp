#include "agpusim/algorithms/common/pram/scan_networks.hpp"

#include <bit>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"

namespace agpusim {
namespace {

/// x[to] += x[from].
void add(PramProcessor& p, const PramArray& x, std::int64_t from, std::int64_t to) {
  const std::int64_t before = p.read(x, from);
  p.write(x, to, add_words(before, p.read(x, to)));
}

}  // namespace

void scan_by_doubling(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  for (std::int64_t d = 1; d < n; d *= 2) {
    pram.step("add the element 2^r before", n - d,
              [&](PramProcessor& p) { add(p, x, p.id(), p.id() + d); });
  }
}

PramForm scan_by_doubling_form(std::int64_t n) {
  if (n <= 1) return {};
  const std::int64_t steps = ceil_lg(n);
  return {steps, n - 1, n * steps - ((std::int64_t{1} << steps) - 1)};
}

void scan_by_sweeps(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  std::int64_t d = 1;
  for (; 2 * d <= n; d *= 2) {
    pram.step("up-sweep", n / (2 * d), [&](PramProcessor& p) {
      const std::int64_t last = (p.id() + 1) * 2 * d - 1;
      add(p, x, last - d, last);
    });
  }
  for (d /= 2; d >= 1; d /= 2) {
    pram.step("down-sweep", (n - d) / (2 * d), [&](PramProcessor& p) {
      const std::int64_t last = (p.id() + 1) * 2 * d - 1;
      add(p, x, last, last + d);
    });
  }
}

PramForm scan_by_sweeps_form(std::int64_t n) {
  if (n <= 1) return {};
  const std::int64_t up = floor_lg(n);
  const std::int64_t down = n < 3 ? 0 : floor_lg(n / 3) + 1;
  // A position e = 1..n is odd·2^r. The up-sweep adds r times to it, n - (bits set in n) in all;
  // the down-sweep once, unless it is a power of two.
  const std::int64_t up_work = n - std::popcount(static_cast<std::uint64_t>(n));
  const std::int64_t down_work = n - (floor_lg(n) + 1);
  return {up + down, n / 2, up_work + down_work};
}

}  // namespace agpusim
