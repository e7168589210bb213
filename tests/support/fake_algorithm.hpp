#pragma once

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::test {

/// The report of the fake algorithm "twice": two phases, each reads and writes n words and reads
/// them from shared memory without conflicts; T is made of round numbers.
RunReport fake_report(const RunConfig& config);

/// The checksum of its result.
std::uint64_t fake_checksum(const RunConfig& config);

/// A registry with "twice". `derived_error` is added to the ALU count of its derived counts.
Registry fake_registry(std::int64_t derived_error = 0);

/// A complete run of "twice" on the default machine.
RunConfig fake_config(std::int64_t n);

/// A record of that run on "Fake GPU", ten samples around `milliseconds`.
TimingRecord fake_timing(std::int64_t n, double milliseconds);

/// The counters of one phase of that run as an exact device would show them.
CounterRecord fake_counters(std::int64_t n, std::int64_t launch);

/// "Fake GPU" with round constants; the text of its device file.
DeviceFile fake_device();
std::string fake_device_json();

}  // namespace agpusim::test
