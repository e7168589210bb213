#include "agpusim/algorithms/common/pram/integer_sorts.hpp"

#include "agpusim/algorithms/common/pram/histogram.hpp"

namespace agpusim {
namespace {

/// Writes 0 to every cell of `a` and of `b`: one step.
void clear_both(Pram& pram, std::string_view step_name, const PramArray& a, const PramArray& b) {
  pram.step(step_name, a.size() + b.size(), [&](PramProcessor& p) {
    if (p.id() < a.size()) {
      p.write(a, p.id(), 0);
    } else {
      p.write(b, p.id() - a.size(), 0);
    }
  });
}

}  // namespace

HpSort hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys, PrefixSums kind) {
  if (x.size() == 0) return {x, x, x, x};
  const HpSort s = {pram.array(keys.range, "A"), pram.array(keys.range, "Ap"),
                    pram.array(x.size() + 1, "B"), pram.array(x.size(), "y")};
  clear_both(pram, "clear A and B", s.a, s.b);
  count_values(pram, "histogram A of x", x, keys.min, s.a);
  prefix_sums(pram, kind, s.a, s.ap);
  count_values(pram, "histogram B of Ap", s.ap, 0, s.b);
  prefix_sums(pram, kind, s.b, s.y, keys.min);
  return s;
}

OneHpSort one_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys, PrefixSums kind) {
  if (x.size() == 0) return {x, x, x};
  const OneHpSort s = {pram.array(keys.range, "A"), pram.array(keys.range, "Ap"),
                       pram.array(x.size(), "y")};
  clear(pram, "clear A", s.a);
  count_values(pram, "histogram A of x", x, keys.min, s.a);
  prefix_sums(pram, kind, s.a, s.ap);
  pram.step("keys where Ap rises", keys.range, [&](PramProcessor& p) {
    const std::int64_t v = p.id();
    const std::int64_t before = v == 0 ? 0 : p.read(s.ap, v - 1);
    if (p.read(s.ap, v) != before) p.write(s.y, before, keys.min + v);
  });
  return s;
}

ZeroCompressedHpSort zero_compressed_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys,
                                             PrefixSums kind) {
  if (x.size() == 0) return {x, x, x, x, x, x, x};
  const std::int64_t range = keys.range;
  const PramArray a = pram.array(range, "A");
  const PramArray a01 = pram.array(range, "A01");
  const PramArray a01p = pram.array(range, "A01p");
  const PramArray b = pram.array(x.size(), "B");
  const PramArray y = pram.array(x.size(), "y");
  clear_both(pram, "clear A and B", a, b);
  count_values(pram, "histogram A of x", x, keys.min, a);
  pram.step("A01: which values occur", range,
            [&](PramProcessor& p) { p.write(a01, p.id(), p.read(a, p.id()) > 0 ? 1 : 0); });
  prefix_sums(pram, kind, a01, a01p);

  // Every processor could read len; that it decides how many take part is free (theory 2.5).
  const std::int64_t len = pram.values(a01p).back();
  const PramArray c = pram.array(len, "C");
  const PramArray ic = pram.array(len, "iC");
  const PramArray cp = pram.array(len, "Cp");
  pram.step("C and iC of the values that occur", 2 * range, [&](PramProcessor& p) {
    const bool writes_c = p.id() < range;
    const std::int64_t v = writes_c ? p.id() : p.id() - range;
    const std::int64_t count = p.read(a, v);
    if (count == 0) return;
    const std::int64_t j = p.read(a01p, v) - 1;
    if (writes_c) {
      p.write(c, j, count);
    } else {
      p.write(ic, j, keys.min + v);
    }
  });
  prefix_sums(pram, kind, c, cp);
  // B[Cp[j-1]] = iC[j] - iC[j-1], the difference as the sum of two writes.
  pram.step("B: rises between distinct keys", 2 * len - 1, [&](PramProcessor& p) {
    const bool adds = p.id() < len;
    const std::int64_t j = adds ? p.id() : p.id() - len + 1;
    const std::int64_t start = j == 0 ? 0 : p.read(cp, j - 1);
    p.write(b, start, adds ? p.read(ic, j) : -p.read(ic, j - 1));
  });
  prefix_sums(pram, kind, b, y);
  return {a, a01p, c, ic, cp, b, y};
}

RankSort rank_sort(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  const RankSort s = {pram.array(n, "rank"), pram.array(n, "y")};
  pram.step("ranks", n * n, [&](PramProcessor& p) {
    const std::int64_t i = p.id() / n;
    const std::int64_t j = p.id() - i * n;
    const std::int64_t one = p.read(x, i);
    const std::int64_t other = p.read(x, j);
    p.write(s.rank, j, one < other || (one == other && i < j) ? 1 : 0);
  });
  pram.step("keys to their ranks", n,
            [&](PramProcessor& p) { p.write(s.y, p.read(s.rank, p.id()), p.read(x, p.id())); });
  return s;
}

}  // namespace agpusim
