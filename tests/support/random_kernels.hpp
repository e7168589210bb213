#pragma once

#include <bit>
#include <filesystem>
#include <sstream>
#include <tuple>
#include <utility>

#include "agpusim/model/agpu/device.hpp"

// Kernels as data, and how agpusim runs them.
namespace agpusim::random_kernels {

using I32 = std::int32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;

/// A vector with signed indices.
template <class T>
struct List : std::vector<T> {
  using std::vector<T>::vector;
  static List of(I64 size) { return List(static_cast<std::size_t>(size)); }
  T& operator[](I64 i) { return this->data()[i]; }
  const T& operator[](I64 i) const { return this->data()[i]; }
};

enum Type : I32 { u8, u16, u32, u64, f32, i32, types };
constexpr I32 bits_of[types] = {8, 16, 32, 64, 32, 32};
constexpr const char* names[2][types] = {{"g_u8", "g_u16", "g_u32", "g_u64", "g_f32", "g_i32"},
                                         {"s_u8", "s_u16", "s_u32", "s_u64", "s_f32", "s_i32"}};

enum class Op { read, write, add, max, min, fetch, alu, uniform, sync, when, while_any, by_task };
constexpr const char* op_names[] = {"read", "write",   "add",  "max",  "min",       "fetch",
                                    "alu",  "uniform", "sync", "when", "while_any", "by_task"};
enum class Value { same, by_lane, loaded };

/// One instruction, or a branch or loop with its instructions.
struct Step {
  Op op = Op::sync;
  bool shared = false;
  I32 type = u32;
  I32 count = 1;  ///< neighbours that a lane accesses
  I32 first = 0;  ///< an index is first + stride·lane, a condition lane < first
  I32 stride = 0;
  List<I32> numbers = {};     ///< or each lane's index, whether it takes part, or its turns
  I64 shift = 0;              ///< how much further on in the array the next task is
  Value value = Value::same;  ///< what is stored; `loaded` is what a register has
  U64 x = 1;                  ///< the constant of the value
  bool by_data = false;       ///< the condition asks a register
  List<Step> then = {};
  List<Step> otherwise = {};

  [[nodiscard]] bool plain() const { return op == Op::read || op == Op::write; }
  [[nodiscard]] bool loads() const { return op == Op::read || op == Op::fetch; }
};
struct Phase {
  I64 tasks = 1;
  List<Step> steps = {};
};
struct Program {
  AgpuSpec spec = {};
  I32 sizes[2][types] = {};  ///< elements of the global and shared array of each type
  List<Phase> phases = {};
};

/// The bits of a value; floats are 0, -0, a NaN and 1.5.
inline U64 cut(I32 type, U64 x) {
  constexpr U64 floats[] = {0, 0x80000000, 0x7FC00001, 0x3FC00000};
  return type == f32 ? floats[x % 4] : x & (~U64{0} >> (64 - bits_of[type]));
}
inline U64 constant(const Step& s, I32 lane, I32 j) {
  return cut(s.type, s.x + static_cast<U64>(j + (s.value == Value::by_lane ? lane : 0)));
}
template <class T>
T from_bits(U64 bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  return static_cast<T>(bits);
}
template <class T>
inline U64 to_bits(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  return static_cast<U64>(value);
}
/// Words that so many elements take: several in a word, or each in words of its own.
inline I64 words_of(I64 w, I64 e, I64 elements) {
  return w % e == 0 ? (elements * e + w - 1) / w : elements * ((e + w - 1) / w);
}
/// The n-th of equal things of different types.
template <I32 n = 0, class Things, class F>
void with(Things& things, I32 type, F f) {
  if (type == n) return f(std::get<n>(things));
  if constexpr (n + 1 < types) with<n + 1>(things, type, f);
}

/// The file that messages name as the place of an access.
inline const std::string source_file =
    std::filesystem::path(SourceLine::current().file_name()).filename().string();

/// A task of a program in the vocabulary of kernels.
template <class Mp, class... View>
class Task {
 public:
  Task(Mp& mp, const Program& p, View... views)
      : mp_(mp), of_type_{OfType<View>{views, reserve<View>(p), zeros<View>()}...} {}

  void run(const List<Step>& steps) {
    for (const Step& s : steps) run(s);
  }

 private:
  template <class View_>
  struct OfType {
    using T = typename View_::value_type;
    View_ global;
    SharedView<T> shared;
    Registers<Varying<T>, 4> registers;
  };
  template <class View_>
  auto reserve(const Program& p) {
    const I32 type = made_++;
    return mp_.template shared<typename View_::value_type>(p.sizes[1][type], names[1][type]);
  }
  template <class View_>
  auto zeros() {
    return registers_of<4>(mp_.varying(typename View_::value_type{}));
  }

  void run(const Step& s) {
    I32 turn = 0;
    const auto condition = [&] {
      if (s.by_data) return (std::get<u32>(of_type_).registers[0] & 1U) == 0U;
      if (s.numbers.empty()) return mp_.lane() < s.first;
      return filled<bool>([&](I32 lane) { return s.numbers[lane] > turn; });
    };
    const auto body = [&] {
      run(s.then);
      ++turn;
    };
    if (s.op == Op::sync) {
      mp_.sync();
    } else if (s.op == Op::when) {
      mp_.when(condition(), body, [&] { run(s.otherwise); });
    } else if (s.op == Op::while_any) {
      mp_.while_any(condition, body);
    } else if (s.op == Op::by_task) {
      run(mp_.task() % 2 == 0 ? s.then : s.otherwise);
    } else if (s.op == Op::alu) {
      auto& sum = std::get<u32>(of_type_).registers[0];
      sum = sum + static_cast<std::uint32_t>(s.x);
    } else {
      with(of_type_, s.type, [&](auto& one) {
        if (s.op == Op::uniform) {
          (void)mp_.uniform(one.registers[0]);
        } else if (s.shared) {
          access(s, one.shared, one.registers);
        } else {
          access(s, one.global.from(s.shift * mp_.task()), one.registers);
        }
      });
    }
  }
  template <class V, class R>
  void access(const Step& s, const V& view, R& r) {
    using T = typename V::value_type;
    const auto at = index(s);
    if (s.count == 2) return wide<2>(s, view, at, r);
    if (s.count == 4) return wide<4>(s, view, at, r);
    if (s.op == Op::read) r[0] = view.read(at);
    if (s.op == Op::write) view.write(at, value<T>(s, r, 0));
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
      if (s.op == Op::add) view.atomic_add(at, value<T>(s, r, 0));
      if (s.op == Op::max) view.atomic_max(at, value<T>(s, r, 0));
      if (s.op == Op::min) view.atomic_min(at, value<T>(s, r, 0));
      if constexpr (std::is_same_v<V, SharedView<T>>) {
        if (s.op == Op::fetch) r[0] = view.fetch_add(at, value<T>(s, r, 0));
      }
    }
  }
  template <I32 count, class V, class R>
  void wide(const Step& s, const V& view, const Varying<I32>& at, R& r) {
    using T = typename V::value_type;
    if constexpr (WideAccess<T, count>) {
      if (s.op == Op::read) {
        auto values = view.template read_wide<count>(at);
        for (I32 j = 0; j < count; ++j) r[j] = std::move(values[j]);
      } else {
        const auto one = [&](I32 j) { return value<T>(s, r, j); };
        view.template write_wide<count>(at, make_registers<count>(one));
      }
    }
  }
  Varying<I32> index(const Step& s) {
    if (!s.numbers.empty()) return filled<I32>([&](I32 lane) { return s.numbers[lane]; });
    if (s.stride == 0) return mp_.varying(s.first);
    if (s.stride == 1) return mp_.lane() + s.first;
    if (s.stride == -1) return s.first - mp_.lane();
    return mp_.lane() * s.stride + s.first;
  }
  template <class T, class R>
  Varying<T> value(const Step& s, const R& r, I32 j) {
    if (s.value == Value::loaded) return r[j];
    if (s.value == Value::same) return mp_.varying(from_bits<T>(constant(s, 0, j)));
    return filled<T>([&](I32 lane) { return from_bits<T>(constant(s, lane, j)); });
  }
  template <class T, class F>
  Varying<T> filled(F f) {
    const auto zero = mp_.varying(T{});
    Varying<T> values(zero.context());
    for (I32 i = 0; i < zero.context().padded(); ++i)
      values.data()[i] = i < mp_.width() ? f(i) : T{};
    return values;
  }

  Mp& mp_;
  I32 made_ = 0;
  std::tuple<OfType<View>...> of_type_;
};

struct RandomKernel {
  static constexpr const char* name = "random_kernel";
  const Program& program;
  const List<Step>& steps;

  template <class Mp, class... View>
  void operator()(Mp& mp, View... views) const {
    Task<Mp, View...>(mp, program, views...).run(steps);
  }
};

inline std::string text(const List<Step>& steps, const std::string& indent = "\n  ") {
  std::ostringstream out;
  for (const Step& s : steps) {
    out << indent << op_names[static_cast<int>(s.op)] << ' ' << names[s.shared ? 1 : 0][s.type]
        << " x" << s.count << " value " << static_cast<int>(s.value) << ' ' << s.x << " shift "
        << s.shift << (s.by_data ? " by data" : "") << " first " << s.first << " stride "
        << s.stride << " [";
    for (const I32 number : s.numbers) out << ' ' << number;
    out << " ]" << text(s.then, indent + "  ");
    if (!s.otherwise.empty()) out << indent << "otherwise" << text(s.otherwise, indent + "  ");
  }
  return out.str();
}
inline std::string text(const Program& p) {
  std::ostringstream out;
  out << p.spec.to_string() << ' ' << to_string(p.spec.bank_mode) << " elements";
  for (const auto& sizes : p.sizes) {
    for (const I32 size : sizes) out << ' ' << size;
  }
  for (const Phase& phase : p.phases) out << "\n" << phase.tasks << " tasks" << text(phase.steps);
  return out.str();
}

}  // namespace agpusim::random_kernels
