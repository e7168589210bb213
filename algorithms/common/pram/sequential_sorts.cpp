#include "agpusim/algorithms/common/pram/sequential_sorts.hpp"

#include <string_view>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"

namespace agpusim {
namespace {

/// `body(processor, i)` for i = 0..count-1, a step each.
template <class Body>
void one_by_one(Pram& pram, std::string_view step_name, std::int64_t count, Body body) {
  for (std::int64_t i = 0; i < count; ++i) {
    pram.step(step_name, 1, [&](PramProcessor& p) { body(p, i); });
  }
}

void clear(Pram& pram, std::string_view step_name, const PramArray& a) {
  one_by_one(pram, step_name, a.size(),
             [&](PramProcessor& p, std::int64_t i) { p.write(a, i, 0); });
}

/// a[value - min] counts the values of x.
void count(Pram& pram, std::string_view step_name, const PramArray& x, std::int64_t min,
           const PramArray& a) {
  one_by_one(pram, step_name, x.size(), [&](PramProcessor& p, std::int64_t i) {
    const std::int64_t bin = p.read(x, i) - min;
    p.write(a, bin, p.read(a, bin) + 1);
  });
}

/// sums[i] = start + a[0] + ... + a[i], as far as there are sums.
void sum_up(Pram& pram, std::string_view step_name, const PramArray& a, const PramArray& sums,
            std::int64_t start = 0) {
  std::int64_t sum = start;  // a register
  one_by_one(pram, step_name, sums.size(), [&](PramProcessor& p, std::int64_t i) {
    sum += p.read(a, i);
    p.write(sums, i, sum);
  });
}

PramForm steps(std::int64_t count) { return {count, count > 0 ? 1 : 0, count}; }

}  // namespace

void add_sequential_variant(PramSide& row, const std::string& time, const std::string& theorem) {
  row.variants.push_back(pram_variant(
      sequential_variant, "one processor, a RAM: its time beside the work of the others",
      growth::of_m(time + " steps, O(max(n, range)), 1 processor", growth::linear, growth::one,
                   growth::linear),
      theorem, machines_of_erew()));
}

PramArray sequential_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys) {
  if (x.size() == 0) return x;
  const PramArray a = pram.array(keys.range, "A");
  const PramArray ap = pram.array(keys.range, "Ap");
  const PramArray b = pram.array(x.size() + 1, "B");
  const PramArray y = pram.array(x.size(), "y");
  clear(pram, "clear A", a);
  clear(pram, "clear B", b);
  count(pram, "histogram A of x", x, keys.min, a);
  sum_up(pram, "prefix sums Ap of A", a, ap);
  count(pram, "histogram B of Ap", ap, 0, b);
  sum_up(pram, "prefix sums y of B", b, y, keys.min);
  return y;
}

PramForm sequential_hp_sort_form(std::int64_t n, std::int64_t range) {
  return steps(n == 0 ? 0 : 3 * n + 3 * range + 1);
}

PramArray sequential_one_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys) {
  if (x.size() == 0) return x;
  const PramArray a = pram.array(keys.range, "A");
  const PramArray ap = pram.array(keys.range, "Ap");
  const PramArray y = pram.array(x.size(), "y");
  clear(pram, "clear A", a);
  count(pram, "histogram A of x", x, keys.min, a);
  sum_up(pram, "prefix sums Ap of A", a, ap);
  std::int64_t before = 0;  // a register
  one_by_one(pram, "keys where Ap rises", keys.range, [&](PramProcessor& p, std::int64_t v) {
    const std::int64_t place = before;
    before = p.read(ap, v);
    if (before != place) p.write(y, place, keys.min + v);
  });
  return y;
}

PramForm sequential_one_hp_sort_form(std::int64_t n, std::int64_t range) {
  return steps(n == 0 ? 0 : n + 3 * range);
}

PramArray sequential_zero_compressed_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys) {
  if (x.size() == 0) return x;
  const PramArray a = pram.array(keys.range, "A");
  const PramArray a01p = pram.array(keys.range, "A01p");
  const PramArray b = pram.array(x.size(), "B");
  const PramArray y = pram.array(x.size(), "y");
  clear(pram, "clear A", a);
  clear(pram, "clear B", b);
  count(pram, "histogram A of x", x, keys.min, a);
  std::int64_t len = 0;  // a register
  one_by_one(pram, "A01p: values that occur", keys.range, [&](PramProcessor& p, std::int64_t v) {
    len += p.read(a, v) > 0 ? 1 : 0;
    p.write(a01p, v, len);
  });
  const PramArray c = pram.array(len, "C");
  const PramArray ic = pram.array(len, "iC");
  const PramArray cp = pram.array(len, "Cp");
  std::int64_t counted = 0;  // registers: A[v] and A01p[v] - 1
  std::int64_t j = 0;
  for (std::int64_t v = 0; v < keys.range; ++v) {
    pram.step("C of a value that occurs", 1, [&](PramProcessor& p) {
      counted = p.read(a, v);
      j = p.read(a01p, v) - 1;
      if (counted > 0) p.write(c, j, counted);
    });
    if (counted == 0) continue;
    pram.step("iC of this value", 1, [&](PramProcessor& p) { p.write(ic, j, keys.min + v); });
  }
  sum_up(pram, "prefix sums Cp of C", c, cp);
  std::int64_t start = 0;  // registers: Cp[j-1], iC[j-1]
  std::int64_t key = 0;
  for (std::int64_t i = 0; i < len; ++i) {
    pram.step("B: rises between distinct keys", 1, [&](PramProcessor& p) {
      const std::int64_t next = p.read(ic, i);
      p.write(b, start, next - key);
      key = next;
    });
    pram.step("place of the next rise", 1, [&](PramProcessor& p) { start = p.read(cp, i); });
  }
  sum_up(pram, "prefix sums y of B", b, y);
  return y;
}

PramForm sequential_zero_compressed_hp_sort_form(std::int64_t n, std::int64_t range,
                                                 std::int64_t distinct) {
  return steps(n == 0 ? 0 : 3 * n + 3 * range + 4 * distinct);
}

}  // namespace agpusim
