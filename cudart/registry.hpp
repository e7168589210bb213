#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/cudart/fat_binary.hpp"
#include "agpusim/cudart/machine_code.hpp"
#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::cudart {

/// The device code of one call of __cudaRegisterFatBinary, parsed when it is first needed, or of a
/// module that the program has loaded.
class DeviceCode {
 public:
  explicit DeviceCode(const FatBinaryWrapper& wrapper) : wrapper_(wrapper) {}
  /// The code of PTX that the program has loaded.
  DeviceCode(ptx::Module module, MachineCodes machine_codes)
      : module_(std::make_shared<const ptx::Module>(std::move(module))),
        machine_codes_(std::move(machine_codes)) {}

  /// Throws FileError, PtxError; Unavailable where there is no PTX. The same again at each call.
  [[nodiscard]] const std::shared_ptr<const ptx::Module>& module();
  /// What ptxas has allotted to a kernel; zeros where no machine code for the device is there.
  [[nodiscard]] ptx::MachineCode machine_code(const std::string& kernel);

  /// Variables of the host that hold the address of a managed variable, by its name.
  std::map<std::string, void**> managed;

 private:
  FatBinaryWrapper wrapper_;
  std::shared_ptr<const ptx::Module> module_;
  std::optional<MachineCodes> machine_codes_;
};

/// A kernel that a program has registered or loaded: what cudaKernel_t, CUfunction and CUkernel
/// point to.
struct Kernel {
  DeviceCode* code = nullptr;
  std::string name;  ///< mangled, as in the PTX
  /// Bytes, where the program has asked for more than the 48 KB with the static ones.
  std::optional<std::int32_t> max_dynamic_shared = {};
  std::int64_t launches = 0;
  double milliseconds = 0;  ///< predicted, of the last launch that was run

  /// Compiled when first needed. Throws what DeviceCode::module() and Program::compile() throw.
  [[nodiscard]] const std::shared_ptr<const ptx::Program>& program();
  [[nodiscard]] ptx::MachineCode machine_code() const { return code->machine_code(name); }

 private:
  std::shared_ptr<const ptx::Program> program_;
};

/// A variable of the device that a program has registered.
struct Symbol {
  DeviceCode* code = nullptr;
  std::string name;
  std::size_t bytes = 0;
};

/// What the constructors of a program register, before any call of CUDA.
class Registry {
 public:
  /// The registry of this process; it outlives all static objects.
  static Registry& get();

  DeviceCode* add(std::unique_ptr<DeviceCode> code);
  void add(const void* host_function, DeviceCode* code, const char* name);
  void add(const void* host_variable, Symbol symbol);
  /// A kernel that no function of the host stands for.
  Kernel* add(DeviceCode* code, std::string name);
  /// The program has unloaded the code: no handle is known any more. What streams and graphs still
  /// launch stays.
  void forget(const DeviceCode* code);

  /// By the function of the host, or a handle that was given for it. Null for others.
  [[nodiscard]] Kernel* kernel(const void* function);
  /// Null for what is no variable of the device.
  [[nodiscard]] Symbol* symbol(const void* host_variable);

 private:
  std::mutex mutex_;  // shared libraries may be loaded by several threads
  std::vector<std::unique_ptr<DeviceCode>> codes_;
  std::vector<std::unique_ptr<Kernel>> all_;
  std::map<const void*, Kernel*> kernels_;  // by functions of the host and by handles
  std::map<const void*, Symbol> symbols_;
};

}  // namespace agpusim::cudart
