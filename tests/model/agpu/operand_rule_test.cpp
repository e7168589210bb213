// What the operators of lanes take and refuse; all of it is known when this file compiles.
#include <tuple>
#include <type_traits>
#include <utility>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/agpu/trigonometry.hpp"
#include "agpusim/model/scalar.hpp"
#include "agpusim/model/trigonometry.hpp"

namespace agpusim {
namespace operand_rule {

using Ints = Varying<std::int32_t>;
using Uints = Varying<std::uint32_t>;
using Longs = Varying<std::int64_t>;
using Bytes = Varying<std::uint8_t>;
using Floats = Varying<float>;
using Doubles = Varying<double>;
using Bools = Varying<bool>;

#define AGPUSIM_OPERATOR(Name, expression)                                  \
  struct Name {                                                             \
    template <class A, class B>                                             \
    auto operator()(const A& a, const B& b) const -> decltype(expression) { \
      return expression;                                                    \
    }                                                                       \
  }
AGPUSIM_OPERATOR(Plus, a + b);
AGPUSIM_OPERATOR(Minus, a - b);
AGPUSIM_OPERATOR(Times, (a * b));
AGPUSIM_OPERATOR(Over, a / b);
AGPUSIM_OPERATOR(Modulo, a % b);
AGPUSIM_OPERATOR(And, (a & b));
AGPUSIM_OPERATOR(Or, a | b);
AGPUSIM_OPERATOR(Xor, a ^ b);
AGPUSIM_OPERATOR(Left, a << b);
AGPUSIM_OPERATOR(Right, a >> b);
AGPUSIM_OPERATOR(Less, a < b);
AGPUSIM_OPERATOR(LessEqual, a <= b);
AGPUSIM_OPERATOR(Greater, a > b);
AGPUSIM_OPERATOR(GreaterEqual, a >= b);
AGPUSIM_OPERATOR(Equal, a == b);
AGPUSIM_OPERATOR(NotEqual, a != b);
AGPUSIM_OPERATOR(AndAlso, (a && b));
AGPUSIM_OPERATOR(OrElse, a || b);
AGPUSIM_OPERATOR(Choice, select(std::declval<Bools>(), a, b));
#undef AGPUSIM_OPERATOR

template <class Operator, class A, class B>
concept Takes = std::is_invocable_v<Operator, A, B>;
template <class Operator, class A, class B>
using Result = std::invoke_result_t<Operator, A, B>;

// Lanes and a uniform of one type, or a uniform that C++ converts to the lanes' type.
static_assert(Takes<Plus, Ints, Ints> && Takes<Plus, Ints, std::int32_t>);
static_assert(Takes<Plus, std::int16_t, Ints> && Takes<Plus, Ints, bool>);
static_assert(Takes<Minus, Uints, std::int32_t> && Takes<Times, Longs, std::uint32_t>);
static_assert(Takes<Times, Floats, std::int64_t> && Takes<Over, std::int32_t, Floats>);
static_assert(Takes<Plus, Doubles, float> && Takes<Over, Doubles, Doubles>);
// C++ would compute in the uniform's type.
static_assert(!Takes<Times, Ints, float> && !Takes<Times, float, Ints>);
static_assert(!Takes<Plus, Ints, double> && !Takes<Plus, Ints, std::int64_t>);
static_assert(!Takes<Plus, Ints, std::uint32_t> && !Takes<Less, std::uint32_t, Ints>);
static_assert(!Takes<Plus, Longs, std::uint64_t> && !Takes<Plus, Uints, std::int64_t>);
static_assert(!Takes<Times, Floats, double> && !Takes<Less, Floats, double>);
// Lanes of two types.
static_assert(!Takes<Plus, Ints, Uints> && !Takes<Plus, Ints, Longs> && !Takes<Plus, Floats, Ints>);
static_assert(!Takes<Less, Doubles, Floats> && !Takes<Choice, Ints, Floats>);
// C++ would promote small integers and truth values to int; here they stay what they are.
static_assert(!Takes<Plus, Bytes, Bytes> && !Takes<Times, Bytes, std::uint8_t>);
static_assert(!Takes<And, Bytes, Bytes> && !Takes<Left, Bytes, std::int32_t>);
static_assert(!Takes<Plus, Bools, Bools> && !Takes<Plus, Bytes, std::int32_t>);
static_assert(Takes<Less, Bytes, Bytes> && Takes<Equal, Bytes, std::uint8_t>);
static_assert(!Takes<Less, Bytes, std::int32_t> && !Takes<Choice, Bytes, std::int32_t>);
static_assert(Takes<Choice, Bytes, Bytes> && Takes<Equal, Bools, bool>);
// Truth values.
static_assert(Takes<And, Bools, Bools> && Takes<AndAlso, Bools, bool> &&
              Takes<OrElse, bool, Bools>);
static_assert(!Takes<AndAlso, Ints, Bools> && !Takes<OrElse, Ints, Ints> &&
              !Takes<And, Bools, int>);
// Integers are divided by a uniform value.
static_assert(Takes<Over, Ints, std::int32_t> && Takes<Modulo, Uints, std::int32_t>);
static_assert(!Takes<Over, Ints, Ints> && !Takes<Over, std::int32_t, Ints>);
static_assert(!Takes<Modulo, Ints, Ints> && !Takes<Modulo, Floats, float>);
// A shift has the type of its left operand, whatever counts.
static_assert(std::is_same_v<Result<Left, std::uint64_t, Ints>, Varying<std::uint64_t>>);
static_assert(std::is_same_v<Result<Left, std::uint8_t, Longs>, Ints>);
static_assert(Takes<Right, Uints, Bytes> && Takes<Right, Ints, std::uint64_t>);
static_assert(!Takes<Left, Floats, std::int32_t> && !Takes<Left, Ints, float>);
// select takes uniforms on either side or both.
static_assert(std::is_same_v<Result<Choice, Longs, std::int32_t>, Longs>);
static_assert(std::is_same_v<Result<Choice, std::int32_t, float>, Floats>);
static_assert(!Takes<Choice, Ints, float> && !Takes<Choice, std::uint32_t, Ints>);

template <class Operator, class A, class B, class T, class S>
constexpr bool equals_cpp_if_taken() {
  if constexpr (Takes<Operator, A, B>) {
    static_assert(Takes<Operator, T, S>);
    using Cpp = Result<Operator, T, S>;
    using Lanes = typename Result<Operator, A, B>::value_type;
    // C++ makes 0 or 1 of `bool & bool`, an int.
    return std::is_same_v<Lanes, Cpp> || (std::is_same_v<Lanes, bool> && std::is_same_v<T, bool>);
  } else {
    return true;
  }
}

template <class Operator, class T, class S>
constexpr bool equals_cpp = equals_cpp_if_taken<Operator, Varying<T>, Varying<S>, T, S>() &&
                            equals_cpp_if_taken<Operator, Varying<T>, S, T, S>() &&
                            equals_cpp_if_taken<Operator, T, Varying<S>, T, S>();

using Types = std::tuple<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                         std::uint32_t, std::int64_t, std::uint64_t, float, double>;

template <class Operator, class T, class... S>
constexpr bool row_equals_cpp(std::tuple<S...>) {
  return (equals_cpp<Operator, T, S> && ...);
}
template <class Operator, class... T>
constexpr bool table_equals_cpp(std::tuple<T...> types) {
  return (row_equals_cpp<Operator, T>(types) && ...);
}
template <class... Operator>
constexpr bool tables_equal_cpp = (table_equals_cpp<Operator>(Types()) && ...);

// Whatever is taken has the type that C++ gives it, for every pair of types.
static_assert(tables_equal_cpp<Plus, Minus, Times, Over, Modulo, And, Or, Xor, Left, Right, Less,
                               LessEqual, Greater, GreaterEqual, Equal, NotEqual, AndAlso, OrElse>);

template <class A, class B>
concept Ordered = requires(const A& a, const B& b) {
  min(a, b);
  max(a, b);
};
static_assert(Ordered<Ints, std::int32_t> && Ordered<std::int32_t, Floats> &&
              Ordered<Bytes, Bytes>);
static_assert(!Ordered<Ints, float> && !Ordered<Ints, Uints> && !Ordered<Bytes, std::int32_t>);

template <class A, class B, class C>
concept Fused = requires(const A& a, const B& b, const C& c) {
  fma(a, b, c);
};
static_assert(Fused<Floats, Floats, Floats> && Fused<float, Doubles, std::int32_t>);
static_assert(!Fused<Floats, Floats, double> && !Fused<Ints, Ints, Ints>);
static_assert(!Fused<Floats, Doubles, Doubles>);

template <class A>
concept HasSine = requires(const A& a) {
  sin(a);
  cos(a);
};
static_assert(HasSine<Doubles> && HasSine<double> && !HasSine<Floats> && !HasSine<float>);

template <class Where, class Index>
concept Readable = requires(const Where& view, const Index& index) {
  view.read(index);
};
template <class Where, class Value>
concept Writable = requires(const Where& view, const Ints& index, const Value& value) {
  view.write(index, value);
  view.atomic_add(index, value);
};
static_assert(Readable<GlobalView<std::int64_t>, Ints> && Readable<SharedView<std::int64_t>, Ints>);
static_assert(!Readable<GlobalView<float>, Longs> && !Readable<SharedView<float>, Longs>);
static_assert(!Readable<GlobalView<float>, std::int32_t> && !Readable<GlobalView<float>, Uints>);
static_assert(Writable<SharedView<std::int64_t>, Longs>);
static_assert(!Writable<SharedView<std::int64_t>, Ints> && !Writable<GlobalView<double>, double>);

}  // namespace operand_rule
}  // namespace agpusim
