#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/fragments.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Matrices of a warp: how its lanes load, store, transpose and multiply them.
namespace agpusim::ptx {
namespace {

[[noreturn]] void stop(Warp& warp, const Instruction& i, Rule rule, Lanes lanes, std::string text) {
  warp.cta.worker.find(rule, warp, i, static_cast<u32>(std::countr_zero(lanes)), std::move(text));
  throw Stopped{};
}

/// All lanes take part, and what they have read goes to others, as in a shuffle.
void come_together(Warp& warp, const Instruction& i) {
  if (warp.active != all_lanes) {
    stop(warp, i, Rule::divergent_barrier, ~warp.active,
         fmt::format("lanes 0x{:08x} take no part, and all of a warp are to", ~warp.active));
  }
  warp.cta.order.shuffle(warp.number, all_lanes);
}

/// D = A B + C.
template <class A, class B, class C, class D, bool saturates>
void multiply(Warp& warp, const Instruction& i) {
  come_together(warp, i);
  const Shape shape(i.target);
  const Fragment a(Matrix::a, shape, sizeof(A));
  const Fragment b(Matrix::b, shape, sizeof(B));
  const Fragment c(Matrix::c, shape, sizeof(C));
  const Fragment d(Matrix::c, shape, sizeof(D));
  using Number = decltype(number_of(D{}));
  Number left[512] = {};  // by rows, all three
  Number right[512] = {};
  Number sum[256] = {};
  const u32 first_b = a.registers(has_eight<A>(Matrix::a, shape));
  const u32 first_c = first_b + b.registers(has_eight<B>(Matrix::b, shape));
  each_element<A>(warp, i, 0, a,
                  [&](A x, u32 row, u32 k) { left[row * shape.k + k] = number_of(x); });
  each_element<B>(warp, i, first_b, b,
                  [&](B x, u32 k, u32 column) { right[k * shape.n + column] = number_of(x); });
  each_element<C>(warp, i, first_c, c,
                  [&](C x, u32 row, u32 column) { sum[row * shape.n + column] = number_of(x); });
  if constexpr (std::is_same_v<Number, s64> || std::is_same_v<D, double>) {
    add_products(shape, left, right, sum);
  } else {
    add_cut_products<A, C, D>(shape, left, right, sum);
  }
  for (u32 e = 0; e < d.elements(); ++e) {
    const Place place = result_of(i, e / d.in_register);
    for (u32 l = 0; place != no_place && l < warp_lanes; ++l) {
      const auto [row, column] = d.index(l, e);
      const D value = element_of<D, saturates>(sum[row * shape.n + column]);
      std::memcpy(element_at(warp, place, l, e % d.in_register, sizeof(D)), &value, sizeof(D));
    }
  }
}

template <class A, class B, class C, class D, bool saturates = false>
Execute choose_product(const Spelling& spelling) {
  const Shape shape(spelling.shape());
  const auto fits = [&]<class E>(std::size_t operand, Matrix matrix, E) {
    return spelling.registers[operand] ==
           Fragment(matrix, shape, sizeof(E)).registers(has_eight<E>(matrix, shape));
  };
  const bool all = fits(0, Matrix::c, D{}) && fits(1, Matrix::a, A{}) && fits(2, Matrix::b, B{}) &&
                   fits(3, Matrix::c, C{});
  return all ? &multiply<A, B, C, D, saturates> : nullptr;
}
/// D is of the first type, C of the last one.
Execute choose_f16(const Spelling& spelling) {
  const bool is_wide = spelling.modifiers.back() == "f32";
  if (spelling.type[0] == Type::f16) {
    return is_wide ? choose_product<F16, F16, float, F16>(spelling)
                   : choose_product<F16, F16, F16, F16>(spelling);
  }
  return is_wide ? choose_product<F16, F16, float, float>(spelling)
                 : choose_product<F16, F16, F16, float>(spelling);
}
Execute choose_integers(const Spelling& spelling) {
  const auto types = std::find(spelling.modifiers.begin(), spelling.modifiers.end(), "s32");
  const auto with_types = [&](auto a, auto b) {
    using A = decltype(a);
    using B = decltype(b);
    return spelling.has("satfinite") ? choose_product<A, B, s32, s32, true>(spelling)
                                     : choose_product<A, B, s32, s32>(spelling);
  };
  if (types[1] == "s8") {
    return types[2] == "s8" ? with_types(s8{}, s8{}) : with_types(s8{}, u8{});
  }
  return types[2] == "s8" ? with_types(u8{}, s8{}) : with_types(u8{}, u8{});
}

// --- 8 x 8 elements of 16 bits: lane 4 g + t has columns 2 t and 2 t + 1 of row g

/// Row and column of an element.
std::pair<u32, u32> half_at(u32 lane, u32 part, bool transposes) {
  std::pair result{lane / 4, lane % 4 * 2 + part};
  if (transposes) std::swap(result.first, result.second);
  return result;
}

/// ldmatrix and stmatrix: lanes 8 j to 8 j + 7 give the addresses of the rows of matrix j. Each
/// matrix is one request, of 8 rows of 16 bytes: it takes all banks once where none conflict.
template <Touched touched, bool transposes>
void move_rows(Warp& warp, const Instruction& i) {
  come_together(warp, i);
  Instruction one = i;
  one.place = {i.place[0], no_place, no_place, no_place, no_place, no_place};
  one.bytes = one.count = 4;
  u32 values[4][warp_lanes];
  for (u32 matrix = 0; matrix < i.count; ++matrix) {
    Request request;
    request.has_values = touched == Touched::write;
    Lanes differing = 0;  // lanes whose row changes
    warp.active = Lanes{0xFF} << 8 * matrix;
    locate(warp, one, touched, request);
    warp.active = all_lanes;
    for (u32 l = 0; l < warp_lanes; ++l) {
      for (u32 part = 0; part < 2; ++part) {
        const auto [row, column] = half_at(l, part, transposes);
        std::byte* const half = request.at(8 * matrix + row) + std::size_t{2} * column;
        if (touched == Touched::read) {
          std::memcpy(reinterpret_cast<u16*>(&values[matrix][l]) + part, half, 2);
        } else {
          const std::byte* const from = element_at(warp, input_of(i, matrix), l, part, 2);
          differing |= Lanes{std::memcmp(half, from, 2) != 0} << (8 * matrix + row);
          std::memcpy(half, from, 2);
        }
      }
    }
    for_lanes(request.racing & differing,
              [&](u32 l) { warp.cta.worker.races.differ(request.word[l]); });
  }
  for (u32 matrix = 0; touched == Touched::read && matrix < i.count; ++matrix) {
    if (result_of(i, matrix) == no_place) continue;
    std::memcpy(warp.row<u32>(result_of(i, matrix)), values[matrix], sizeof(values[matrix]));
  }
}
template <Touched touched>
Execute choose_rows(const Spelling& spelling) {
  const u32 count = spelling.has("x1") ? 1 : spelling.has("x2") ? 2 : 4;
  if (spelling.registers[touched == Touched::read ? 0 : 1] != count) return nullptr;
  return spelling.has("trans") ? &move_rows<touched, true> : &move_rows<touched, false>;
}

/// movmatrix: place[0] the transposed matrix of place[1].
void transpose(Warp& warp, const Instruction& i) {
  come_together(warp, i);
  u16 value[8][8];
  for (u32 l = 0; l < warp_lanes; ++l) {
    const u32 both = warp.row<u32>(i.place[1])[l];
    for (u32 part = 0; part < 2; ++part) {
      const auto [row, column] = half_at(l, part, true);
      value[row][column] = static_cast<u16>(both >> 16 * part);
    }
  }
  std::memcpy(warp.row<u32>(i.place[0]), value, sizeof(value));  // rows lie lane by lane
}

// --- wmma.load and wmma.store

/// Input 0 is a row for addresses; the last one is the stride, in elements. Where lines of the
/// fragment lie `along` those of memory, a run of elements is one access of a lane; else each is.
/// PTX does not say what requests a GPU makes of it: here each run or element of a lane is one.
template <Touched touched, Matrix matrix, bool along>
void move_matrix(Warp& warp, const Instruction& i) {
  come_together(warp, i);
  constexpr bool reads = touched == Touched::read;
  const u32 bytes = i.bytes;
  const Fragment fragment(matrix, Shape(i.target), bytes);
  const auto offset = static_cast<u64>(i.immediate);
  const bool is_narrow = (i.flags & Access::narrow) != 0;
  const auto address = [&](u32 l) {
    if (i.place[0] == no_place) return offset;
    return is_narrow ? warp.row<u32>(i.place[0])[l] + static_cast<u32>(offset)
                     : warp.row<u64>(i.place[0])[l] + offset;
  };
  const u32* const strides = warp.row<u32>(input_of(i, reads ? 1 : 1 + i.count));
  const u64 base = address(0);
  const u64 stride = strides[0];
  const Lanes others =
      lanes_where([&](u32 l) { return address(l) != base || strides[l] != strides[0]; });
  if (others != 0) {
    stop(warp, i, Rule::divergent_barrier, others,
         fmt::format("lanes 0x{:08x} give another address or stride than lane 0", others));
  }
  const u64 alignment = std::max(4U, bytes) * u64{i.count};
  if (base % alignment != 0) {
    stop(warp, i, Rule::misaligned, all_lanes,
         fmt::format("the matrix begins at no multiple of {} bytes, as its fragments have",
                     alignment));
  }
  Instruction one = i;
  one.place = {input_of(i, 0), no_place, no_place, no_place, no_place, no_place};
  one.immediate = 0;
  one.flags &= static_cast<std::uint16_t>(~Access::narrow);
  one.count = static_cast<u8>(along ? fragment.run : 1);
  u64* const addresses = warp.row<u64>(one.place[0]);
  for (u32 first = 0; first < fragment.elements(); first += one.count) {
    for (u32 l = 0; l < warp_lanes; ++l) {
      const auto [row, column] = fragment.index(l, first);
      const bool by_rows = along != fragment.has_columns;
      addresses[l] = base + bytes * (by_rows ? row * stride + column : column * stride + row);
    }
    Request request;
    locate(warp, one, touched, request);
    for (u32 e = first; e < first + one.count; ++e) {
      const u32 part = e % fragment.in_register;
      // Fragments of f16 hold an element more than once.
      const u32 step = fragment.elements() / fragment.in_register;
      for (u32 r = e / fragment.in_register; r < (reads ? i.count : step); r += step) {
        const Place place = reads ? result_of(i, r) : input_of(i, 1 + r);
        for (u32 l = 0; place != no_place && l < warp_lanes; ++l) {
          std::byte* const in_memory = request.at(l) + std::size_t{bytes} * (e - first);
          std::byte* const in_register = element_at(warp, place, l, part, bytes);
          std::memcpy(reads ? in_register : in_memory, reads ? in_memory : in_register, bytes);
        }
      }
    }
  }
}
template <Touched touched, Matrix matrix>
Execute choose_matrix(const Spelling& spelling) {
  const u32 bytes = spelling.has("tf32") ? 4 : bytes_of(spelling.type[0]);
  const Fragment fragment(matrix, Shape(spelling.shape()), bytes);
  const bool has_eight = spelling.type[0] == Type::f16 && matrix != Matrix::c;
  const u32 registers = fragment.registers(has_eight);
  if (spelling.registers[touched == Touched::read ? 0 : 1] != registers) return nullptr;
  return spelling.has("row") != fragment.has_columns ? &move_matrix<touched, matrix, true>
                                                     : &move_matrix<touched, matrix, false>;
}
Execute choose_load(const Spelling& spelling) {
  if (spelling.has("a")) return choose_matrix<Touched::read, Matrix::a>(spelling);
  if (spelling.has("b")) return choose_matrix<Touched::read, Matrix::b>(spelling);
  return choose_matrix<Touched::read, Matrix::c>(spelling);
}

constexpr Opcode product(std::string_view name, std::string_view modifiers,
                         Execute (*choose)(const Spelling&), Op op = Op::floating) {
  return {name, modifiers, "Ffff", Bill::arithmetic, op, choose, 0, true};
}
constexpr Opcode move(std::string_view name, std::string_view modifiers, std::string_view operands,
                      Execute (*choose)(const Spelling&)) {
  return {name, modifiers, operands, Bill::memory, Op::add, choose, 0, true};
}
constexpr auto choose_bf16 = choose_product<BF16, BF16, float, float>;
constexpr auto choose_tf32 = choose_product<Tf32, Tf32, float, float>;
constexpr auto choose_f64 = choose_product<double, double, double, double>;
constexpr auto store_d = choose_matrix<Touched::write, Matrix::c>;

#define AGPUSIM_PTX_WMMA "mma sync aligned row|col row|col "
#define AGPUSIM_PTX_SHAPES "m16n16k16|m8n32k16|m32n8k16 "
#define AGPUSIM_PTX_PLACE "global|shared|shared::cta? "
#define AGPUSIM_PTX_16 " sync aligned row|col " AGPUSIM_PTX_SHAPES AGPUSIM_PTX_PLACE
#define AGPUSIM_PTX_8 " sync aligned row|col m16n16k8 " AGPUSIM_PTX_PLACE
#define AGPUSIM_PTX_4 " sync aligned row|col m8n8k4 " AGPUSIM_PTX_PLACE "f64"
constexpr Opcode rows[] = {
    {"cvt", "rna tf32 f32", "Uu", Bill::arithmetic, Op::convert,
     always<each_lane<ToTf32<false>, u32, float>>},
    {"cvt", "rn tf32 f32", "Uu", Bill::arithmetic, Op::convert,
     always<each_lane<ToTf32<true>, u32, float>>},
    // The shape stands in front of the number, or behind it, as CUTLASS writes it.
    move("ldmatrix", "sync aligned m8n8? x1|x2|x4 trans? m8n8? shared|shared::cta b16", "Fa",
         choose_rows<Touched::read>),
    move("stmatrix", "sync aligned m8n8? x1|x2|x4 trans? m8n8? shared|shared::cta b16", "af",
         choose_rows<Touched::write>),
    {"movmatrix", "sync aligned m8n8 trans b16", "Uu", Bill::arithmetic, Op::select,
     always<transpose>, 0, true},
    product("mma", "sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16", choose_f16),
    product("mma", "sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32", choose_f16),
    product("mma", "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", choose_bf16),
    product("mma", "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", choose_tf32),
    product("mma", "sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32",
            choose_integers, Op::multiply),
    product("mma", "sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col rn? f64 f64 f64 f64",
            choose_f64),
    product("wmma", AGPUSIM_PTX_WMMA AGPUSIM_PTX_SHAPES "f16|f32 f16|f32", choose_f16),
    product("wmma", AGPUSIM_PTX_WMMA AGPUSIM_PTX_SHAPES "f32 bf16 bf16 f32", choose_bf16),
    product("wmma", AGPUSIM_PTX_WMMA "m16n16k8 f32 tf32 tf32 f32", choose_tf32),
    product("wmma", AGPUSIM_PTX_WMMA AGPUSIM_PTX_SHAPES "s32 s8|u8 s8|u8 s32 satfinite?",
            choose_integers, Op::multiply),
    product("wmma", AGPUSIM_PTX_WMMA "m8n8k4 f64 f64 f64 f64 rn?", choose_f64),
    move("wmma", "load a|b" AGPUSIM_PTX_16 "f16|bf16|s8|u8", "Fau", choose_load),
    move("wmma", "load a|b" AGPUSIM_PTX_8 "tf32", "Fau", choose_load),
    move("wmma", "load c" AGPUSIM_PTX_16 "f16|f32|s32", "Fau", choose_load),
    move("wmma", "load c" AGPUSIM_PTX_8 "f32", "Fau", choose_load),
    move("wmma", "load a|b|c" AGPUSIM_PTX_4, "Fau", choose_load),
    move("wmma", "store d" AGPUSIM_PTX_16 "f16|f32|s32", "afu", store_d),
    move("wmma", "store d" AGPUSIM_PTX_8 "f32", "afu", store_d),
    move("wmma", "store d" AGPUSIM_PTX_4, "afu", store_d),
};

}  // namespace

std::span<const Opcode> tensor_rows() { return rows; }

}  // namespace agpusim::ptx
