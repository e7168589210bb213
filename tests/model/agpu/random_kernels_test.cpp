#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

// Kernels as data, run by agpusim and by a second, naive reading of the rules: what they compute,
// what they are charged, and which access is refused, by which rule.
namespace agpusim::random_kernels {
namespace {

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
U64 cut(I32 type, U64 x) {
  constexpr U64 floats[] = {0, 0x80000000, 0x7FC00001, 0x3FC00000};
  return type == f32 ? floats[x % 4] : x & (~U64{0} >> (64 - bits_of[type]));
}
U64 constant(const Step& s, I32 lane, I32 j) {
  return cut(s.type, s.x + static_cast<U64>(j + (s.value == Value::by_lane ? lane : 0)));
}
template <class T>
T from_bits(U64 bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  return static_cast<T>(bits);
}
template <class T>
U64 to_bits(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  return static_cast<U64>(value);
}
/// Words that so many elements take: several in a word, or each in words of its own.
I64 words_of(I64 w, I64 e, I64 elements) {
  return w % e == 0 ? (elements * e + w - 1) / w : elements * ((e + w - 1) / w);
}
/// The n-th of equal things of different types.
template <I32 n = 0, class Things, class F>
void with(Things& things, I32 type, F f) {
  if (type == n) return f(std::get<n>(things));
  if constexpr (n + 1 < types) with<n + 1>(things, type, f);
}

/// The file that messages name as the place of an access.
const std::string source_file =
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

/// What the rules say of a program: instruction by instruction, task by task.
class Reference {
 public:
  explicit Reference(const Program& p, bool prices = true)
      : prices_(prices), p_(p), spec_(p.spec), b_(spec_.block_words) {
    for (I32 t = 0; t < types; ++t) {
      arrays_[0][t] = {names[0][t], bits_of[t], 0, List<Element>::of(p.sizes[0][t])};
      for (I64 i = 0; i < p.sizes[0][t]; ++i) arrays_[0][t].elements[i].bits = initial(t, i);
      global_words += words_of(spec_.word_bits, bits_of[t], p.sizes[0][t]);
    }
    try {
      for (const Phase& phase : p.phases) run(phase);
    } catch (const Refused&) {
    }
  }
  static U64 initial(I32 type, I64 i) { return cut(type, static_cast<U64>(i * 37 + type)); }
  [[nodiscard]] U64 value(I32 type, I64 i) const { return arrays_[0][type].elements[i].bits; }

  struct Offence {
    std::string rule;
    std::string place;                  ///< as the message names it
    std::set<std::string> others = {};  ///< whom it may blame
  };
  List<Offence> offences;         ///< of the first instruction that breaks a rule
  const Step* refused = nullptr;  ///< that instruction
  List<PhaseReport> phases;
  I64 global_words = 0;

 private:
  struct Refused {};
  struct Touch {
    Op op;
    I64 phase;
    I64 task;
    I64 stage;  ///< between two sync()
    I32 lane;
    bool operator==(const Touch&) const = default;
  };
  struct Element {
    U64 bits = 0;
    I64 written = 0;  ///< by the task of this number of all tasks
    List<Touch> touches = {};
  };
  struct Array {
    std::string name = {};
    I64 bits = 0;
    I64 base = 0;
    List<Element> elements = {};
  };
  struct Register {
    List<U64> bits = {};
    I64 read = 0;  ///< the number of the global read that it waits for
  };
  using Flags = List<char>;
  using Lanes = std::map<I32, I64>;  // and the first element of each

  void run(const Phase& phase) {
    PhaseReport report;
    report.kernel = RandomKernel::name;
    report.tasks = phase.tasks;
    ++phase_;
    atomics_.clear();
    atomic_blocks_.clear();
    std::map<I64, std::pair<I64, I64>> of_mp;  // time and I/O
    for (task_ = 0; task_ < phase.tasks; ++task_) {
      ++stage_;
      ++tasks_;
      I64 base = 0;
      for (I32 t = 0; t < types; ++t) {
        arrays_[1][t] = {names[1][t], bits_of[t], base, List<Element>::of(p_.sizes[1][t])};
        base += words_of(spec_.word_bits, bits_of[t], p_.sizes[1][t]);
        for (Register& r : registers_[t]) r = {List<U64>::of(spec_.width)};
      }
      counts_ = {};
      last_read_ = arrived_ = 0;
      mask_.assign(static_cast<std::size_t>(spec_.width), 1);
      run(phase.steps);
      counts_.lane_slots = counts_.instructions() * b_;
      report.counts += counts_;
      report.shared_words = base;
      report.max_task_time = std::max(report.max_task_time, counts_.time());
      auto& [time, io] = of_mp[task_ % spec_.multiprocessors()];
      report.time = std::max(report.time, time += counts_.time());
      report.io_max = std::max(report.io_max, io += counts_.io());
    }
    for (const auto& [word, times] : atomics_)
      report.contention = std::max(report.contention, times);
    report.atomic_blocks = static_cast<I64>(atomic_blocks_.size());
    phases.push_back(report);
  }
  void run(const List<Step>& steps) {
    for (const Step& s : steps) {
      if (active(0, spec_.width) > 0) run(s);
    }
  }
  void run(const Step& s) {
    const Flags enclosing = mask_;
    const auto under = [&](const List<Step>& steps, auto takes_part) {
      for (I32 i = 0; i < spec_.width; ++i) mask_[i] = enclosing[i] != 0 && takes_part(i) ? 1 : 0;
      run(steps);
      mask_ = enclosing;
    };
    Register& sum = registers_[u32][0];
    if (s.op == Op::sync) {
      if (active(0, spec_.width) < spec_.width) offend_all("divergent");
      ++stage_;
    } else if (s.op == Op::when) {
      if (s.by_data) use(sum);
      alu(s.by_data ? 2 : s.numbers.empty() ? 1 : 0);
      Flags holds;
      for (I32 i = 0; i < spec_.width; ++i) {
        const bool listed = s.numbers.empty() ? i < s.first : s.numbers[i] > 0;
        holds.push_back((s.by_data ? sum.bits[i] % 2 == 0 : listed) ? 1 : 0);
      }
      under(s.then, [&](I32 i) { return holds[i] != 0; });
      under(s.otherwise, [&](I32 i) { return holds[i] == 0; });
    } else if (s.op == Op::by_task) {
      run(task_ % 2 == 0 ? s.then : s.otherwise);
    } else if (s.op == Op::while_any) {
      for (I32 turn = 0; turn < 4; ++turn)
        under(s.then, [&](I32 i) { return s.numbers[i] > turn; });
    } else if (s.op == Op::alu) {
      use(sum);
      alu(1);
      for (I32 i = 0; i < spec_.width; ++i) {
        if (mask_[i] != 0) sum.bits[i] = cut(u32, sum.bits[i] + s.x);
      }
      assigned(sum, 0);
    } else if (s.op == Op::uniform) {
      use(registers_[s.type][0]);
      std::set<U64> values;
      for (I32 i = 0; i < spec_.width; ++i) {
        if (mask_[i] != 0) values.insert(registers_[s.type][0].bits[i]);
      }
      if (values.size() > 1) offend_all("uniform");
    } else {
      access(s, arrays_[s.shared ? 1 : 0][s.type]);
    }
    stop_if_refused(s);
  }

  [[nodiscard]] I64 active(I32 from, I32 lanes) const {
    return std::count(mask_.data() + from, mask_.data() + from + lanes, 1);
  }
  void alu(I64 instructions) {
    for (I32 i = 0; i < spec_.width; i += b_) {
      counts_.active_lanes += instructions * active(i, b_);
      if (active(i, b_) > 0) counts_.alu += instructions;
    }
  }
  void use(const Register& r) {
    if (r.read <= arrived_) return;
    arrived_ = last_read_;
    ++counts_.rounds;
  }
  void assigned(Register& r, I64 read) {
    r.read = active(0, spec_.width) == spec_.width ? read : std::max(r.read, read);
  }

  void offend(const std::string& rule, I32 lane, const std::string& at = "",
              const std::set<std::string>& others = {}) {
    std::ostringstream place;
    place << "(kernel random_kernel, task " << task_ << ", lane " << lane << at << ", at "
          << source_file << ':';
    offences.push_back({rule, place.str(), others});
  }
  void offend(const std::string& rule, I32 lane, const Array& a, I64 index,
              const std::set<std::string>& others = {}) {
    offend(rule, lane, ", array " + a.name + ", index " + std::to_string(index), others);
  }
  void offend_all(const std::string& rule) {
    for (I32 i = 0; i < spec_.width; ++i) {
      if (mask_[i] != 0) offend(rule, i);
    }
  }
  void stop_if_refused(const Step& s) {
    if (offences.empty()) return;
    refused = &s;
    throw Refused();
  }

  void access(const Step& s, Array& a) {
    const bool linear = s.numbers.empty();
    alu(!linear || s.stride == 0 ? 0 : s.stride == 1 || s.stride == -1 ? 1 : 2);
    for (I32 j = 0; j < s.count && s.op != Op::read && s.value == Value::loaded; ++j) {
      use(registers_[s.type][j]);
    }
    Lanes lanes;
    for (I32 i = 0; i < spec_.width; ++i) {
      const I64 index = linear ? s.first + I64{s.stride} * i : s.numbers[i];
      if (mask_[i] != 0) lanes[i] = index + (s.shared ? 0 : s.shift * task_);
    }
    std::map<I64, std::map<I32, U64>> values;  // of each element and lane
    for (const auto& [lane, first] : lanes) {
      const bool inside = first >= 0 && first + s.count <= static_cast<I64>(a.elements.size());
      for (I32 j = 0; j < s.count; ++j) {
        if (!inside) offend("out of bounds", lane, a, first + j);
        if (first % s.count != 0) offend("misaligned", lane, a, first + j);
        const bool loaded = s.value == Value::loaded;
        values[first + j][lane] = loaded ? registers_[s.type][j].bits[lane] : constant(s, lane, j);
      }
    }
    stop_if_refused(s);
    for (const auto& [index, of_lane] : values) check(s, a, index, of_lane);
    stop_if_refused(s);
    if (prices_) price(s, a, lanes);
    if (s.op == Op::read && !s.shared) ++last_read_;
    for (I32 j = 0; j < s.count; ++j) {
      Register& to = registers_[s.type][j];
      for (const auto& [lane, first] : lanes) {
        Element& element = a.elements[first + j];
        if (s.loads()) to.bits[lane] = element.bits;
        if (s.op == Op::write) element.written = tasks_;
        element.bits = result(s, element.bits, values[first + j][lane]);
        const Touch touch = {s.op, phase_, task_, stage_, lane};
        if (std::count(element.touches.begin(), element.touches.end(), touch) == 0) {
          element.touches.push_back(touch);
        }
      }
      if (s.loads()) assigned(to, s.shared ? 0 : last_read_);
    }
  }
  static U64 result(const Step& s, U64 old, U64 value) {
    const bool less = s.type == i32 ? static_cast<I32>(old) < static_cast<I32>(value) : old < value;
    if (s.op == Op::add || s.op == Op::fetch) return cut(s.type, old + value);
    return s.op == Op::read || (s.op == Op::max && !less) || (s.op == Op::min && less) ? old
                                                                                       : value;
  }
  /// The lanes of one instruction on one element, against each other and what was before.
  void check(const Step& s, const Array& a, I64 index, const std::map<I32, U64>& of_lane) {
    const Element& element = a.elements[index];
    std::set<U64> values;
    for (const auto& [lane, value] : of_lane) values.insert(value);
    for (const auto& [lane, value] : of_lane) {
      if (s.shared && s.op != Op::write && element.written != tasks_) {
        offend("not written", lane, a, index);
      }
      if (s.op == Op::write && values.size() > 1) offend("different values", lane, a, index);
      std::set<std::string> lanes;
      std::set<std::string> tasks;
      for (const auto& [other, its] : of_lane) {
        if (s.op == Op::fetch && other != lane) lanes.insert("lane " + std::to_string(other));
      }
      for (const Touch& other : element.touches) {
        const bool alike = other.op == s.op && s.op != Op::write;
        const bool same_warp = other.lane / b_ == lane / b_;
        if (other.task != task_) {
          if (other.phase == phase_ && !alike) tasks.insert("task " + std::to_string(other.task));
        } else if (other.stage == stage_ && other.lane != lane) {
          if (alike && (s.op != Op::fetch || same_warp)) continue;
          lanes.insert("lane " + std::to_string(other.lane));
        }
      }
      if (!lanes.empty()) offend("order", lane, a, index, lanes);
      if (!tasks.empty()) offend("race", lane, a, index, tasks);
    }
  }

  void price(const Step& s, const Array& a, const Lanes& all) {
    const auto first_word = [&](I64 element) {
      const I64 w = spec_.word_bits;
      return a.base + (w % a.bits == 0 ? element * a.bits / w : words_of(w, a.bits, element));
    };
    const I64 words = words_of(spec_.word_bits, a.bits, s.count);  // wide accesses are aligned
    for (I32 warp = 0; warp < spec_.warps(); ++warp) {
      const Lanes lanes(all.lower_bound(warp * b_), all.lower_bound((warp + 1) * b_));
      if (lanes.empty()) continue;
      counts_.active_lanes += static_cast<I64>(lanes.size());
      if (s.shared) {
        SharedCounts& counts = s.op == Op::read    ? counts_.shared_read
                               : s.op == Op::write ? counts_.shared_write
                                                   : counts_.shared_atomic;
        counts += price_shared(s, lanes, words, first_word);
        continue;
      }
      std::set<I64> blocks;
      std::set<I64> sectors;
      std::map<I64, I64> times;
      I64 most = 1;
      for (const auto& [lane, first] : lanes) {
        for (I64 word = first_word(first); word < first_word(first) + words; ++word) {
          blocks.insert(word / b_);
          sectors.insert(word / std::bit_floor(256U / static_cast<unsigned>(spec_.word_bits)));
          if (!s.plain()) atomic_blocks_.insert({s.type, word / b_});
        }
        if (!s.plain()) most = std::max(most, ++times[first]);
        if (!s.plain()) ++atomics_[{s.type, first}];
      }
      GlobalCounts& counts = s.op == Op::read    ? counts_.global_read
                             : s.op == Op::write ? counts_.global_write
                                                 : counts_.global_atomic;
      counts += {1, static_cast<I64>(blocks.size()), static_cast<I64>(sectors.size())};
      counts_.serialised += most - 1;
    }
  }
  template <class FirstWord>
  SharedCounts price_shared(const Step& s, const Lanes& lanes, I64 words, FirstWord first_word) {
    const bool merge = spec_.bank_mode == BankMode::merge && s.plain();
    I64 lanes_of_pass = std::max<I64>(1, b_ / words);
    if (words > 1 && s.op == Op::read && merge) {
      const I64 twice = std::min<I64>(b_, 2 * lanes_of_pass);
      const auto agree = [&](I32 bit) {  // lanes of a pass whose numbers differ in the bit
        return 2 * bit <= twice && std::all_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
                 const I32 begin = lane.first / b_ * b_;
                 const auto other = lanes.find(begin + ((lane.first - begin) ^ bit));
                 return other == lanes.end() || other->second == lane.second;
               });
      };
      const bool one = std::all_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
        return lane.second == lanes.begin()->second;
      });
      if (one || agree(1) || agree(2)) lanes_of_pass = twice;
    }
    std::map<I64, std::multiset<I64>> passes;
    for (const auto& [lane, first] : lanes) {
      std::multiset<I64>& touched = passes[lane % b_ / lanes_of_pass];
      for (I64 word = first_word(first); word < first_word(first) + words; ++word) {
        if (!merge || !touched.contains(word)) touched.insert(word);
      }
    }
    SharedCounts price = {1, 0, 0};
    for (const auto& [pass, touched] : passes) {
      List<I64> of_bank = List<I64>::of(b_);
      for (const I64 word : touched) ++of_bank[word % b_];
      const I64 most = *std::max_element(of_bank.begin(), of_bank.end());
      price.wavefronts += most;
      price.conflicts += most - (words + b_ - 1) / b_;  // above those of one lane alone
    }
    return price;
  }

  const bool prices_;
  const Program& p_;
  const AgpuSpec& spec_;
  const I32 b_;
  Array arrays_[2][types];
  Register registers_[types][4];
  Flags mask_;
  Counts counts_;
  std::map<std::pair<I32, I64>, I64> atomics_;  // of each element of a global array
  std::set<std::pair<I32, I64>> atomic_blocks_;
  I64 task_ = 0;
  I64 tasks_ = 0;
  I64 phase_ = 0;
  I64 stage_ = 0;
  I64 last_read_ = 0;
  I64 arrived_ = 0;
};

std::string text(const List<Step>& steps, const std::string& indent = "\n  ") {
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
std::string text(const Program& p) {
  std::ostringstream out;
  out << p.spec.to_string() << ' ' << to_string(p.spec.bank_mode) << " elements";
  for (const auto& sizes : p.sizes) {
    for (const I32 size : sizes) out << ' ' << size;
  }
  for (const Phase& phase : p.phases) out << "\n" << phase.tasks << " tasks" << text(phase.steps);
  return out.str();
}
std::string text(const PhaseReport& r) {
  std::ostringstream out;
  const Counts& c = r.counts;
  for (const GlobalCounts& g : {c.global_read, c.global_write, c.global_atomic}) {
    out << g.requests << ' ' << g.blocks << ' ' << g.sectors << " | ";
  }
  for (const SharedCounts& s : {c.shared_read, c.shared_write, c.shared_atomic}) {
    out << s.requests << ' ' << s.wavefronts << ' ' << s.conflicts << " | ";
  }
  out << "alu " << c.alu << " rounds " << c.rounds << " serialised " << c.serialised << " active "
      << c.active_lanes << " slots " << c.lane_slots << " words " << r.shared_words << " time "
      << r.time << " task " << r.max_task_time << " io " << r.io_max << " contention "
      << r.contention << " atomic blocks " << r.atomic_blocks << '\n';
  return out.str();
}

/// Whether a message tells of the offence, its place, and nobody who has no part in it.
bool tells(const std::string& message, const Reference::Offence& offence) {
  const auto has = [&](const std::string& part) { return message.find(part) != std::string::npos; };
  const std::string& rule = offence.rule;
  const bool race = message.starts_with("race: ");
  const bool order = has("lockstep") || has("fetch_add") || has("atomic") || has("order");
  if (!has(offence.place)) return false;
  if (rule == "race" ? !race : rule == "order" ? race || !order : !has(rule)) return false;
  // The last lane, or the last task, before the place: "lane 3 wrote", "that task 0 uses".
  const std::string head = message.substr(0, message.find(" (kernel"));
  const std::size_t at = head.rfind(race ? "that task " : "lane ");
  if (at == std::string::npos) return true;
  const std::string who = head.substr(race ? at + 5 : at);
  if (who.find_first_of("0123456789") != 5) return true;  // it names none
  return std::any_of(offence.others.begin(), offence.others.end(),
                     [&](const std::string& other) { return who.starts_with(other + ' '); });
}

/// What a run differs in from what the rules say, and its message.
std::string difference(const Program& p, const Reference& expected, SimulationOptions options,
                       std::string& message) {
  SimulatedDevice device(p.spec, options);
  const auto make = [&]<class T>(I32 t, T) {
    List<T> values;
    for (I64 i = 0; i < p.sizes[0][t]; ++i)
      values.push_back(from_bits<T>(Reference::initial(t, i)));
    auto array = device.allocate<T>(p.sizes[0][t], names[0][t]);
    device.upload<T>(array, values);
    return array;
  };
  const std::tuple arrays{make(u8, std::uint8_t{}),
                          make(u16, std::uint16_t{}),
                          make(u32, std::uint32_t{}),
                          make(u64, U64{}),
                          make(f32, 0.0F),
                          make(i32, I32{})};
  try {
    for (const Phase& phase : p.phases) {
      const RandomKernel kernel{p, phase.steps};
      std::apply([&](auto&... array) { device.launch(phase.tasks, kernel, array...); }, arrays);
    }
  } catch (const RuleViolation& error) {
    message = error.what();
  } catch (const Error& error) {
    message = std::string("no rule: ") + error.what();
  }
  for (const Reference::Offence& offence : expected.offences) {
    if (tells(message, offence)) return "";
  }
  if (expected.refused != nullptr) {
    return expected.offences[0].rule + ' ' + expected.offences[0].place + ", but: " + message;
  }
  if (!message.empty()) return "legal, but: " + message;
  for (I64 i = 0; i < static_cast<I64>(p.phases.size()); ++i) {
    PhaseReport phase = device.report().phases[static_cast<std::size_t>(i)];
    phase.execution = {};
    if (!(phase == expected.phases[i])) return text(expected.phases[i]) + ", but: " + text(phase);
  }
  std::ostringstream out;
  if (const I64 words = device.report().global_words_peak; words != expected.global_words) {
    out << expected.global_words << " words, but: " << words;
  }
  for (I32 t = 0; t < types; ++t) {
    with(arrays, t, [&](const auto& array) {
      I64 i = 0;
      for (const auto value : device.download(array)) {
        const U64 wanted = expected.value(t, i++);
        if (to_bits(value) != wanted)
          out << names[0][t] << ' ' << i - 1 << ": " << wanted << ", but: " << to_bits(value);
      }
    });
  }
  return out.str();
}
/// The same of several runs: by 1, 2 and 7 threads, by one that counts more, and without checks.
std::string difference(const Program& p, const Reference& expected, I32 runs) {
  std::string first;
  for (I32 run = 0; run < std::min(runs, expected.refused == nullptr ? 5 : 4); ++run) {
    constexpr int threads[] = {1, 2, 7, 1, 1};
    SimulationOptions options;
    options.threads = threads[run];
    options.execution = options.by_line = run == 3;
    options.checks = run != 4;
    std::string message;
    const std::string differs = difference(p, expected, options, message);
    if (run == 0) first = message;
    if (!differs.empty()) return "run " + std::to_string(run) + ": " + differs;
    if (message != first)
      return "run " + std::to_string(run) + " says " + message + ", not " + first;
  }
  return "";
}

std::string difference(const Program& p) { return difference(p, Reference(p), 5); }

/// Makes programs.
class Generator {
 public:
  using Random = std::mt19937_64;
  Generator(Random& random, bool packs) : random_(random), packs_(packs) {}

  Program program() {
    AgpuSpec& spec = p_.spec;
    spec.block_words = pick({1, 2, 4, 8, 16, 32, 3, 5, 12});
    const I32 v = spec.width = spec.block_words * pick({1, 1, 2, 3, 4});
    spec.cores = I64{spec.block_words} * pick({1, 2, 3});
    spec.word_bits = pick({8, 16, 24, 32, 48, 64});
    spec.bank_mode = pick({BankMode::merge, BankMode::merge, BankMode::strict});
    for (I32 i = pick({1, 1, 2}); i > 0; --i) {
      p_.phases.push_back({v < 9 && below(8) == 0 ? 40 : 1 + below(6)});
    }
    tasks_ = p_.phases[0].tasks;
    const auto all = static_cast<I32>(tasks_ * v * pick({1, 2}));
    const bool aligned = below(2) == 0;  // wide accesses need arrays that begin at a multiple
    spec.shared_words = 0;
    for (I32 t = 0; t < types; ++t) {
      if (!allowed(t)) continue;
      const I32 largest = spec.word_bits == 8 ? 256 / bits_of[t] : all;
      p_.sizes[0][t] = std::min(largest, pick({all, all, v + below(5), 1 + below(12)}));
      const I32 size = pick({v, 2 * v, 1 + below(9)});
      p_.sizes[1][t] = aligned ? (size + 15) / 16 * 16 : size;
      base_[t] = aligned ? spec.shared_words : -1;
      spec.shared_words += words_of(spec.word_bits, bits_of[t], p_.sizes[1][t]);
    }
    spec.shared_words += spec.block_words;
    for (Phase& phase : p_.phases) {
      tasks_ = phase.tasks;
      for (I32 t = 0; t < types; ++t) {
        for (I32 first = 0; first < p_.sizes[1][t] && below(9) > 0; first += v) {
          Step s{Op::write, true, t, 1, first, 1};
          s.value = Value::by_lane;
          add(phase.steps, s);
        }
      }
      if (below(4) > 0) phase.steps.emplace_back();
      more(phase.steps, 3 + below(9), 0);
    }
    return p_;
  }

 private:
  I32 below(I64 n) { return static_cast<I32>(random_() % static_cast<U64>(n)); }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<I64>(list.size()))];
  }
  /// Whether elements share no word, or may.
  [[nodiscard]] bool allowed(I32 type) const {
    const I32 w = p_.spec.word_bits;
    return packs_ || w == bits_of[type] || w % bits_of[type] != 0;
  }
  I32 size(const Step& s) { return p_.sizes[s.shared ? 1 : 0][s.type]; }

  Step access() {
    Step s;
    s.op = pick(
        {Op::read, Op::read, Op::read, Op::write, Op::write, Op::add, Op::fetch, Op::max, Op::min});
    s.shared = s.op == Op::fetch || below(2) == 0;
    do s.type = below(types);
    while (!allowed(s.type) || (!s.plain() && (s.type < u32 || s.type == f32)));
    s.value = pick({Value::same, Value::by_lane, Value::loaded});
    s.x = random_() >> below(64);
    if (s.plain() && s.type >= u32 && below(3) == 0) s.count = s.type == u64 ? 2 : pick({2, 4});
    const I64 words = words_of(p_.spec.word_bits, bits_of[s.type], s.count);
    if (s.shared && (base_[s.type] < 0 || base_[s.type] % words != 0)) s.count = 1;
    if (size(s) < s.count) s.count = 1;
    I32 groups = size(s) / s.count;
    if (!s.shared && groups >= tasks_ && below(4) > 0) {  // each task has its own
      groups /= static_cast<I32>(tasks_);
      s.shift = I64{groups} * s.count;
    } else if (!s.shared && below(8) == 0) {
      s.shift = s.count;
    }
    const I32 v = p_.spec.width;
    if (below(4) == 0) {
      const bool distinct = below(2) == 0;
      for (I32 i = 0; i < v; ++i) s.numbers.push_back((distinct ? i : below(groups)) * s.count);
      std::shuffle(s.numbers.begin(), s.numbers.end(), random_);
    } else {
      s.first = pick({0, below(groups)}) * s.count;
      s.stride = pick({0, 1, 1, 1, -1, 2, 3, p_.spec.block_words}) * s.count;
      if (s.stride < 0) s.first = std::min(groups - 1, v - 1) * s.count;
    }
    if (s.count > 1 && below(40) == 0) ++s.first;
    return s;
  }
  /// The access by the lanes that stay in the array, or, rarely, by all.
  void add(List<Step>& steps, const Step& s) {
    I32 lanes = 0;
    for (; lanes < p_.spec.width; ++lanes) {
      const I64 at = s.numbers.empty() ? s.first + I64{s.stride} * lanes : s.numbers[lanes];
      if (at < 0 || at + s.count + (s.shared ? 0 : s.shift * (tasks_ - 1)) > size(s)) break;
    }
    if (lanes == p_.spec.width || below(40) == 0) {
      steps.push_back(s);
    } else if (lanes > 0) {
      Step guard;
      guard.op = Op::when;
      guard.first = lanes;
      guard.then = {s};
      steps.push_back(guard);
    }
  }
  void more(List<Step>& steps, I32 count, I32 depth) {
    for (; count > 0; --count) {
      Step s;
      s.op = pick({Op::read, Op::read, Op::read, Op::read, Op::read, Op::read, Op::alu, Op::uniform,
                   Op::sync, Op::when, Op::when, Op::while_any, Op::by_task});
      if (s.op == Op::read) {
        add(steps, access());
        continue;
      }
      const bool branches = s.op >= Op::when;
      if (branches ? depth == 2 : depth > 0 && s.op == Op::sync && below(9) > 0) continue;
      if (s.op == Op::uniform) s.type = pick({u32, u64, f32});
      s.by_data = s.op == Op::when && below(4) == 0;
      s.first = below(p_.spec.width + 1);
      const I32 most = s.op == Op::while_any ? 4 : 2;
      const bool listed = s.op == Op::while_any || (s.op == Op::when && below(2) == 0);
      for (I32 i = 0, all = below(3); i < p_.spec.width && listed; ++i) {
        s.numbers.push_back(all == 0 ? most - 1 : below(most));
      }
      if (branches) more(s.then, 1 + below(2), depth + 1);
      if (s.op != Op::while_any && branches) more(s.otherwise, below(3), depth + 1);
      steps.push_back(s);
    }
  }

  Random& random_;
  bool packs_;
  I64 tasks_ = 1;
  I64 base_[types] = {};  // of the shared arrays; -1 where wide accesses would be misaligned
  Program p_;
};

/// Puts a sync() before the instruction where that may help, else leaves it out.
bool repair(List<Step>& steps, const Step* bad, bool may_sync) {
  for (I64 i = 0; i < static_cast<I64>(steps.size()); ++i) {
    List<Step> copy = steps;
    const bool within = repair(steps[i].then, bad, false) || repair(steps[i].otherwise, bad, false);
    if (!within && &steps[i] != bad) continue;
    if (may_sync && i > 0 && steps[i - 1].op != Op::sync) {
      steps = std::move(copy);
      steps.insert(steps.begin() + i, Step{});
    } else if (!within) {
      steps.erase(steps.begin() + i);
    }
    return true;
  }
  return false;
}
/// Leaves out what the difference does not need.
void shrink(Program& p, List<Step>& steps) {
  for (I64 i = static_cast<I64>(steps.size()); i-- > 0;) {
    const Step gone = steps[i];
    steps.erase(steps.begin() + i);
    if (!difference(p).empty()) continue;
    steps.insert(steps.begin() + i, gone);
    shrink(p, steps[i].then);
    shrink(p, steps[i].otherwise);
  }
}

/// Programs that keep all rules, or of which about half break one.
void run_random(bool packs, bool legal, I32 programs) {
  const U64 seed = test_seed();
  INFO("AGPUSIM_TEST_SEED=" << seed);
  Generator::Random random(seed * 4 + (packs ? 2 : 0) + (legal ? 1 : 0));
  for (I32 i = 0; i < programs; ++i) {
    Program p = Generator(random, packs).program();
    for (U64 repairs = legal ? 1000 : random() % 6; repairs > 0; --repairs) {
      const Reference reference(p, false);
      if (reference.refused == nullptr) break;
      const bool order = reference.offences[0].rule == "order";
      for (Phase& phase : p.phases) repair(phase.steps, reference.refused, order);
    }
    if (difference(p).empty()) continue;
    for (Phase& phase : p.phases) shrink(p, phase.steps);
    INFO("program " << i << ": " << text(p));
    REQUIRE(difference(p) == "");
  }
}
TEST_CASE("random legal kernels, elements of whole words", "[model][rules][property]") {
  run_random(false, true, 30);
}
TEST_CASE("random legal kernels, several elements in a word", "[model][rules][property]") {
  run_random(true, true, 30);
}
TEST_CASE("random kernels, elements of whole words", "[model][rules][property]") {
  run_random(false, false, 60);
}
TEST_CASE("random kernels, several elements in a word", "[model][rules][property]") {
  run_random(true, false, 60);
}

/// What the rules say by themselves of accesses of two lanes without a sync() between them.
bool may_meet(Op one, Op two, I32 lane, I32 other) {
  if (lane == other) return true;
  return one == two && one != Op::write && (one != Op::fetch || lane / 4 == other / 4);
}
/// A machine of tasks of two warps of 4 lanes, and arrays of 16 elements of one type.
void check(I32 type, const List<Step>& steps, const std::string& rule, I64 tasks = 1) {
  Program p;
  p.spec.block_words = 4;
  p.spec.cores = p.spec.width = 8;
  p.spec.shared_words = 256;
  p.spec.word_bits = std::min(32, bits_of[type]);
  p.sizes[0][type] = p.sizes[1][type] = 16;
  p.phases = {{tasks, steps}};
  const Reference reference(p);
  const std::string differs = difference(p, reference, tasks == 1 ? 1 : 3);
  INFO(text(p));
  CHECK((reference.refused == nullptr ? "" : reference.offences[0].rule) == rule);
  CHECK(differs == "");
}
/// An access of each lane to its element of `at`; lanes with -1 take no part.
Step touch(Op op, bool shared, I32 type, const List<I32>& at, Value value = Value::same) {
  Step access{op, shared, type, 1, 0, 0, at, 0, value};
  Step guard{Op::when};
  for (const I32 element : at) guard.numbers.push_back(element < 0 ? 0 : 1);
  guard.then = {access};
  return guard;
}
/// The access of one lane to element 3.
Step touch(Op op, bool shared, I32 type, I32 lane) {
  List<I32> at(8, -1);
  at[lane] = 3;
  return touch(op, shared, type, at);
}
const List<I32> each = {0, 1, 2, 3, 4, 5, 6, 7};
/// What comes first: elements of shared memory are written.
List<Step> begin(bool shared, I32 type) {
  if (!shared) return {};
  return {touch(Op::write, true, type, each), Step{}};
}
List<Op> kinds(bool shared, I32 type) {
  if (type == u8) return {Op::read, Op::write};
  if (!shared) return {Op::read, Op::write, Op::add, Op::max, Op::min};
  return {Op::read, Op::write, Op::add, Op::max, Op::min, Op::fetch};
}
/// Calls f(shared, type, kind) for all memories, some types and the kinds of accesses to them.
template <class F>
void for_all_accesses(F f) {
  for (const bool shared : {true, false}) {
    DYNAMIC_SECTION((shared ? "shared" : "global") << " memory") {
      for (const I32 type : {I32{u8}, I32{u32}, I32{u64}}) {
        for (const Op op : kinds(shared, type)) f(shared, type, op);
      }
    }
  }
}

TEST_CASE("two accesses of a task to one word", "[model][rules]") {
  for_all_accesses([](bool shared, I32 type, Op one) {
    for (const Op two : kinds(shared, type)) {
      for (const I32 apart : {0, 1, 4}) {  // the same lane, another of the warp, of another warp
        for (const bool synced : {false, true}) {
          List<I32> others;
          for (const I32 lane : each) others.push_back(lane ^ apart);
          List<Step> by_one = begin(shared, type);
          List<Step> by_all = by_one;
          by_one.push_back(touch(one, shared, type, 1));
          by_all.push_back(touch(one, shared, type, each));
          if (synced) by_one.emplace_back();
          if (synced) by_all.emplace_back();
          by_one.push_back(touch(two, shared, type, 1 ^ apart));
          by_all.push_back(touch(two, shared, type, others));
          const std::string rule = synced || may_meet(one, two, 1, 1 ^ apart) ? "" : "order";
          check(type, by_one, rule);
          check(type, by_all, rule);
        }
      }
    }
  });
}

TEST_CASE("three accesses of a task to one word", "[model][rules]") {
  for_all_accesses([](bool shared, I32 type, Op one) {
    if (type != u32) return;
    for (const Op two : kinds(shared, type)) {
      for (const Op three : kinds(shared, type)) {
        constexpr I32 all[][2] = {{1, 2}, {2, 1}, {2, 2}, {2, 3}, {2, 5}, {5, 1}, {5, 2}};
        for (const auto& [second, third] : all) {  // lanes, after lane 1
          List<Step> steps = begin(shared, type);
          steps.push_back(touch(one, shared, type, 1));
          steps.push_back(touch(two, shared, type, second));
          steps.push_back(touch(three, shared, type, third));
          const bool legal = may_meet(one, two, 1, second) && may_meet(one, three, 1, third) &&
                             may_meet(two, three, second, third);
          check(type, steps, legal ? "" : "order");
        }
      }
    }
  });
}

TEST_CASE("lanes of one instruction on one word, and one lane after them", "[model][rules]") {
  for_all_accesses([](bool shared, I32 type, Op one) {
    for (const Value value : {Value::same, Value::by_lane}) {
      List<Step> steps = begin(shared, type);
      steps.push_back(touch(one, shared, type, {-1, 3, 5, 3, 6, 3, -1, 7}, value));
      const bool differ = one == Op::write && value == Value::by_lane;
      const std::string rule = differ ? "different values" : one == Op::fetch ? "order" : "";
      check(type, steps, rule);
      if (!rule.empty()) continue;
      for (const Op two : kinds(shared, type)) {
        for (const I32 lane : {0, 1, 3, 5}) {
          List<Step> more = steps;
          more.push_back(touch(two, shared, type, lane));
          check(type, more, may_meet(one, two, 0, 7) ? "" : "order");
          more.insert(more.end() - 1, Step{});
          check(type, more, "");
        }
      }
    }
  });
}

TEST_CASE("accesses of two tasks to one word", "[model][rules]") {
  for_all_accesses([](bool shared, I32 type, Op one) {
    for (const Op two : kinds(shared, type)) {
      for (const I32 lane : {1, 2, 5}) {
        Step either{Op::by_task};
        either.then = begin(shared, type);
        either.then.push_back(touch(one, shared, type, 1));
        either.otherwise = begin(shared, type);
        either.otherwise.push_back(touch(two, shared, type, lane));
        check(type, {either}, shared || may_meet(one, two, 0, 7) ? "" : "race", 2);
      }
    }
  });
}

TEST_CASE("a word of shared memory is there once its task has written it", "[model][rules]") {
  for_all_accesses([](bool shared, I32 type, Op op) {
    if (!shared) return;
    const std::string rule = op == Op::write ? "" : "not written";
    const Step neighbours = touch(Op::write, true, type, {0, 1, 2, 4, 5, 6, 7, 8});
    check(type, {neighbours, Step{}, touch(op, true, type, 1)}, rule);
    Step either{Op::by_task};
    either.then = {touch(Op::write, true, type, 1)};
    either.otherwise = {touch(op, true, type, 1)};
    check(type, {either}, rule, 2);
  });
}

TEST_CASE("floats are equal where their bits are", "[model][rules]") {
  for (const Value value : {Value::same, Value::by_lane}) {
    const bool same = value == Value::same;
    for (const U64 x : {0U, 1U, 2U, 3U}) {  // 0, -0, a NaN, 1.5
      for (const bool shared : {false, true}) {
        for (const I32 count : {1, 2, 4}) {
          Step write{Op::write, shared, f32, count, 0, 0, {0, 0, 4, 4, 8, 8, 12, 12}, 0, value, x};
          check(f32, {write}, same ? "" : "different values");
        }
      }
      const Step write{Op::write, false, f32, 1, 0, 1, {}, 0, value, x};
      Step read = write;
      read.op = Op::read;
      Step uniform = write;
      uniform.op = Op::uniform;
      check(f32, {write, read, uniform}, same ? "" : "uniform");
    }
  }
}

}  // namespace
}  // namespace agpusim::random_kernels
