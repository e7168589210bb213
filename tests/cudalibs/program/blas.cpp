// cuBLAS beside loops, of small integers: all sums are exact, so that results are equal.
#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>

#include "agpusim/tests/cudalibs/program/libraries.hpp"

namespace agpusim::test {
namespace {

enum Op : int { N, T, C };
using Function = int (*)(...);

/// The functions of a type of elements and a type of sizes.
template <class E, class Size>
struct Vectors;
template <class E, class Size>
struct Products;
#define VECTORS(E, Size, prefix, index, suffix)                                         \
  template <>                                                                           \
  struct Vectors<E, Size> {                                                             \
    static constexpr Function axpy = prefix##axpy##suffix, dot = prefix##dot##suffix,   \
                              scal = prefix##scal##suffix, copy = prefix##copy##suffix, \
                              swap = prefix##swap##suffix, nrm2 = prefix##nrm2##suffix, \
                              asum = prefix##asum##suffix, gemv = prefix##gemv##suffix, \
                              amax = index##amax##suffix, amin = index##amin##suffix;   \
  };
#define PRODUCTS(E, Size, prefix, suffix, of_arrays)                           \
  template <>                                                                  \
  struct Products<E, Size> {                                                   \
    static constexpr Function one = prefix##gemm##suffix,                      \
                              strided = prefix##gemmStridedBatched##of_arrays, \
                              listed = prefix##gemmBatched##of_arrays;         \
  };
VECTORS(float, int, cublasS, cublasIs, _v2)
VECTORS(float, long, cublasS, cublasIs, _v2_64)
VECTORS(double, int, cublasD, cublasId, _v2)
VECTORS(double, long, cublasD, cublasId, _v2_64)
PRODUCTS(float, int, cublasS, _v2, )
PRODUCTS(float, long, cublasS, _v2_64, _64)
PRODUCTS(double, int, cublasD, _v2, )
PRODUCTS(double, long, cublasD, _v2_64, _64)
PRODUCTS(std::complex<float>, int, cublasC, _v2, )
PRODUCTS(std::complex<float>, long, cublasC, _v2_64, _64)
PRODUCTS(std::complex<double>, int, cublasZ, _v2, )
PRODUCTS(std::complex<double>, long, cublasZ, _v2_64, _64)

template <class E>
constexpr bool is_real = std::is_floating_point_v<E>;

template <class E>
E random_element(Random& random) {
  const auto part = [&] { return static_cast<float>(below(random, 17) - 8); };
  if constexpr (is_real<E>)
    return part();
  else
    return E(part(), part());
}
template <class E>
Values<E> random_values(Random& random, long n) {
  Values<E> values(static_cast<std::size_t>(n));
  for (E& each : values) each = random_element<E>(random);
  return values;
}
template <class E>
E conjugate(E value) {
  if constexpr (is_real<E>)
    return value;
  else
    return std::conj(value);
}

/// What a call uses: scalars and results may be the host's or the device's.
struct Handle {
  explicit Handle(Random& random) {
    EXPECT(cublasCreate_v2(&handle) == 0);
    EXPECT(cublasSetPointerMode_v2(handle, below(random, 2)) == 0);
  }
  ~Handle() { EXPECT(cublasDestroy_v2(handle) == 0 && cublasDestroy_v2(handle) == 1); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  void* handle = nullptr;
};

/// A vector of BLAS in an array.
template <class E>
struct Vector {
  Vector(Random& random, long count, long by)
      : n(count),
        step(by),
        before(random_values<E>(random, (count - 1) * std::abs(by) + 1)),
        array(before) {}
  [[nodiscard]] std::size_t place(long i) const {
    return static_cast<std::size_t>(step > 0 ? i * step : (i - n + 1) * step);
  }
  E operator[](long i) const { return before[place(i)]; }
  /// Whether the array is as before, but for elements that `wanted` gives.
  template <class Wanted>
  bool has(const Wanted& wanted) {
    const Values<E> now = array.values();
    Values<E> all = before;
    for (long i = 0; i < n; ++i) all[place(i)] = wanted(i);
    before = now;
    return now == all;
  }
  long n;
  long step;
  Values<E> before;
  Array<E> array;
};

template <class E, class Size>
void check_vectors(Random& random) {
  using V = Vectors<E, Size>;
  const auto n = static_cast<Size>(2 * below(random, 30) + 1);
  const auto some_step = [&] { return Values<Size>{-3, -1, 1, 2}[below<std::size_t>(random, 4)]; };
  const Handle h(random);
  Vector<E> x(random, n, some_step()), y(random, n, some_step());
  const auto sx = static_cast<Size>(x.step), sy = static_cast<Size>(y.step);
  const E by = random_element<E>(random);
  const Array<E> alpha({by}, true), result({0}, true);
  const Array<Size> index({-1}, true);
  const bool is_forward = sx > 0;  // else functions of one vector do nothing
  E dot = 0, squares = 0, sum = 0;
  long largest = 0, smallest = 0;
  for (long i = 0; i < n; ++i) {
    dot += x[i] * y[i], squares += x[i] * x[i], sum += std::abs(x[i]);
    if (std::abs(x[i]) > std::abs(x[largest])) largest = i;
    if (std::abs(x[i]) < std::abs(x[smallest])) smallest = i;
  }
  EXPECT(V::dot(h.handle, n, x.array.get(), sx, y.array.get(), sy, result.get()) == 0);
  EXPECT(result.values()[0] == dot);
  EXPECT(V::asum(h.handle, n, x.array.get(), sx, result.get()) == 0);
  EXPECT(result.values()[0] == (is_forward ? sum : 0));
  EXPECT(V::nrm2(h.handle, n, x.array.get(), sx, result.get()) == 0);
  const E norm = is_forward ? std::sqrt(squares) : 0;
  EXPECT(std::abs(result.values()[0] - norm) <= 2 * std::numeric_limits<E>::epsilon() * norm);
  EXPECT(V::amax(h.handle, n, x.array.get(), sx, index.get()) == 0);
  EXPECT(index.values()[0] == (is_forward ? largest + 1 : 0));
  EXPECT(V::amin(h.handle, n, x.array.get(), sx, index.get()) == 0);
  EXPECT(index.values()[0] == (is_forward ? smallest + 1 : 0));
  EXPECT(V::axpy(h.handle, n, alpha.get(), x.array.get(), sx, y.array.get(), sy) == 0);
  EXPECT(y.has([&](long i) { return by * x[i] + y[i]; }));
  EXPECT(V::scal(h.handle, n, alpha.get(), x.array.get(), sx) == 0);
  EXPECT(x.has([&](long i) { return is_forward ? by * x[i] : x[i]; }));
  Vector<E> z(random, n, some_step());
  EXPECT(V::swap(h.handle, n, x.array.get(), sx, z.array.get(), static_cast<Size>(z.step)) == 0);
  const Values<E> xs = x.before;
  EXPECT(x.has([&](long i) { return z[i]; }) && z.has([&](long i) { return xs[x.place(i)]; }));
  EXPECT(V::copy(h.handle, n, x.array.get(), sx, y.array.get(), sy) == 0);
  EXPECT(y.has([&](long i) { return x[i]; }));
}

/// A matrix as it is stored, column by column, with unused rows, and as an operation reads it.
template <class E>
struct Stored {
  Stored(Random& random, long m, long n, Op how)
      : op(how), ld((op == N ? m : n) + below(random, 3)), size(ld * (op == N ? n : m)) {}
  [[nodiscard]] E read(const Values<E>& values, long i, long j) const {
    const E value = values[static_cast<std::size_t>(op == N ? i + j * ld : j + i * ld)];
    return op == C ? conjugate(value) : value;
  }
  Op op;
  long ld;
  long size;
};

template <class E, class Size>
void check_products(Random& random) {
  const auto some = [&] { return below(random, 13L) + 1; };
  const long m = some(), n = some(), k = some();
  const auto some_op = [&] { return static_cast<Op>(below(random, 3)); };
  const Stored<E> a(random, m, k, some_op()), b(random, k, n, some_op()), c(random, m, n, N);
  const auto scalar = [&] { return below(random, 3) == 0 ? E(0) : random_element<E>(random); };
  const E by = scalar(), keep = scalar();
  // What need not be read is no number.
  const auto values = [&](E factor, long size) {
    return factor == E(0)
               ? Values<E>(static_cast<std::size_t>(size), std::numeric_limits<double>::quiet_NaN())
               : random_values<E>(random, size);
  };
  const Handle h(random);
  const Array<E> alpha({by}, true), beta({keep}, true);
  Values<E> all_a, all_b, all_c, wanted;
  for (int product = 0; product < 3; ++product) {
    const Values<E> as = values(by, a.size), bs = values(by, b.size);
    Values<E> cs = random_values<E>(random, c.size), sums = cs;
    for (long j = 0; j < n; ++j) {
      for (long i = 0; i < m; ++i) {
        const auto at = static_cast<std::size_t>(i + j * c.ld);
        E sum = 0;
        for (long p = 0; by != E(0) && p < k; ++p) sum += a.read(as, i, p) * b.read(bs, p, j);
        sums[at] = by * sum + keep * cs[at];
        if (keep == E(0)) cs[at] = std::numeric_limits<double>::quiet_NaN();
      }
    }
    all_a.insert(all_a.end(), as.begin(), as.end()),
        all_b.insert(all_b.end(), bs.begin(), bs.end());
    all_c.insert(all_c.end(), cs.begin(), cs.end()),
        wanted.insert(wanted.end(), sums.begin(), sums.end());
  }
  const Array<E> in_a(all_a), in_b(all_b), one(Values<E>(all_c.begin(), all_c.begin() + c.size)),
      strided(all_c), listed(all_c);
  const auto list = [](E* begin, long step) {
    return Values<E*>{begin, begin + step, begin + 2 * step};
  };
  const Array<E*> a_list(list(in_a.get(), a.size)), b_list(list(in_b.get(), b.size)),
      c_list(list(listed.get(), c.size));
  const auto sm = static_cast<Size>(m), sn = static_cast<Size>(n), sk = static_cast<Size>(k),
             lda = static_cast<Size>(a.ld), ldb = static_cast<Size>(b.ld),
             ldc = static_cast<Size>(c.ld), count = Size{3};
  using P = Products<E, Size>;
  EXPECT(P::one(h.handle, a.op, b.op, sm, sn, sk, alpha.get(), in_a.get(), lda, in_b.get(), ldb,
                beta.get(), one.get(), ldc) == 0);
  EXPECT(one.values() == Values<E>(wanted.begin(), wanted.begin() + c.size));
  EXPECT(P::strided(h.handle, a.op, b.op, sm, sn, sk, alpha.get(), in_a.get(), lda, a.size,
                    in_b.get(), ldb, b.size, beta.get(), strided.get(), ldc, c.size, count) == 0);
  EXPECT(P::listed(h.handle, a.op, b.op, sm, sn, sk, alpha.get(), a_list.get(), lda, b_list.get(),
                   ldb, beta.get(), c_list.get(), ldc, count) == 0);
  EXPECT(strided.values() == wanted && listed.values() == wanted);
  if constexpr (is_real<E>) {
    const auto step = [&] { return Values<Size>{-2, -1, 1, 3}[below<std::size_t>(random, 4)]; };
    const Values<E> as = random_values<E>(random, a.size);
    const Array<E> matrix(as);
    Vector<E> x(random, k, step()), y(random, m, step());
    const Size rows = a.op == N ? sm : sk;
    const Size columns = a.op == N ? sk : sm;
    EXPECT((Vectors<E, Size>::gemv(h.handle, a.op, rows, columns, alpha.get(), matrix.get(), lda,
                                   x.array.get(), static_cast<Size>(x.step), beta.get(),
                                   y.array.get(), static_cast<Size>(y.step)) == 0));
    EXPECT(y.has([&](long i) {
      E sum = 0;
      for (long j = 0; j < k; ++j) sum += a.read(as, i, j) * x[j];
      return by * sum + keep * y[i];
    }));
  }
}

/// The 16 bits of 1, 2 or 3, or their negatives, with so many bits of a mantissa.
std::uint16_t bits_of(int value, int mantissa) {
  const int bias = (1 << (14 - mantissa)) - 1;
  const int size = std::abs(value);
  const int bits = (bias + (size > 1 ? 1 : 0)) << mantissa | (size == 3 ? 1 << (mantissa - 1) : 0);
  return static_cast<std::uint16_t>(bits | (value < 0 ? 1 << 15 : 0));
}

/// Products of half precision (10 bits of a mantissa) and bfloat16 (7).
void check_narrow(Random& random) {
  constexpr int n = 3;
  constexpr int f32 = 0;
  constexpr int compute_f32 = 68;
  const Handle h(random);
  const Array<float> alpha({1}, true), beta({0}, true);
  for (const auto& [type, mantissa] : {std::pair{2, 10}, {14, 7}}) {
    const std::uint16_t one = bits_of(1, mantissa), two = bits_of(2, mantissa);
    const std::uint16_t three = bits_of(3, mantissa), minus = bits_of(-2, mantissa);
    const Array<std::uint16_t> a({one, two, three, minus, one, one, two, two, minus});
    const Array<std::uint16_t> unit({one, 0, 0, 0, one, 0, 0, 0, one}),
        same(Values<std::uint16_t>(9));
    const Array<float> wide(Values<float>(9));
    const auto multiply = [&, type = type](int of, auto* c, int to) {
      return cublasGemmEx(h.handle, N, N, n, n, n, alpha.get(), a.get(), of, n, unit.get(), of, n,
                          beta.get(), c, to, n, compute_f32, -1);
    };
    EXPECT(multiply(type, wide.get(), f32) == 0 && multiply(type, same.get(), type) == 0);
    EXPECT(wide.values() == Values<float>({1, 2, 3, -2, 1, 1, 2, 2, -2}) &&
           same.values() == a.values());
    EXPECT(multiply(3, wide.get(), f32) == 15);  // 8 bits are not supported
  }
}

/// Vectors and matrices between host and device.
void check_copies(Random& random) {
  const Values<float> values = random_values<float>(random, 24);
  const Array<float> to(Values<float>(24));
  Values<float> back(24), wanted(24);
  EXPECT(cublasSetMatrix(3, 4, 4, values.data(), 5, to.get(), 4) == 0);
  EXPECT(cublasGetMatrix(3, 4, 4, to.get(), 4, back.data(), 6) == 0);
  for (std::size_t i = 0; i < 12; ++i) wanted[i % 3 + i / 3 * 6] = values[i % 3 + i / 3 * 5];
  EXPECT(back == wanted);
  EXPECT(cublasSetVector(5, 4, values.data(), 2, to.get(), 3) == 0);
  EXPECT(cublasGetVector(5, 4, to.get(), 3, back.data(), 1) == 0);
  for (std::size_t i = 0; i < 5; ++i) EXPECT(back[i] == values[2 * i]);
}

}  // namespace

void check_blas(Random& random) {
  for (int trial = 0; trial < 40; ++trial) {
    check_vectors<float, int>(random);
    check_vectors<float, long>(random);
    check_vectors<double, int>(random);
    check_vectors<double, long>(random);
    check_products<float, int>(random);
    check_products<float, long>(random);
    check_products<double, int>(random);
    check_products<double, long>(random);
    check_products<std::complex<float>, int>(random);
    check_products<std::complex<float>, long>(random);
    check_products<std::complex<double>, int>(random);
    check_products<std::complex<double>, long>(random);
  }
  check_narrow(random);
  check_copies(random);
}

}  // namespace agpusim::test
