#include "agpusim/ptx/run/kernel_device.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::ptx {
namespace {

/// What the compiler calls run_kernel<...> of cuda/run_kernel.cuh, whose template arguments are
/// those of the KernelSymbol (Itanium C++ ABI, 5.1).
std::string mangled(const std::type_info& symbol) {
  constexpr std::string_view type = "N7agpusim12KernelSymbol";
  const std::string_view arguments = std::string_view(symbol.name()).substr(type.size());
  return fmt::format("_ZN7agpusim10run_kernel{}vT_lliDpT1_", arguments);
}

}  // namespace

KernelDevice::KernelDevice(const AgpuSpec& spec, std::shared_ptr<const Module> kernels,
                           Options options)
    : spec_(spec), kernels_(std::move(kernels)), device_(spec, std::move(options)) {}

std::shared_ptr<void> KernelDevice::allocate(std::size_t bytes, std::string name) {
  const Address address = device_.memory().allocate(bytes, std::move(name));
  return {reinterpret_cast<void*>(address),
          [this, address](void*) { device_.memory().release(address); }};
}

void KernelDevice::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  std::memcpy(to, from, bytes);
  device_.memory().mark_written(reinterpret_cast<Address>(to), bytes);
}

void KernelDevice::run(std::string_view name, const std::type_info& symbol, std::int64_t tasks,
                       std::int32_t shared_bytes, std::span<const std::byte> parameters) {
  if (tasks == 0) return;
  std::shared_ptr<const Program>& program = programs_[symbol.name()];
  if (!program) program = Program::compile(kernels_, mangled(symbol));
  Launch launch;
  launch.program = program;
  launch.grid.x = static_cast<std::uint32_t>(tasks);
  launch.block.x = static_cast<std::uint32_t>(spec_.width);
  launch.dynamic_shared = static_cast<std::uint32_t>(shared_bytes);
  launch.parameters = parameters;
  launch.name = name;
  const LaunchReport report = device_.launch(launch);
  if (!report.findings.empty()) {
    throw RuleViolation(fmt::format("kernel {}: {}", name, report.findings.front().message()));
  }
}

}  // namespace agpusim::ptx
