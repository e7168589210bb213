#pragma once

#include <cstdint>
#include <memory>
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

/// `Program(device, config)` as a HostProgram. A Program has run(), checksum() and, where its
/// output is a few numbers, values().
template <class Program, class Device>
[[nodiscard]] std::unique_ptr<HostProgram> host_program(Device& device, const RunConfig& config) {
  class Prepared : public HostProgram {
   public:
    Prepared(Device& on, const RunConfig& of) : program_(on, of) {}
    void run() override { program_.run(); }
    std::uint64_t checksum() override { return program_.checksum(); }
    std::vector<NamedValue> values() override {
      if constexpr (requires { program_.values(); }) {
        return program_.values();
      } else {
        return {};
      }
    }

   private:
    Program program_;
  };
  return std::make_unique<Prepared>(device, config);
}

}  // namespace agpusim
