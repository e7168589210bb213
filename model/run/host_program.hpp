#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// A host program prepared on a device: memory allocated, input uploaded.
class HostProgram {
 public:
  virtual ~HostProgram() = default;
  virtual void run() = 0;                        ///< the launches
  virtual std::uint64_t checksum() = 0;          ///< checksum of the output, downloaded
  virtual std::vector<NamedValue> values() = 0;  ///< the output where it is a few numbers
  virtual Output output() { return {}; }         ///< the whole of it, where the program gives it
};

}  // namespace agpusim
