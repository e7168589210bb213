#include "agpusim/commands/exercise/replay.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "agpusim/commands/exercise/cuda_run.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"

namespace agpusim::exercise {
namespace {

using Word = std::uint32_t;
using View = GlobalView<Word>;
using Shared = std::variant<SharedView<std::uint8_t>, SharedView<std::uint16_t>,
                            SharedView<std::uint32_t>, SharedView<std::uint64_t>>;
constexpr std::size_t most_arrays = 6;

struct Event {
  InstructionKind kind = InstructionKind::arithmetic;
  bool uniform = false;
  SourceLine where;
  std::int64_t alu = 0;
  std::int64_t rounds = 0;
  std::string mask;
  // What an access adds:
  bool accesses = false;
  bool shared = false;
  bool continues = false;  ///< a further element of a wide access
  std::string name;
  std::int64_t size = 0;
  std::int64_t first = 0;  ///< word address of a shared array
  std::int32_t bytes = 0;  ///< bytes of an element
  std::int64_t origin = 0;
  std::vector<std::int32_t> lane, index;
  std::vector<std::uint64_t> value, before, after;  ///< by element; the last two for atomics only
};
using Task = std::vector<Event>;

Event read_event(Reader& from, std::int32_t lanes) {
  Event event;
  event.kind = static_cast<InstructionKind>(
      from.number(0, static_cast<std::int64_t>(InstructionKind::sync)));
  event.uniform = from.number(0, 1) != 0;
  const char* const file = kept_name(from.text());
  event.where = {file, static_cast<std::uint32_t>(from.number(0, 1 << 30))};
  event.alu = from.number(0, 1 << 30);
  event.rounds = from.number(0, 1);
  event.mask = from.text();
  if (event.mask.size() != static_cast<std::size_t>(lanes)) throw Broken("lanes are missing");
  event.accesses = event.kind == InstructionKind::read || event.kind == InstructionKind::write ||
                   event.kind == InstructionKind::atomic;
  if (!event.accesses) return event;
  event.shared = from.number(0, 1) != 0;
  event.name = from.text();
  event.size = from.number(0, 1 << 26);
  event.first = from.number(0, 1 << 26);
  event.bytes = static_cast<std::int32_t>(from.number(1, 8));
  event.origin = from.number();
  event.continues = from.number(0, 1) != 0;
  const std::int64_t count = from.number(0, lanes);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::int32_t>(from.number(0, lanes - 1));
    if (event.mask[static_cast<std::size_t>(lane)] == 0) throw Broken("an idle lane accesses");
    event.lane.push_back(lane);
    event.index.push_back(static_cast<std::int32_t>(from.number(INT32_MIN, INT32_MAX)));
    event.value.push_back(static_cast<std::uint64_t>(from.number()));
  }
  if (count != std::count_if(event.mask.begin(), event.mask.end(), [](char c) { return c != 0; })) {
    throw Broken("not all active lanes access");
  }
  if (event.kind != InstructionKind::atomic) return event;
  for (auto* const values : {&event.before, &event.after}) {
    for (std::int64_t i = 0; i < count; ++i) {
      values->push_back(static_cast<std::uint64_t>(from.number()));
    }
  }
  return event;
}

/// A task of the trace as a kernel.
class Player {
 public:
  Player(SimulatedMp& mp, const std::vector<std::string>& names, const std::vector<View>& views,
         const Task& task)
      : mp_(mp), names_(names), views_(views), task_(task), lane_(mp.lane()) {
    reserve();
  }

  void play() {
    std::optional<Varying<Word>> read;  // the latest from global memory
    for (std::size_t i = 0; i < task_.size(); i += wide_) {
      const Event& event = task_[i];
      wide_ = 1;
      while (i + wide_ < task_.size() && task_[i + wide_].continues) ++wide_;
      LaneContext& context = lane_.context();
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(context.padded()));
      std::transform(event.mask.begin(), event.mask.end(), context.mask().bytes, bytes.begin(),
                     [](char mine, std::uint8_t outer) {
                       return static_cast<std::uint8_t>(mine != 0 ? outer : 0);
                     });
      if (event.rounds > 0 && read) read->use();
      if (event.kind == InstructionKind::sync) {
        mp_.sync(event.where);
        continue;
      }
      const Mask enclosing = context.push(bytes.data());
      context.counts.alu += event.alu;
      if (event.uniform) context.count_alu();
      context.counts.active_lanes +=
          event.alu / std::max(1, context.mask().issued_warps) * context.mask().active;
      if (!event.accesses && context.observed()) {
        context.observe(InstructionKind::arithmetic, event.where);
      }
      if (event.accesses && event.shared) {
        std::visit([&](const auto& view) { access(view, i); }, shared_.at(event.first));
      } else if (event.accesses) {
        const auto at = std::find(names_.begin(), names_.end(), event.name) - names_.begin();
        auto latest = access(views_[static_cast<std::size_t>(at)].from(event.origin), i);
        if (latest) read = std::move(latest);
      }
      context.pop(enclosing);
    }
  }

 private:
  /// Makes the arrays in shared memory where the answer had them.
  void reserve() {
    std::map<std::int64_t, const Event*> arrays;
    for (const Event& event : task_) {
      if (event.accesses && event.shared) arrays.emplace(event.first, &event);
    }
    std::int64_t at = 0;
    for (const auto& [first, event] : arrays) {
      if (first < at) throw Broken("arrays in shared memory overlap");
      const char* const name = kept_name(event->name);
      const auto size = static_cast<std::int32_t>(event->size);
      if (first > at) static_cast<void>(mp_.shared<Word>(static_cast<std::int32_t>(first - at)));
      switch (event->bytes) {
        case 1:
          shared_.emplace(first, mp_.shared<std::uint8_t>(size, name));
          break;
        case 2:
          shared_.emplace(first, mp_.shared<std::uint16_t>(size, name));
          break;
        case 4:
          shared_.emplace(first, mp_.shared<std::uint32_t>(size, name));
          break;
        default:
          shared_.emplace(first, mp_.shared<std::uint64_t>(size, name));
      }
      at = first + lane_.context().spec().element_size(event->bytes).words_of(size);
    }
  }

  template <class T>
  [[nodiscard]] Varying<T> lanes(const Event& event, const auto& of) const {
    auto result = mp_.varying(T{0});
    for (std::size_t i = 0; i < event.lane.size(); ++i) {
      result.data()[event.lane[i]] = static_cast<T>(of[i]);
    }
    return result;
  }

  template <class T>
  void compare(const Event& event, const Varying<T>& got) {
    if (lane_.context().replays()) return;
    for (std::size_t i = 0; i < event.lane.size(); ++i) {
      if (got.data()[event.lane[i]] == static_cast<T>(event.value[i])) continue;
      throw Broken(fmt::format("it read {} from {}[{}], which holds {}",
                               static_cast<T>(event.value[i]), event.name,
                               event.origin + event.index[i], got.data()[event.lane[i]]));
    }
  }

  template <class AnyView>
  std::optional<Varying<typename AnyView::value_type>> access(const AnyView& view, std::size_t at) {
    using T = typename AnyView::value_type;
    const Event& event = task_[at];
    if (event.bytes != sizeof(T)) throw Broken("an array changes its type");
    const auto index = lanes<std::int32_t>(event, event.index);
    if (wide_ == 2) return wide<2>(view, at, index);
    if (wide_ == 4) return wide<4>(view, at, index);
    if (wide_ != 1) throw Broken("a wide access is incomplete");
    if (event.kind == InstructionKind::read) {
      auto got = view.read(index, event.where);
      compare(event, got);
      return got;
    }
    const auto value = lanes<T>(event, event.value);
    if (event.kind == InstructionKind::write) {
      view.write(index, value, event.where);
    } else if constexpr (sizeof(T) >= 4) {
      atomic(view, event, index, value);
    } else {
      throw Broken("an atomic operation of a narrow type");
    }
    return {};
  }

  template <std::int32_t count, class AnyView>
  std::optional<Varying<typename AnyView::value_type>> wide(const AnyView& view, std::size_t at,
                                                            const Varying<std::int32_t>& index) {
    using T = typename AnyView::value_type;
    if constexpr (WideAccess<T, count>) {
      const Event& event = task_[at];
      if (event.kind == InstructionKind::read) {
        auto got = view.template read_wide<count>(index, event.where);
        for (std::int32_t j = 0; j < count; ++j) {
          compare(task_[at + static_cast<std::size_t>(j)], got[j]);
        }
        return got[0];
      }
      auto value = make_registers<count>([&](std::int32_t j) {
        const Event& one = task_[at + static_cast<std::size_t>(j)];
        return lanes<T>(one, one.value);
      });
      view.template write_wide<count>(index, value, event.where);
      return {};
    } else {
      throw Broken("a wide access of such a type");
    }
  }

  /// The trace tells what the elements held, not which operation it was: whichever it may have been
  /// is done again as an addition.
  template <class AnyView, class T>
  void atomic(const AnyView& view, const Event& event, const Varying<std::int32_t>& index,
              Varying<T> value) {
    using Signed = std::make_signed_t<T>;
    std::map<std::int32_t, std::vector<T>> operands;  // old value and operands of each element
    std::map<std::int32_t, T> after;
    for (std::size_t i = 0; i < event.index.size(); ++i) {
      std::vector<T>& all = operands[event.index[i]];
      if (all.empty()) {
        all.push_back(static_cast<T>(event.before[i]));
        value.data()[event.lane[i]] = static_cast<T>(event.after[i] - event.before[i]);
      } else {
        value.data()[event.lane[i]] = 0;
      }
      all.push_back(static_cast<T>(event.value[i]));
      after[event.index[i]] = static_cast<T>(event.after[i]);
    }
    const auto is_signed_less = [](T a, T b) {
      return static_cast<Signed>(a) < static_cast<Signed>(b);
    };
    const auto agree = [&](const auto& combine) {
      return std::all_of(operands.begin(), operands.end(), [&](const auto& one) {
        return combine(one.second) == after.at(one.first);
      });
    };
    using All = const std::vector<T>&;
    if (!agree([](All all) { return std::accumulate(all.begin(), all.end(), T{0}); }) &&
        !agree([](All all) { return *std::max_element(all.begin(), all.end()); }) &&
        !agree([](All all) { return *std::min_element(all.begin(), all.end()); }) &&
        !agree(
            [&](All all) { return *std::max_element(all.begin(), all.end(), is_signed_less); }) &&
        !agree(
            [&](All all) { return *std::min_element(all.begin(), all.end(), is_signed_less); })) {
      throw Broken("an atomic operation is none of the machine's");
    }
    view.atomic_add(index, value, event.where);
  }

  SimulatedMp& mp_;
  const std::vector<std::string>& names_;
  const std::vector<View>& views_;
  const Task& task_;
  Varying<std::int32_t> lane_;
  std::size_t wide_ = 1;
  std::map<std::int64_t, Shared> shared_;
};

struct Phase {
  static inline thread_local const char* name = "";
  const std::vector<std::string>* names;
  const std::vector<Task>* tasks;
  template <class... Views>
  void operator()(SimulatedMp& mp, const Views&... views) const {
    Player(mp, *names, {views...}, (*tasks)[static_cast<std::size_t>(mp.task())]).play();
  }
};

/// Who wrote each element of out.
void note_writers(const std::vector<Task>& tasks, ReplayedKernel& result) {
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (const Event& event : tasks[task]) {
      if (!event.accesses || event.shared || event.name != "out" ||
          event.kind == InstructionKind::read) {
        continue;
      }
      for (std::size_t i = event.lane.size(); i-- > 0;) {
        const std::int64_t element = event.origin + event.index[i];
        result.written.at(static_cast<std::size_t>(element)) = true;
        result.writer[element] =
            fmt::format("written by lane {} of task {} at {}", event.lane[i], task,
                        place_text(event.where.file_name(), event.where.line()));
      }
    }
  }
}

}  // namespace

ReplayedKernel replay(const KernelCase& asked, const std::string& reply) {
  if (!asked.launches.empty()) return read_cuda_run(asked.nonce, reply);
  Reader from(reply);
  ReplayedKernel result;
  if (!came_to_its_end(from, asked.nonce, result)) return result;
  SimulationOptions options;
  options.threads = 1;
  options.by_line = true;
  options.isolates = true;
  SimulatedDevice device(asked.spec, options);
  std::vector<std::string> names = {"in", "out"};
  std::vector<GlobalArray<Word>> arrays = {
      device.allocate<Word>(static_cast<std::int64_t>(asked.in.size()), "in"),
      device.allocate<Word>(asked.out, "out")};
  device.upload<Word>(arrays[0], std::span<const Word>(asked.in));
  device.upload<Word>(arrays[1], std::span<const Word>(std::vector<Word>(
                                     static_cast<std::size_t>(asked.out), unwritten_word)));
  result.written.resize(static_cast<std::size_t>(asked.out));
  for (std::int64_t next = from.number(0, 3); next != tag::end;) {
    if (next != tag::phase) throw Broken("a phase has no beginning");
    const std::string kernel = from.text();
    const std::int64_t count = from.number(1, 1 << 20);
    std::vector<Task> tasks;
    while ((next = from.number(0, 3)) != tag::end && next != tag::phase) {
      if (next == tag::task) {
        tasks.emplace_back();
        continue;
      }
      if (tasks.empty()) throw Broken("an instruction is in no task");
      Event event = read_event(from, asked.spec.width);
      const auto known = std::find(names.begin(), names.end(), event.name);
      if (event.accesses && !event.shared && known == names.end()) {
        if (names.size() == most_arrays) throw Broken("it has too many arrays");
        names.push_back(event.name);
        arrays.push_back(device.allocate<Word>(event.size, event.name));
      } else if (event.accesses && !event.shared &&
                 arrays[static_cast<std::size_t>(known - names.begin())].size() != event.size) {
        throw Broken("an array changes its size");
      }
      tasks.back().push_back(std::move(event));
    }
    if (static_cast<std::int64_t>(tasks.size()) != count) throw Broken("tasks are missing");
    while (arrays.size() < most_arrays) arrays.push_back(arrays.front());
    Phase::name = kept_name(kernel);
    try {
      device.launch(count, Phase{&names, &tasks}, arrays[0], arrays[1], arrays[2], arrays[3],
                    arrays[4], arrays[5]);
    } catch (const Error& error) {
      throw Broken(fmt::format("what it says it did breaks a rule: {}", error.what()));
    }
    arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(names.size()), arrays.end());
    note_writers(tasks, result);
  }
  result.out = device.download(arrays[1]);
  if (from.words<std::vector<Word>>() != result.out) {
    throw Broken("its result is not what it wrote");
  }
  result.outside = from.text();
  from.end();
  result.report = device.report();
  return result;
}

}  // namespace agpusim::exercise
