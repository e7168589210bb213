#include "agpusim/commands/exercise/answer.hpp"

#include <cerrno>
#include <cstring>
#include <span>
#include <unistd.h>

#include "agpusim/commands/exercise/case.hpp"
#include "agpusim/commands/exercise/wire.hpp"
#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::exercise {
namespace {

std::uint64_t bits_of(const void* values, std::size_t bytes, std::int64_t at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(values) + at * static_cast<std::int64_t>(bytes),
              bytes);
  return bits;
}

/// Writes every instruction of a run.
class Recorder : public Observer {
 public:
  explicit Recorder(Writer& to) : to_(to) {}

  void begin_phase(std::string_view kernel, std::int64_t tasks) override {
    to_.number(tag::phase);
    to_.text(kernel);
    to_.number(tasks);
  }
  void begin_task(std::int64_t) override {
    end_atomic();
    to_.number(tag::task);
    last_mask_ = 0;
  }
  void instruction(const Instruction& one) override {
    end_atomic();
    const bool seen = one.mask.id <= last_mask_;
    last_mask_ = std::max(last_mask_, one.mask.id);
    if (one.kind == InstructionKind::control && !seen && is_free(one.cost)) return;
    to_.number(tag::instruction);
    // A control instruction under a mask that was there before is mp.uniform().
    to_.number(static_cast<std::int64_t>(one.kind));
    to_.number(one.kind == InstructionKind::control && seen ? 1 : 0);
    to_.text(one.where.file_name());
    to_.number(one.where.line());
    to_.number(one.cost.alu);
    to_.number(one.cost.rounds);
    to_.text({reinterpret_cast<const char*>(one.mask.bytes), lanes_});
    if (one.array != nullptr) access(one);
  }
  void end_phase(const PhaseReport&, std::span<const std::int64_t>) override { end_atomic(); }

  void set_lanes(std::int32_t lanes) { lanes_ = static_cast<std::size_t>(lanes); }
  void end_atomic() {
    if (after_.data() == nullptr) return;
    for (const std::int64_t element : touched_) {
      to_.number(static_cast<std::int64_t>(bits_of(after_.data(), after_.bytes(), element)));
    }
    after_ = {};
  }

 private:
  static bool is_free(const Counts& cost) { return cost.alu == 0 && cost.rounds == 0; }

  void access(const Instruction& one) {
    const AccessedArray& array = *one.array;
    const Counts& cost = one.cost;
    to_.number(array.shared);
    to_.text(array.name);
    to_.number(array.size);
    to_.number(array.first);
    to_.number(static_cast<std::int64_t>(one.values.bytes()));
    to_.number(one.origin);
    // A further element of a wide access: the first has paid for it.
    to_.number(one.indices->count > 0 && cost.instructions() - cost.alu == 0 ? 1 : 0);
    to_.number(one.indices->count);
    for (std::int32_t i = 0; i < one.indices->count; ++i) {
      const std::int32_t lane = one.indices->lane[i];
      to_.number(lane);
      to_.number(one.indices->index[i]);
      to_.number(static_cast<std::int64_t>(bits_of(one.values.data(), one.values.bytes(), lane)));
    }
    if (one.kind != InstructionKind::atomic) return;
    after_ = array.elements;
    touched_.clear();
    for (std::int32_t i = 0; i < one.indices->count; ++i) {
      touched_.push_back(one.origin + one.indices->index[i]);
      to_.number(
          static_cast<std::int64_t>(bits_of(after_.data(), after_.bytes(), touched_.back())));
    }
  }

  Writer& to_;
  std::size_t lanes_ = 0;
  std::uint64_t last_mask_ = 0;
  LaneValues after_;
  std::vector<std::int64_t> touched_;
};

void write_accesses(Writer& to, const std::vector<PramAccessRecord>& accesses) {
  to.number(static_cast<std::int64_t>(accesses.size()));
  for (const PramAccessRecord& access : accesses) {
    to.number(access.processor);
    to.number(access.cell);
    to.number(access.value);
    to.number(access.accumulate);
  }
}

void write_trace(Writer& to, const PramTrace& trace) {
  to.number(static_cast<std::int64_t>(trace.arrays.size()));
  for (const PramTraceArray& array : trace.arrays) {
    to.text(array.name);
    to.number(array.size);
    const auto first = static_cast<std::size_t>(array.first);
    const bool given = array.size > 0 && trace.initially_written[first];
    to.number(given);
    for (std::size_t i = 0; given && i < static_cast<std::size_t>(array.size); ++i) {
      to.number(trace.initial[first + i]);
    }
  }
  to.number(static_cast<std::int64_t>(trace.steps.size()));
  for (const PramStepTrace& step : trace.steps) {
    to.text(step.name);
    to.text(step.where.file_name());
    to.number(step.where.line());
    to.number(step.processors);
    write_accesses(to, step.reads);
    write_accesses(to, step.writes);
    to.words(step.computing);
  }
}

/// The nonce, how the run ended, and what `run` wrote or the message of its end.
std::string reply(std::int64_t nonce, const std::function<void(Writer&)>& run) {
  Writer ok;
  Writer failed;
  ok.number(nonce);
  failed.number(nonce);
  ok.number(static_cast<std::int64_t>(Ending::came_to_its_end));
  const auto fails = [&](Ending ending, const char* what) {
    failed.number(static_cast<std::int64_t>(ending));
    failed.text(what);
  };
  try {
    run(ok);
    return ok.bytes();
  } catch (const RuleViolation& violation) {
    fails(Ending::broke_a_rule, violation.what());
  } catch (const std::exception& error) {
    fails(Ending::failed, error.what());
  }
  return failed.bytes();
}

bool transfer(int descriptor, char* bytes, std::size_t size, bool reads) {
  while (size > 0) {
    const ssize_t done = reads ? ::read(descriptor, bytes, size) : ::write(descriptor, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

std::string reply_to(std::string request, const Launch& launch) {
  KernelCase given = read_kernel_case(request);
  return reply(given.nonce, [&](Writer& to) {
    Recorder recorder(to);
    recorder.set_lanes(given.spec.width);
    SimulationOptions options;
    options.threads = 1;
    options.observer = &recorder;
    options.isolates = true;
    SimulatedDevice device(given.spec, options);
    using Word = std::uint32_t;
    const auto in = device.allocate<Word>(static_cast<std::int64_t>(given.in.size()), "in");
    const auto out = device.allocate<Word>(given.out, "out");
    device.upload<Word>(in, std::span<const Word>(given.in));
    const std::vector<Word> nothing(static_cast<std::size_t>(given.out), unwritten_word);
    device.upload<Word>(out, std::span<const Word>(nothing));
    std::ranges::fill(given.in, 0);  // only arrays of the machine have the input
    std::ranges::fill(request, '\0');
    WatchedRun watched;
    launch(device, in, out);
    recorder.end_atomic();
    to.number(tag::end);
    to.words(device.download(out));
    to.text(watched.found());
  });
}

std::string reply_to(std::string request, const Solve& solve) {
  PramCase given = read_pram_case(request);
  return reply(given.nonce, [&](Writer& to) {
    PramTrace trace;
    Pram pram(given.spec, {.threads = 1, .record_trace = true, .trace = &trace});
    const PramArray in = pram.array(given.in, "in");
    const PramArray out = pram.array(given.out, "out");
    std::ranges::fill(given.in, 0);  // only arrays of the machine have the input
    std::ranges::fill(request, '\0');
    WatchedRun watched;
    solve(pram, in, out);
    write_trace(to, trace);
    to.text(watched.found());
  });
}

int serve(const std::function<std::string(std::string)>& reply) {
  constexpr int from_judge = 3;
  constexpr int to_judge = 4;
  std::uint64_t size = 0;
  while (transfer(from_judge, reinterpret_cast<char*>(&size), sizeof(size), true)) {
    std::string bytes(size, '\0');
    if (!transfer(from_judge, bytes.data(), bytes.size(), true)) return 1;
    std::string answer = reply(std::move(bytes));
    size = answer.size();
    if (!transfer(to_judge, reinterpret_cast<char*>(&size), sizeof(size), false) ||
        !transfer(to_judge, answer.data(), answer.size(), false)) {
      return 1;
    }
  }
  return 0;
}

}  // namespace agpusim::exercise
