#include "agpusim/commands/exercise/exercise_cuda.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/commands/exercise/answer.hpp"
#include "agpusim/commands/exercise/cuda_run.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

using exercise::CudaArgument;
using exercise::CudaLaunch;
using exercise::KernelCase;
using KernelWords = std::vector<std::uint32_t>;

/// An array of a run in the memory of the device.
class DeviceArray {
 public:
  /// `filled`: how many words have values, from the first on.
  DeviceArray(ptx::Memory& memory, const char* name, KernelWords words, std::size_t filled)
      : memory_(memory),
        words_(words.size()),
        address_(memory.allocate(std::max<std::size_t>(1, words.size()) * sizeof(Word), name)) {
    std::memcpy(data(), words.data(), words.size() * sizeof(Word));
    memory.mark_written(address_, filled * sizeof(Word));
  }
  [[nodiscard]] ptx::Address at(std::int64_t word) const {
    return address_ + static_cast<ptx::Address>(word) * sizeof(Word);
  }
  [[nodiscard]] KernelWords words() const { return {data(), data() + words_}; }
  [[nodiscard]] bool is_written(std::size_t word) const {
    const ZeroedMemory& written = memory_.find(address_)->written;  // a bit for each byte
    const std::size_t byte = word * sizeof(Word);
    return written.data() == nullptr || (written.as<std::uint8_t>()[byte / 8] >> byte % 8 & 1) != 0;
  }

 private:
  using Word = std::uint32_t;
  [[nodiscard]] Word* data() const { return reinterpret_cast<Word*>(address_); }

  ptx::Memory& memory_;
  std::size_t words_;
  ptx::Address address_;
};

ptx::Dim3 dim3_of(const exercise::CudaSize& size) {
  return {static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y), 1};
}

std::shared_ptr<const ptx::Program> compiled_kernel(
    const std::shared_ptr<const ptx::Module>& module, const CudaLaunch& launch) {
  for (const std::string& kernel : module->kernels()) {
    if (ptx::is_called(kernel, launch.kernel)) return ptx::Program::compile(module, kernel);
  }
  throw UsageError(fmt::format("there is no kernel {}", launch.kernel));
}

std::vector<std::byte> parameters_of(const ptx::Program& program, const CudaLaunch& launch,
                                     const std::vector<const DeviceArray*>& arrays) {
  const auto& parameters = program.parameters;
  if (parameters.size() != launch.arguments.size()) {
    throw UsageError(fmt::format("kernel {} has {} parameters, and is given {}", launch.kernel,
                                 parameters.size(), launch.arguments.size()));
  }
  std::vector<std::byte> bytes(program.parameter_bytes);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto [kind, value] = launch.arguments[i];
    const bool is_number = kind == CudaArgument::number;
    if (parameters[i].bytes != (is_number ? 4 : 8)) {
      throw UsageError(fmt::format("parameter {} of kernel {} must be {}", i + 1, launch.kernel,
                                   is_number ? "an int" : "a pointer"));
    }
    const std::uint64_t bits =
        is_number ? static_cast<std::uint64_t>(value) : arrays[kind]->at(value);
    std::memcpy(bytes.data() + parameters[i].offset, &bits, parameters[i].bytes);
  }
  return bytes;
}

/// Runs the kernels of one case; the first defect is the message of its ending.
exercise::ReplayedKernel run_kernels(const std::shared_ptr<const ptx::Module>& module,
                                     const KernelCase& given) {
  ptx::Device device(given.spec, {.threads = 1});
  const auto out_words = static_cast<std::size_t>(given.out);
  const DeviceArray in(device.memory(), "in", given.in, given.in.size());
  const DeviceArray out(device.memory(), "out", KernelWords(out_words),
                        given.out_is_zeroed ? out_words : 0);
  const KernelWords zeros(static_cast<std::size_t>(given.scratch));
  const DeviceArray scratch(device.memory(), "scratch", zeros, zeros.size());
  exercise::ReplayedKernel result;
  std::vector<LineCost> lines;
  for (const CudaLaunch& launch : given.launches) {
    const auto kernel = compiled_kernel(module, launch);
    const std::vector<std::byte> parameters = parameters_of(*kernel, launch, {&in, &out, &scratch});
    const ptx::LaunchReport report =
        device.launch({kernel, dim3_of(launch.grid), dim3_of(launch.block), 0, parameters});
    lines.insert(lines.end(), report.lines.begin(), report.lines.end());
    if (report.polls > 0) {
      result.outside = "a loop waits for what others write: turns of such a loop are not billed";
    }
    for (const ptx::Finding& finding : report.findings) {
      if (ptx::is_note(finding.rule)) continue;
      result.ending = exercise::Ending::broke_a_rule;
      if (result.message.empty()) result.message = finding.message();
    }
    if (!report.complete) break;
  }
  result.report = device.report();
  result.report.lines = std::move(lines);
  result.out = out.words();
  for (std::size_t i = 0; i < out_words; ++i) result.written.push_back(out.is_written(i));
  return result;
}

std::string kernels_reply_to(const std::string& request, const std::string& ptx,
                             std::shared_ptr<const ptx::Module>& module) {
  const KernelCase given = exercise::read_kernel_case(request);
  exercise::ReplayedKernel result;
  try {
    if (!module) {
      module =
          std::make_shared<const ptx::Module>(ptx::Module::parse(read_file(ptx), "the answer"));
    }
    result = run_kernels(module, given);
  } catch (const std::exception& error) {
    result.ending = exercise::Ending::failed;
    result.message = error.what();
  }
  return exercise::reply_of(given.nonce, result);
}

}  // namespace

int serve_kernels(const std::string& ptx) {
  std::shared_ptr<const ptx::Module> module;
  return exercise::serve(
      [&](const std::string& request) { return kernels_reply_to(request, ptx, module); });
}

}  // namespace agpusim
