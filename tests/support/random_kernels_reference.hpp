#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/tests/support/random_kernels.hpp"

// A second, naive reading of the rules of the machine, for kernels that are data.
namespace agpusim::random_kernels {

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
  List<Offence> offences;         ///< offences of the instruction `refused`
  const Step* refused = nullptr;  ///< first instruction that breaks a rule
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
    PhaseReport report{.kernel = RandomKernel::name, .tasks = phase.tasks};
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
    std::map<I64, std::map<I32, U64>> values;  // values by element and lane
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
  std::map<std::pair<I32, I64>, I64> atomics_;  // atomics on each element of a global array
  std::set<std::pair<I32, I64>> atomic_blocks_;
  I64 task_ = 0;
  I64 tasks_ = 0;
  I64 phase_ = 0;
  I64 stage_ = 0;
  I64 last_read_ = 0;
  I64 arrived_ = 0;
};

/// Whether a message tells of the offence, its place, and nobody who has no part in it.
inline bool tells(const std::string& message, const Reference::Offence& offence) {
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

}  // namespace agpusim::random_kernels
