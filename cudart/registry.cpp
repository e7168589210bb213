#include "agpusim/cudart/registry.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/api.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::cudart {

const std::shared_ptr<const ptx::Module>& DeviceCode::module() {
  if (module_ != nullptr) return module_;
  std::vector<ptx::Module> modules;
  for (const void* const fat_binary : fat_binaries_of(wrapper_)) {
    const auto text = entry_of(fat_binary, FatBinaryKind::ptx, compute_capability);
    if (text) modules.push_back(ptx::Module::parse(text->content, "PTX of " + text->name));
  }
  if (modules.empty()) {
    throw Unavailable(
        "the program holds machine code only: build it again with nvcc -gencode "
        "arch=compute_90,code=compute_90");
  }
  module_ = std::make_shared<const ptx::Module>(
      modules.size() == 1 ? std::move(modules.front()) : ptx::Module::link(std::move(modules)));
  return module_;
}

ptx::MachineCode DeviceCode::machine_code(const std::string& kernel) {
  if (!machine_codes_) {
    machine_codes_.emplace();
    if (wrapper_.data != nullptr) {  // what -rdc=true links is there, too
      try {
        const auto code = entry_of(wrapper_.data, FatBinaryKind::cubin, compute_capability);
        if (code) *machine_codes_ = machine_codes_of(code->content);
      } catch (const FileError&) {  // where it matters, module() tells
      }
    }
  }
  const auto found = machine_codes_->find(kernel);
  return found == machine_codes_->end() ? ptx::MachineCode{} : found->second;
}

const std::shared_ptr<const ptx::Program>& Kernel::program() {
  if (program_ == nullptr) program_ = ptx::Program::compile(code->module(), name);
  return program_;
}

Registry& Registry::get() {
  static Registry* const registry = new Registry;  // destructors of the program may still use it
  return *registry;
}

DeviceCode* Registry::add(std::unique_ptr<DeviceCode> code) {
  const std::lock_guard guard(mutex_);
  codes_.push_back(std::move(code));
  return codes_.back().get();
}

void Registry::add(const void* host_function, DeviceCode* code, const char* name) {
  Kernel* const kernel = add(code, name);
  const std::lock_guard guard(mutex_);
  kernels_.insert_or_assign(host_function, kernel);
}

Kernel* Registry::add(DeviceCode* code, std::string name) {
  const std::lock_guard guard(mutex_);
  Kernel* const kernel = all_.emplace_back(std::make_unique<Kernel>()).get();
  kernel->code = code;
  kernel->name = std::move(name);
  return kernels_[kernel] = kernel;
}

void Registry::forget(const DeviceCode* code) {
  const std::lock_guard guard(mutex_);
  std::erase_if(kernels_, [&](const auto& each) { return each.second->code == code; });
}

void Registry::add(const void* host_variable, Symbol symbol) {
  const std::lock_guard guard(mutex_);
  symbols_.insert_or_assign(host_variable, std::move(symbol));
}

Kernel* Registry::kernel(const void* function) {
  const std::lock_guard guard(mutex_);
  const auto found = kernels_.find(function);
  return found == kernels_.end() ? nullptr : found->second;
}

Symbol* Registry::symbol(const void* host_variable) {
  const std::lock_guard guard(mutex_);
  const auto found = symbols_.find(host_variable);
  return found == symbols_.end() ? nullptr : &found->second;
}

namespace {

DeviceCode* code_of(void** handle) { return reinterpret_cast<DeviceCode*>(handle); }

}  // namespace

AGPUSIM_CUDART void** __cudaRegisterFatBinary(const FatBinaryWrapper* wrapper) {
  constexpr FatBinaryWrapper none{.magic = 0};
  return reinterpret_cast<void**>(
      Registry::get().add(std::make_unique<DeviceCode>(wrapper == nullptr ? none : *wrapper)));
}

AGPUSIM_CUDART void __cudaRegisterFatBinaryEnd(void** /*code*/) {}

// Kernels may run until the process ends.
AGPUSIM_CUDART void __cudaUnregisterFatBinary(void** /*code*/) {}

AGPUSIM_CUDART void __cudaRegisterFunction(void** code, const void* host, char* /*device*/,
                                           const char* name, int /*threads*/, void* /*thread*/,
                                           void* /*block*/, void* /*block_size*/,
                                           void* /*grid_size*/, int* /*warp_size*/) {
  Registry::get().add(host, code_of(code), name);
}

AGPUSIM_CUDART void __cudaRegisterVar(void** code, const void* host, char* /*device*/,
                                      const char* name, int /*is_extern*/, std::size_t bytes,
                                      int /*is_constant*/, int /*is_global*/) {
  Registry::get().add(host, {code_of(code), name, bytes});
}

AGPUSIM_CUDART void __cudaRegisterManagedVar(void** code, void** host, char* /*device*/,
                                             const char* name, int /*is_extern*/, std::size_t bytes,
                                             int /*is_constant*/, int /*is_global*/) {
  Registry::get().add(host, {code_of(code), name, bytes});
  code_of(code)->managed.emplace(name, host);
}

AGPUSIM_CUDART char __cudaInitModule(void** code) {
  DeviceCode* const device_code = code_of(code);
  if (device_code->managed.empty()) return 1;
  return call([&](Runtime& runtime) {
           for (const auto& [name, host] : device_code->managed) {
             *host = reinterpret_cast<void*>(runtime.address_of(*device_code, name));
           }
         }) == Status::success
             ? 1
             : 0;
}

AGPUSIM_CUDART Status __cudaGetKernel(Kernel** kernel, const void* function) {
  return call([&](Runtime&) {
    required(kernel) = Registry::get().kernel(function);
    return *kernel != nullptr ? Status::success : Status::invalid_device_function;
  });
}

AGPUSIM_CUDART Status cudaGetKernel(Kernel** kernel, const void* function) {
  return __cudaGetKernel(kernel, function);
}

AGPUSIM_CUDART Status cudaGetFuncBySymbol(Kernel** kernel, const void* function) {
  return __cudaGetKernel(kernel, function);
}

}  // namespace agpusim::cudart
