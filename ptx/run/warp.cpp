#include "agpusim/ptx/run/warp.hpp"

#include <algorithm>
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

/// What an instruction makes of a doubtful value.
Warp::Passing Warp::passing(const Instruction& instruction, std::size_t operand,
                            const Watched& watched) {
  const Source& source = cta.program().sources[instruction.statement];
  const std::string_view opcode = source.opcode;
  const std::uint32_t lane = watched.lane;
  if (watched.value->is_absent) {
    if (opcode.starts_with("shfl.") && operand == 2) {
      given_.push_back(watched);
      return Passing::no;
    }
    // In local memory it is lost sight of.
    if (opcode.starts_with("st.local") || opcode.starts_with("st.param")) return Passing::no;
    if (source.bill == Bill::arithmetic && !source.is_collective) return Passing::on;
  }
  const auto is_true = [&](std::size_t k) {
    return (predicate(instruction.place[k]) >> lane & 1) != 0;
  };
  if (opcode.starts_with("setp.") || opcode == "not.pred" || opcode == "xor.pred") {
    return Passing::on;
  }
  if (opcode.starts_with("mov.") && instruction.count == 1) return Passing::on;
  if (opcode.starts_with("selp.") && operand != 3) {
    return is_true(3) == (operand == 1) ? Passing::on : Passing::no;
  }
  if (opcode == "and.pred" || opcode == "or.pred") {
    const std::size_t other = 3 - operand;
    const Place register_of_it = instruction.place[other] & ~Place{3};
    const bool is_watched = std::any_of(watched_.begin(), watched_.end(), [&](const Watched& one) {
      return one.place == register_of_it && one.lane == lane;
    });
    // "false and" and "true or" are known whatever the value is.
    return !is_watched && is_true(other) == (opcode == "or.pred") ? Passing::no : Passing::on;
  }
  return Passing::used;
}

std::vector<Warp::Watched> Warp::pass_watched(const Instruction& instruction) {
  const Place guard = instruction.guard == no_place ? no_place : instruction.guard & ~Place{3};
  Lanes lanes = group;
  if (guard != no_place) lanes &= predicate(instruction.guard);
  std::vector<Watched> more;
  std::vector<Watched> used;
  for (const Watched& watched : watched_) {
    if ((group >> watched.lane & 1) != 0 && watched.place == guard) used.push_back(watched);
    if ((lanes >> watched.lane & 1) == 0) continue;
    for (std::size_t k = 0; k < instruction.place.size(); ++k) {
      if (instruction.place[k] == no_place || (instruction.writes >> k & 1) != 0) continue;
      if ((instruction.place[k] & ~Place{3}) != watched.place) continue;
      const Passing how = passing(instruction, k, watched);
      if (how == Passing::used) used.push_back(watched);
      for (std::size_t to = 0; how == Passing::on && to < instruction.place.size(); ++to) {
        const bool is_result = (instruction.writes >> to & 1) != 0;
        if (is_result && instruction.place[to] != no_place) {
          more.push_back({instruction.place[to], watched.lane, watched.value});
        }
      }
    }
  }
  for (const Watched& one : used) cta.use_doubtful(*one.value);
  std::erase_if(watched_, [&](const Watched& watched) {
    const auto is_it = [&](const Watched& one) {
      return one.place == watched.place && one.lane == watched.lane;
    };
    if (std::any_of(used.begin(), used.end(), is_it)) return true;
    if ((lanes >> watched.lane & 1) == 0) return false;
    for (std::size_t k = 0; k < instruction.place.size(); ++k) {
      if ((instruction.writes >> k & 1) != 0 && instruction.place[k] == watched.place) return true;
    }
    return false;
  });
  return more;
}

void Warp::watch(const Instruction& instruction, std::uint32_t places, std::uint32_t lane,
                 const std::shared_ptr<DoubtfulValue>& value) {
  for (std::size_t k = 0; k < instruction.place.size(); ++k) {
    if ((places >> k & 1) == 0) continue;
    if (instruction.place[k] != no_place) watched_.push_back({instruction.place[k], lane, value});
  }
  wait = Wait::watch;
}

std::shared_ptr<DoubtfulValue> Warp::doubt_of(std::uint32_t lane) const {
  for (const Watched& watched : given_) {
    if (watched.lane == lane) return watched.value;
  }
  return nullptr;
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
