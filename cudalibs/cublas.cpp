// What programs use most of cuBLAS, computed on the host.
#include <complex>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "agpusim/cudalibs/matrix.hpp"

namespace agpusim::cudart {
extern "C" Status cudaStreamSynchronize(Stream* stream);
extern "C" Status cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                    std::size_t from_pitch, std::size_t width, std::size_t height,
                                    CopyKind kind, Stream* stream);
}  // namespace agpusim::cudart

namespace agpusim::cudalibs {
namespace {

using cudart::CopyKind;
using std::int64_t;
using C32 = std::complex<float>;
using C64 = std::complex<double>;
using Half = Eigen::half;
using Bf16 = Eigen::bfloat16;

/// "cublasDaxpy"
template <class E>
std::string named(const char* function) {
  const char letter = std::is_same_v<E, float>    ? 'S'
                      : std::is_same_v<E, double> ? 'D'
                      : std::is_same_v<E, C32>    ? 'C'
                                                  : 'Z';
  return std::string("cublas") + letter + function;
}

bool on_device(const Handle* handle) { return is_alive(handle) && handle->pointers == 1; }

/// Gives alpha or beta: read now, or from the device when it is computed.
template <class E>
auto scalar(Handle* handle, const E* at) {
  const E* const later = on_device(handle) ? at : nullptr;
  return [later, value = at == nullptr || later != nullptr ? E() : *at](const Use& use) {
    if (later != nullptr) use({later, sizeof(E)});
    return later != nullptr ? *later : value;
  };
}

template <class Body>
int run(Handle* handle, const std::string& function, bool is_valid, const Body& body,
        bool waits = false) {
  if (!is_alive(handle)) return here.not_initialized;
  return is_valid ? compute(function, handle->stream, waits, body) : here.invalid_value;
}

template <class E, class N>
int axpy(Handle* handle, N n, const E* alpha, const E* x, N x_step, E* y, N y_step) {
  return run(handle, named<E>("axpy"), alpha != nullptr,
             [=, by = scalar(handle, alpha)](const Use& use) {
               vector(use, y, n, y_step) += by(use) * vector(use, x, n, x_step);
             });
}

template <class E, class N>
int copy(Handle* handle, N n, const E* x, N x_step, E* y, N y_step) {
  return run(handle, named<E>("copy"), true,
             [=](const Use& use) { vector(use, y, n, y_step) = vector(use, x, n, x_step); });
}

template <class E, class N>
int swap(Handle* handle, N n, E* x, N x_step, E* y, N y_step) {
  return run(handle, named<E>("swap"), true,
             [=](const Use& use) { vector(use, x, n, x_step).swap(vector(use, y, n, y_step)); });
}

/// Functions of one vector do nothing where it does not go forwards.
template <class E>
auto forward(const Use& use, E* begin, int64_t n, int64_t step) {
  return vector(use, begin, step > 0 ? n : 0, step);
}

template <class E, class N>
int scal(Handle* handle, N n, const E* alpha, E* x, N step) {
  return run(
      handle, named<E>("scal"), alpha != nullptr,
      [=, by = scalar(handle, alpha)](const Use& use) { forward(use, x, n, step) *= by(use); });
}

/// Runs what has one number as its result; sums are of doubles.
template <class R, class Body>
int reduce(Handle* handle, const std::string& function, R* result, const Body& body) {
  const auto write = [=, is_device = on_device(handle)](const Use& use) {
    const auto value = static_cast<R>(body(use));
    if (is_device) use({result, sizeof(R), 1, 0, true});
    *result = value;
  };
  return run(handle, function, result != nullptr, write, !on_device(handle));
}

template <class E, class N>
int dot(Handle* handle, N n, const E* x, N x_step, const E* y, N y_step, E* result) {
  return reduce(handle, named<E>("dot"), result, [=](const Use& use) {
    const auto second = vector(use, y, n, y_step).template cast<double>();
    return vector(use, x, n, x_step).template cast<double>().cwiseProduct(second).sum();
  });
}

template <class E, class N>
int nrm2(Handle* handle, N n, const E* x, N step, E* result) {
  return reduce(handle, named<E>("nrm2"), result, [=](const Use& use) {
    return forward(use, x, n, step).template cast<double>().stableNorm();
  });
}

template <class E, class N>
int asum(Handle* handle, N n, const E* x, N step, E* result) {
  return reduce(handle, named<E>("asum"), result, [=](const Use& use) {
    return forward(use, x, n, step).template cast<double>().template lpNorm<1>();
  });
}

/// The first element of the largest size (`sign` 1) or the smallest (-1), from 1 on; 0: none.
template <class E, class N, int sign>
int extreme(Handle* handle, N n, const E* x, N step, N* result) {
  const std::string function = std::is_same_v<E, float> ? "cublasIsam" : "cublasIdam";
  return reduce(handle, function + (sign > 0 ? "ax" : "in"), result, [=](const Use& use) {
    const auto elements = forward(use, x, n, step);
    Eigen::Index row = 0;
    Eigen::Index column = -1;
    if (elements.size() > 0) (sign * elements.cwiseAbs()).maxCoeff(&row, &column);
    return column + 1;
  });
}

bool is_op(Op op) { return op >= Op::plain && op <= Op::adjoint; }
bool fits(int64_t ld, int64_t rows) { return ld >= std::max<int64_t>(rows, 1); }

/// The sizes of products of matrices, `count` of them.
struct Products {
  Op a_op, b_op;
  int64_t m, n, k, lda, ldb, ldc, count = 1;

  [[nodiscard]] bool is_valid() const {
    return is_op(a_op) && is_op(b_op) && m >= 0 && n >= 0 && k >= 0 && count >= 0 &&
           fits(lda, a_op == Op::plain ? m : k) && fits(ldb, b_op == Op::plain ? k : n) &&
           fits(ldc, m);
  }
  template <class W, class A, class E>
  void compute(const Use& use, W alpha, const A* a, const A* b, W beta, E* c) const {
    const auto matrix = [&](Op op, const A* begin, int64_t rows, int64_t columns, int64_t ld) {
      if (op != Op::plain) std::swap(rows, columns);
      return alpha == W(0) ? Dense<W>() : read<W>(op, view(use, begin, rows, columns, ld));
    };
    multiply(alpha, matrix(a_op, a, m, k, lda), matrix(b_op, b, k, n, ldb), beta,
             view(use, c, m, n, ldc));
  }
};

/// `arrays` gives the three matrices of a product.
template <class W, class Arrays>
int products(Handle* handle, const std::string& function, const Products& all, const W* alpha,
             const W* beta, const Arrays& arrays) {
  return run(handle, function, all.is_valid() && alpha != nullptr && beta != nullptr,
             [=, by = scalar(handle, alpha), keep = scalar(handle, beta)](const Use& use) {
               for (int64_t i = 0; i < all.count; ++i) {
                 const auto [a, b, c] = arrays(use, i);
                 all.compute(use, by(use), a, b, keep(use), c);
               }
             });
}

template <class A, class E>
auto strided(const A* a, int64_t a_step, const A* b, int64_t b_step, E* c, int64_t c_step) {
  return [=](const Use& /*use*/, int64_t i) {
    return std::tuple(a + i * a_step, b + i * b_step, c + i * c_step);
  };
}

template <class E, class N>
int gemm(Handle* handle, Op a_op, Op b_op, N m, N n, N k, const E* alpha, const E* a, N lda,
         const E* b, N ldb, const E* beta, E* c, N ldc) {
  return products(handle, named<E>("gemm"), {a_op, b_op, m, n, k, lda, ldb, ldc}, alpha, beta,
                  strided(a, 0, b, 0, c, 0));
}

template <class E, class N>
int gemm_strided(Handle* handle, Op a_op, Op b_op, N m, N n, N k, const E* alpha, const E* a, N lda,
                 long long a_step, const E* b, N ldb, long long b_step, const E* beta, E* c, N ldc,
                 long long c_step, N count) {
  return products(handle, named<E>("gemmStridedBatched"),
                  {a_op, b_op, m, n, k, lda, ldb, ldc, count}, alpha, beta,
                  strided(a, a_step, b, b_step, c, c_step));
}

template <class E, class N>
int gemm_listed(Handle* handle, Op a_op, Op b_op, N m, N n, N k, const E* alpha, const E* const* a,
                N lda, const E* const* b, N ldb, const E* beta, E* const* c, N ldc, N count) {
  return products(
      handle, named<E>("gemmBatched"), {a_op, b_op, m, n, k, lda, ldb, ldc, count}, alpha, beta,
      [=](const Use& use, int64_t i) {
        for (const void* at : {static_cast<const void*>(a + i), static_cast<const void*>(b + i),
                               static_cast<const void*>(c + i)}) {
          use({at, sizeof(E*)});
        }
        return std::tuple(a[i], b[i], c[i]);
      });
}

/// cudaDataType
enum class Type : std::int32_t { f32 = 0, f64 = 1, f16 = 2, bf16 = 14 };

template <class N>
int gemm_ex(Handle* handle, Op a_op, Op b_op, N m, N n, N k, const void* alpha, const void* a,
            Type a_type, N lda, const void* b, Type b_type, N ldb, const void* beta, void* c,
            Type c_type, N ldc, int computed, int /*algorithm*/) {
  const char* const function = "cublasGemmEx";
  const auto with = [&]<class W, class A, class E>(W, A, E) {
    return products(
        handle, function, {a_op, b_op, m, n, k, lda, ldb, ldc}, static_cast<const W*>(alpha),
        static_cast<const W*>(beta),
        strided(static_cast<const A*>(a), 0, static_cast<const A*>(b), 0, static_cast<E*>(c), 0));
  };
  const auto is = [&](Type in, Type out) { return a_type == in && b_type == in && c_type == out; };
  // CUBLAS_COMPUTE_64F and CUBLAS_COMPUTE_32F with their variants
  const bool in_f64 = computed == 70 || computed == 71;
  const bool in_f32 = computed == 68 || computed == 69 || (computed >= 74 && computed <= 78);
  if (in_f64 && is(Type::f64, Type::f64)) return with(0., 0., 0.);
  if (in_f32 && is(Type::f32, Type::f32)) return with(0.F, 0.F, 0.F);
  if (in_f32 && is(Type::f16, Type::f16)) return with(0.F, Half(), Half());
  if (in_f32 && is(Type::f16, Type::f32)) return with(0.F, Half(), 0.F);
  if (in_f32 && is(Type::bf16, Type::bf16)) return with(0.F, Bf16(), Bf16());
  if (in_f32 && is(Type::bf16, Type::f32)) return with(0.F, Bf16(), 0.F);
  return refuse(function);
}

/// The product of a row with the matrix.
template <class E, class N>
int gemv(Handle* handle, Op op, N m, N n, const E* alpha, const E* a, N lda, const E* x, N x_step,
         const E* beta, E* y, N y_step) {
  const bool plain = op == Op::plain;
  const int64_t from = plain ? n : m;
  const Products row{
      Op::plain, plain ? Op::transposed : Op::plain, 1, plain ? m : n, from, x_step, lda, y_step};
  const bool is_good = is_op(op) && m >= 0 && n >= 0 && fits(lda, m) && x_step != 0 && y_step != 0;
  return run(handle, named<E>("gemv"), is_good && alpha != nullptr && beta != nullptr,
             [=, by = scalar(handle, alpha), keep = scalar(handle, beta)](const Use& use) {
               row.compute(use, by(use), x, a, keep(use), y);
             });
}

/// Copies columns of `rows` elements, in a stream or waiting; a vector is of columns of one.
template <CopyKind kind, class N, class... In>
int set_matrix(N rows, N columns, N bytes, const void* from, N from_ld, void* to, N to_ld,
               In... in) {
  const bool is_good =
      rows >= 0 && columns >= 0 && bytes > 0 && fits(std::min(from_ld, to_ld), rows);
  if (!is_good) return here.invalid_value;
  const auto size = [&](N n) { return std::size_t(n) * std::size_t(bytes); };
  Stream* const stream = std::get<0>(std::tuple<In..., Stream*>(in..., nullptr));
  cudart::Status status =
      cudart::cudaMemcpy2DAsync(to, size(to_ld), from, size(from_ld), size(rows),
                                static_cast<std::size_t>(columns), kind, stream);
  const bool waits = sizeof...(in) == 0 && status == cudart::Status::success;
  if (waits) status = cudart::cudaStreamSynchronize(nullptr);
  return status == cudart::Status::success ? 0 : here.failed;
}
template <CopyKind kind, class N, class... In>
int set_vector(N n, N bytes, const void* from, N from_step, void* to, N to_step, In... in) {
  return set_matrix<kind, N>(1, n, bytes, from, from_step, to, to_step, in...);
}

}  // namespace

#define X AGPUSIM_EXPORT
#include "agpusim/cudalibs/functions/cublas_computed.def"

}  // namespace agpusim::cudalibs
