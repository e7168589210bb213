#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/random_kernels_reference.hpp"
#include "agpusim/tests/support/seed.hpp"

// Kernels as data, run by agpusim and by a second, naive reading of the rules: what they compute,
// what they are charged, and which access is refused, by which rule.
namespace agpusim::random_kernels {
namespace {

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
/// What differs in any run: by 1, 2 and 7 threads, by one that counts more, and without checks.
std::string difference(const Program& p, const Reference& expected, I32 runs) {
  std::string first;
  for (I32 run = 0; run < std::min(runs, expected.refused == nullptr ? 5 : 4); ++run) {
    constexpr int threads[] = {1, 2, 7, 1, 1};
    SimulationOptions options{.threads = threads[run]};
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
    Step s{.op = pick({Op::read, Op::read, Op::read, Op::write, Op::write, Op::add, Op::fetch,
                       Op::max, Op::min})};
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
      steps.push_back(Step{.op = Op::when, .first = lanes, .then = {s}});
    }
  }
  void more(List<Step>& steps, I32 count, I32 depth) {
    for (; count > 0; --count) {
      Step s{.op = pick({Op::read, Op::read, Op::read, Op::read, Op::read, Op::read, Op::alu,
                         Op::uniform, Op::sync, Op::when, Op::when, Op::while_any, Op::by_task})};
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
  I64 base_[types] = {};  // first word of each; -1 where wide accesses would be misaligned
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
  Random random(seed * 4 + (packs ? 2 : 0) + (legal ? 1 : 0));
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
  Program p{.spec = {.block_words = 4}};
  p.spec.cores = p.spec.width = 8;
  p.spec.shared_words = 256;
  p.spec.word_bits = std::min(32, bits_of[type]);
  p.sizes[0][type] = p.sizes[1][type] = 16;
  p.phases = {{tasks, steps}};
  const auto check = [&] {
    const Reference reference(p);
    const std::string differs = difference(p, reference, tasks == 1 ? 1 : 3);
    INFO(text(p));
    CHECK((reference.refused == nullptr ? "" : reference.offences[0].rule) == rule);
    CHECK(differs == "");
  };
  check();
  // And where a task of the kernel has met elements again before.
  Step all{Op::write, false, type, 1, 0, 1};
  p.phases.insert(p.phases.begin(), {1, {all, Step{}, all}});
  check();
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
      for (const I32 apart : {0, 1, 4}) {  // one lane, two of a warp, two of two warps
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
