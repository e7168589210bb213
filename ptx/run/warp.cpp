#include "agpusim/ptx/run/warp.hpp"

#include <string_view>

#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/run/chain.hpp"
#include "agpusim/ptx/run/cta.hpp"

namespace agpusim::ptx {

void Warp::begin(Lanes lanes) {
  code_ = cta.program().code.data();
  next = code_;
  alive_ = group = lanes;
  others_.clear();
  waiting_.clear();
  polling_.clear();
  watched_.clear();
  awaited = 0;
  clock = {};
  polled = 0;
  wait = lanes == 0 ? Wait::ended : Wait::none;
  part_lanes();
}

void Warp::run() {
  do {
    wait = Wait::none;
    while (!watched_.empty() && wait == Wait::none) {
      const Instruction& instruction = *next++;
      active = group;
      execute_watched(instruction);
    }
    while (wait == Wait::none) {
      const Instruction& instruction = *next++;
      active = group;
      instruction.execute(*this, instruction);
    }
  } while (wait == Wait::watch);
}

void Warp::execute_watched(const Instruction& instruction) {
  std::vector<Watched> more;
  if (!watched_.empty() && instruction.execute != &enter &&
      instruction.execute != &enter_together) {
    more = pass_watched(instruction);
  }
  instruction.execute(*this, instruction);
  given_.clear();
  watched_.insert(watched_.end(), more.begin(), more.end());
  if (wait == Wait::watch) wait = Wait::none;
}

/// What an instruction makes of a doubtful value in these lanes.
Warp::Passing Warp::passing(const Instruction& instruction, std::size_t operand, Lanes lanes,
                            const Watched& watched) {
  const Source& source = cta.program().sources[instruction.statement];
  const std::string_view opcode = source.opcode;
  const Passing on{lanes, 0};
  const auto give = [&] {
    given_.push_back({watched.place, lanes, watched.value, watched.unwritten});
    return Passing{};
  };
  const bool is_moved = opcode.starts_with("mov.") || opcode.starts_with("selp.");
  const bool is_taken = opcode.starts_with("shfl.") && operand == 2 && watched.unwritten == whole;
  if (is_taken && watched.value->is_of_statement) return give();
  if (watched.value->finding.rule == Rule::absent_lane) {
    // In local memory it is lost sight of.
    if (opcode.starts_with("st.local") || opcode.starts_with("st.param")) return {};
    if (source.bill == Bill::arithmetic && !source.is_collective) return on;
  }
  if (watched.value->is_padding()) {
    if (opcode.starts_with("st.") && operand > 0) return give();
    // Nobody knows which bytes are meant of a register that holds written ones, too.
    if (watched.unwritten != whole && !is_moved) return {};
    if (opcode.starts_with("mov.") && instruction.count > 1) return {};
  }
  if (opcode.starts_with("setp.") || opcode == "not.pred" || opcode == "xor.pred") return on;
  if (opcode.starts_with("mov.") && instruction.count == 1) return on;
  if (opcode.starts_with("selp.") && operand != 3) {
    const Lanes first = predicate(instruction.place[3]);
    return {lanes & (operand == 1 ? first : ~first), 0};
  }
  if (opcode == "and.pred" || opcode == "or.pred") {
    const std::size_t other = 3 - operand;
    const Place register_of_it = instruction.place[other] & ~Place{3};
    // "false and" and "true or" are known whatever the value is.
    const Lanes truth = predicate(instruction.place[other]);
    Lanes known = opcode == "or.pred" ? truth : ~truth;
    for (const Watched& one : watched_) {
      if (one.place == register_of_it) known &= ~one.lanes;
    }
    return {lanes & ~known, 0};
  }
  return {0, lanes};
}

std::vector<Warp::Watched> Warp::pass_watched(const Instruction& instruction) {
  const Place guard = instruction.guard == no_place ? no_place : instruction.guard & ~Place{3};
  Lanes executing = group;
  if (guard != no_place) executing &= predicate(instruction.guard);
  std::vector<Watched> more;
  for (Watched& watched : watched_) {
    Lanes used = watched.place == guard ? group & watched.lanes : 0;
    const Lanes lanes = executing & watched.lanes;
    watched.lost = 0;
    for (std::size_t k = 0; lanes != 0 && k < instruction.place.size(); ++k) {
      if (instruction.place[k] == no_place) continue;
      if ((instruction.writes >> k & 1) != 0) {
        if (instruction.place[k] == watched.place) watched.lost = lanes;
        continue;
      }
      if ((instruction.place[k] & ~Place{3}) != watched.place) continue;
      const Passing how = passing(instruction, k, lanes, watched);
      used |= how.used;
      for (std::size_t to = 0; how.on != 0 && to < instruction.place.size(); ++to) {
        const bool is_result = (instruction.writes >> to & 1) != 0;
        if (is_result && instruction.place[to] != no_place) {
          more.push_back({instruction.place[to], how.on, watched.value, watched.unwritten});
        }
      }
    }
    for_lanes(used, [&](std::uint32_t) { cta.use_doubtful(*watched.value); });
    watched.lost |= used;
  }
  std::erase_if(watched_, [](Watched& watched) { return (watched.lanes &= ~watched.lost) == 0; });
  return more;
}

void Warp::watch(const Instruction& instruction, std::uint32_t places, std::uint32_t lane,
                 const std::shared_ptr<DoubtfulValue>& value, std::uint8_t unwritten) {
  const Lanes bit = Lanes{1} << lane;
  for (std::size_t k = 0; k < instruction.place.size(); ++k) {
    if ((places >> k & 1) == 0 || instruction.place[k] == no_place) continue;
    const auto known = std::find_if(watched_.begin(), watched_.end(), [&](const Watched& one) {
      return one.place == instruction.place[k] && one.value == value && one.unwritten == unwritten;
    });
    if (known != watched_.end()) {
      known->lanes |= bit;
    } else {
      watched_.push_back({instruction.place[k], bit, value, unwritten});
    }
  }
  wait = Wait::watch;
}

std::shared_ptr<DoubtfulValue> Warp::doubt_of(std::uint32_t lane) const {
  for (const Watched& watched : given_) {
    if ((watched.lanes >> lane & 1) != 0) return watched.value;
  }
  return nullptr;
}

std::uint8_t Warp::unwritten_of(Place place, std::uint32_t lane) const {
  for (const Watched& watched : given_) {
    if (watched.place == place && (watched.lanes >> lane & 1) != 0) return watched.unwritten;
  }
  return 0;
}

void Warp::run(Chain& chain) {
  wait = Wait::none;
  while (wait == Wait::none) {
    const Instruction& instruction = *next++;
    active = group;
    chain.before(*this, instruction);
    execute_watched(instruction);
    chain.after();
  }
}

void Warp::add(Group other) {
  auto place = others_.end();
  while (place != others_.begin() && (place - 1)->position < other.position) --place;
  if (place != others_.begin() && (place - 1)->position == other.position) {
    (place - 1)->lanes |= other.lanes;
  } else {
    others_.insert(place, other);
  }
}

void Warp::part(Lanes taken, std::uint32_t target) {
  const Lanes rest = group & ~taken;
  if (taken == 0) return;
  if (rest == 0) return jump(target);
  const std::uint32_t behind = position();
  if (behind < target) {
    group = rest;
    add({target, taken});
  } else {
    group = taken;
    jump(target);
    add({behind, rest});
  }
}

bool Warp::meet(std::uint32_t position) {
  const auto take = [&](std::vector<Group>& groups) {
    std::erase_if(groups, [&](const Group& other) {
      if (other.position != position) return false;
      group |= other.lanes;
      return true;
    });
  };
  if (!waiting_.empty()) take(waiting_);
  if (!polling_.empty() && !runs_lanes()) take(polling_);
  if (others_.empty() || runs_lanes()) return true;
  if (others_.back().position == position) {
    group |= others_.back().lanes;
    others_.pop_back();
    return true;
  }
  if (others_.back().position > position) return true;
  add({position, group});
  take_lowest();
  return false;
}

void Warp::take_lowest() {
  group = others_.back().lanes;
  jump(others_.back().position);
  others_.pop_back();
  part_lanes();
}

bool Warp::runs_lanes() const { return cta.plan.options.one_lane_at_a_time; }

void Warp::part_lanes() {
  const Lanes rest = group & (group - 1);
  if (!runs_lanes() || rest == 0) return;
  group &= ~rest;
  add({position(), rest});
}

void Warp::let_run(std::vector<Group>& groups) {
  for (const Group& other : groups) add(other);
  groups.clear();
}

void Warp::end_lanes(Lanes lanes) {
  alive_ &= ~lanes;
  group &= ~lanes;
  if (group != 0) return;
  if (others_.empty()) {
    let_run(waiting_);
    let_run(polling_);
  }
  if (others_.empty()) {
    wait = Wait::ended;
  } else {
    take_lowest();
  }
}

bool Warp::wait_for_lanes(std::uint32_t position) {
  if (others_.empty() && polling_.empty()) return false;
  if (others_.empty()) let_run(polling_);
  waiting_.push_back({position, group});
  take_lowest();
  return true;
}

void Warp::stop(Wait why) {
  let_run(polling_);
  wait = why;
}

void Warp::yield() {
  if (others_.empty()) return stop(Wait::turn);
  polling_.push_back({position(), group});
  take_lowest();
}

std::vector<Group> Warp::standing() const {
  std::vector<Group> result = others_;
  result.insert(result.end(), waiting_.begin(), waiting_.end());
  result.insert(result.end(), polling_.begin(), polling_.end());
  return result;
}

}  // namespace agpusim::ptx
