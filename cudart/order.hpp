#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/ptx/run/footprint.hpp"

namespace agpusim::cudart {

/// How many works of each stream come before something, by stream.
using Clock = std::map<const void*, std::uint64_t>;
/// A clock; what was known before the host had waited for all work is older than any other.
struct Moment {
  Clock clock;
  std::uint64_t era = 0;
};

/// A launch, copy or fill.
struct StreamWork {
  const void* stream = nullptr;
  Clock after;         ///< with itself
  std::string name;    ///< "kernel put", "a copy"
  std::string kernel;  ///< mangled; empty: it is none
  ptx::Uses uses;
  ptx::Ranges pages;   ///< pages of the host, hidden meanwhile

  [[nodiscard]] bool comes_after(const StreamWork& other) const {
    const auto known = after.find(other.stream);
    return known != after.end() && known->second >= other.after.at(other.stream);
  }
};

/// Two works that nothing orders, one of which writes what the other uses.
struct Meeting {
  std::shared_ptr<const StreamWork> first;
  ptx::Range bytes;  ///< the first ones
  bool first_writes = false;
  bool writes = false;  ///< the second does
};

/// The order that streams, events and the host's waiting give to what streams do. The legacy stream
/// waits for those that block, and they for it.
class StreamOrder {
 public:
  /// The kinds of streams.
  enum class Kind : std::uint8_t { legacy, blocking, free };

  /// The stream is asked for work, which is given back without its uses.
  std::shared_ptr<StreamWork> issue(const void* stream, Kind kind);
  /// The uses of the work are known: the latest work of each other stream with which it meets.
  std::vector<Meeting> done(const std::shared_ptr<StreamWork>& work);

  /// What of the stream is before now, or of all.
  [[nodiscard]] Moment now(const void* stream, Kind kind);
  [[nodiscard]] Moment now() const;
  /// Work that the stream is asked for from now on comes after that.
  void wait(const void* stream, Kind kind, const Moment& moment);
  /// So does what the host does and asks for.
  void host_waits(const Moment& moment);

  /// Works for which the host has not waited, the latest first.
  [[nodiscard]] std::vector<std::shared_ptr<const StreamWork>> in_flight() const;
  /// Memory that is given anew has no past.
  void forget(const ptx::Range& bytes);

 private:
  struct Line {
    Kind kind = Kind::blocking;
    Clock known;
    std::deque<std::shared_ptr<StreamWork>> works;  // works with known uses
  };
  Line& line_of(const void* stream, Kind kind);

  std::map<const void*, Line> lines_;  // by stream
  Clock host_;
  std::uint64_t era_ = 0;
};

}  // namespace agpusim::cudart
