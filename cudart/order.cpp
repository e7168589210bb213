#include "agpusim/cudart/order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace agpusim::cudart {
namespace {

using ptx::Range;
using ptx::Ranges;
using ptx::Use;

constexpr std::size_t most_works = 64;  // works of a stream; the oldest is forgotten

void join(Clock& clock, const Clock& other) {
  for (const auto& [stream, count] : other) clock[stream] = std::max(clock[stream], count);
}

bool has(const Clock& clock, const void* stream, std::uint64_t count) {
  const auto known = clock.find(stream);
  return known != clock.end() && known->second >= count;
}

Range common(const Ranges& a, const Ranges& b) {
  for (const Range& range : a) {
    const Range found = b.common(range);
    if (found.end != 0) return found;
  }
  return {};
}

constexpr std::array all_uses = {Use::write, Use::atomic, Use::strong_write, Use::read};
bool writes(Use use) { return use != Use::read; }
/// Operations of which several may meet.
bool is_strong(Use use) { return use == Use::atomic || use == Use::strong_write; }

}  // namespace

StreamOrder::Line& StreamOrder::line_of(const void* stream, Kind kind) {
  Line& line = lines_[stream];
  line.kind = kind;
  join(line.known, host_);
  for (const auto& [other, of_other] : lines_) {
    const bool waits = kind == Kind::legacy
                           ? of_other.kind == Kind::blocking
                           : kind == Kind::blocking && of_other.kind == Kind::legacy;
    if (waits) join(line.known, of_other.known);
  }
  return line;
}

std::shared_ptr<StreamWork> StreamOrder::issue(const void* stream, Kind kind) {
  Line& line = line_of(stream, kind);
  ++line.known[stream];
  auto work = std::make_shared<StreamWork>();
  work->stream = stream;
  work->after = line.known;
  return work;
}

std::vector<Meeting> StreamOrder::done(const std::shared_ptr<StreamWork>& work) {
  std::vector<Meeting> result;
  for (const auto& [stream, line] : lines_) {
    if (stream == work->stream) continue;
    const auto meets = [&](const std::shared_ptr<StreamWork>& other) {
      if (work->comes_after(*other) || other->comes_after(*work)) return false;
      for (const Use a : all_uses) {
        for (const Use b : all_uses) {
          if (!(writes(a) || writes(b)) || (is_strong(a) && is_strong(b))) continue;
          const Range bytes = common(other->uses[a], work->uses[b]);
          if (bytes.end == 0) continue;
          result.push_back({other, bytes, writes(a), writes(b)});
          return true;
        }
      }
      return false;
    };
    static_cast<void>(std::find_if(line.works.rbegin(), line.works.rend(), meets));
  }
  auto& works = lines_[work->stream].works;
  works.push_back(work);
  if (works.size() > most_works) works.pop_front();
  return result;
}

Moment StreamOrder::now(const void* stream, Kind kind) {
  return {line_of(stream, kind).known, era_};
}

Moment StreamOrder::now() const {
  Moment moment{{}, era_};
  for (const auto& [stream, line] : lines_) join(moment.clock, line.known);
  return moment;
}

void StreamOrder::wait(const void* stream, Kind kind, const Moment& moment) {
  if (moment.era == era_) join(line_of(stream, kind).known, moment.clock);
}

void StreamOrder::host_waits(const Moment& moment) {
  if (moment.era != era_) return;
  join(host_, moment.clock);
  bool knows_all = true;
  for (auto& [stream, line] : lines_) {
    auto& works = line.works;
    while (!works.empty() && has(host_, stream, works.front()->after.at(stream))) works.pop_front();
    const auto asked = line.known.find(stream);
    knows_all = knows_all && (asked == line.known.end() || has(host_, stream, asked->second));
  }
  if (!knows_all) return;
  lines_.clear();
  host_.clear();
  ++era_;
}

std::vector<std::shared_ptr<const StreamWork>> StreamOrder::in_flight() const {
  std::vector<std::shared_ptr<const StreamWork>> result;
  for (const auto& [stream, line] : lines_) {
    result.insert(result.end(), line.works.rbegin(), line.works.rend());
  }
  return result;
}

void StreamOrder::forget(const Range& bytes) {
  for (auto& [stream, line] : lines_) {
    for (const std::shared_ptr<StreamWork>& work : line.works) {
      for (Ranges& ranges : work->uses.of) ranges.remove(bytes);
    }
  }
}

}  // namespace agpusim::cudart
