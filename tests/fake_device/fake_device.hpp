#pragma once

#include "agpusim/model/error.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::test {

/// A device that needs 10 us for everything and remembers what it was asked to run.
struct FakeDevice {
  std::vector<RunConfig> runs;
  std::vector<std::uint64_t> expected;  ///< checksums, by run
  std::function<bool(const RunConfig&)> is_broken = [](const RunConfig&) { return false; };

  std::function<CudaSupport()> support() {
    return [this] {
      CudaSupport cuda;
      cuda.environment = [] {
        Environment environment;
        environment.device = "NVIDIA H200";
        return environment;
      };
      cuda.time = [this](const RunConfig& config, std::uint64_t checksum, const SamplingRule&) {
        run(config, checksum);
        return Samples{{10.0, 10.0, 10.0}, "stable"};
      };
      cuda.run_once = [this](const RunConfig& config, std::uint64_t checksum) {
        run(config, checksum);
      };
      cuda.calibrate = [] { return load_device(data_folder() / "devices" / "h200.json"); };
      cuda.calibrate_link = [] {
        return std::vector<Constant>{{"link_in", 50, "GB/s", "fake device", "", "2026-01-01"}};
      };
      return cuda;
    };
  }

 private:
  void run(const RunConfig& config, std::uint64_t checksum) {
    runs.push_back(config);
    expected.push_back(checksum);
    if (is_broken(config)) throw Mismatch("wrong result");
  }
};

}  // namespace agpusim::test
