// The driver's interface: modules and libraries, which are the same here, their kernels and
// variables, and the linker.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "agpusim/cudart/driver.hpp"
#include "agpusim/cudart/driver_image.hpp"
#include "agpusim/ptx/text/module.hpp"

namespace agpusim::cudart {

/// CUmodule and CUlibrary.
struct Library {
  DeviceCode* code = nullptr;
  std::map<std::string, Kernel*, std::less<>> kernels;
};

/// CUlinkState: PTX texts, in the end with what stands between them.
struct Linker {
  std::string texts;
};

namespace {

/// CUjit_option: those with an effect.
enum class JitOption : std::int32_t { info_log = 3, info_log_bytes, error_log, error_log_bytes };

/// What a program passes in three arguments.
struct JitOptions {
  std::uint32_t count = 0;
  const JitOption* names = nullptr;
  void** values = nullptr;

  /// The value of an option; null where the program does not pass it.
  [[nodiscard]] void** value(JitOption name) const {
    const auto* const found = std::find(names, names + count, name);
    return found == names + count ? nullptr : &values[found - names];
  }
  /// Writes a message into a log, and how many bytes it has.
  void log(JitOption buffer, JitOption bytes, const std::string& text) const {
    void** const at = value(buffer);
    void** const size = value(bytes);
    if (at == nullptr || size == nullptr || *at == nullptr) return;
    // A value of 32 bits stands in the low half of a pointer.
    const auto most = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(*size));
    if (most == 0) return;
    const std::size_t written = text.copy(static_cast<char*>(*at), most - 1);
    static_cast<char*>(*at)[written] = '\0';
    *size = reinterpret_cast<void*>(written);
  }
};

/// Does what the program may have logged.
template <class Body>
void with_logs(const JitOptions& options, const Body& body) {
  if (options.count > 0) required(options.names);
  if (options.count > 0) required(options.values);
  options.log(JitOption::info_log, JitOption::info_log_bytes, "");
  Failure failure;
  try {
    body();
    return options.log(JitOption::error_log, JitOption::error_log_bytes, "");
  } catch (const Failure& thrown) {
    failure = thrown;
  } catch (const ptx::PtxError& error) {
    failure = failure_of(error);
    failure.reason.insert(0, "PTX, ");
  } catch (const std::exception& error) {
    failure = failure_of(error);
  }
  options.log(JitOption::error_log, JitOption::error_log_bytes, failure.reason);
  throw failure;
}

void load(Library** where, const void* image, const std::string& name, const JitOptions& options) {
  required(where);
  required(static_cast<const char*>(image));
  with_logs(options, [&] {
    Library library;
    library.code = Registry::get().add(code_of_image(image, name));
    for (const std::string& kernel : library.code->module()->kernels()) {
      library.kernels[kernel] = Registry::get().add(library.code, kernel);
    }
    give(where, std::move(library));
  });
}

Status load_data(Needs needs, Library** where, const void* image, const JitOptions& options = {}) {
  return driver_call(needs, [&](Runtime&) { load(where, image, "loaded PTX", options); });
}

/// The bytes of a file, and a null byte. Throws Status.
std::string content_of(const char* path) {
  required(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Status::file_not_found;
  return {std::istreambuf_iterator<char>(in), {}};
}

Status load_file(Needs needs, Library** where, const char* path, const JitOptions& options = {}) {
  return driver_call(needs, [&](Runtime&) {
    const std::string content = content_of(path);
    load(where, content.data(), path, options);
  });
}

/// `is_managed`: what CUDA asks for.
Status find_variable(void** at, std::size_t* bytes, Library* handle, const char* name,
                     bool is_managed) {
  return driver_call(Needs::context, [&](Runtime& runtime) {
    const auto library = object_of(handle);
    const ptx::Variable* const variable = library->code->module()->variable(&required(name));
    if (variable == nullptr || (is_managed && !variable->is_managed)) {
      throw Failure{Status::not_found, fmt::format("no variable {}", name)};
    }
    void* const address =
        reinterpret_cast<void*>(runtime.address_of(*library->code, variable->name));
    if (at != nullptr) *at = address;
    if (bytes != nullptr) *bytes = variable->bytes;
  });
}

}  // namespace

AGPUSIM_CUDART Status cuModuleLoadDataEx(Library** module, const void* image, std::uint32_t count,
                                         const JitOption* names, void** values) {
  return load_data(Needs::context, module, image, {count, names, values});
}

AGPUSIM_CUDART Status cuModuleLoadData(Library** module, const void* image) {
  return load_data(Needs::context, module, image);
}

AGPUSIM_CUDART Status cuModuleLoad(Library** module, const char* path) {
  return load_file(Needs::context, module, path);
}

// Nobody reads the options of libraries, which come last.
AGPUSIM_CUDART Status cuLibraryLoadData(Library** library, const void* image,
                                        const JitOption* names, void** values,
                                        std::uint32_t count) {
  return load_data(Needs::initialized, library, image, {count, names, values});
}

AGPUSIM_CUDART Status cuLibraryLoadFromFile(Library** library, const char* path,
                                            const JitOption* names, void** values,
                                            std::uint32_t count) {
  return load_file(Needs::initialized, library, path, {count, names, values});
}

AGPUSIM_CUDART Status cuModuleUnload(Library* module) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    Registry::get().forget(object_of(module)->code);
    objects<Library>().erase(module);
  });
}

AGPUSIM_CUDART Status cuModuleGetFunction(Kernel** kernel, Library* module, const char* name) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    const auto library = object_of(module);
    const auto found = library->kernels.find(&required(name));
    required(kernel) = found == library->kernels.end() ? nullptr : found->second;
    if (*kernel == nullptr) throw Failure{Status::not_found, fmt::format("no kernel {}", name)};
  });
}

AGPUSIM_CUDART Status cuModuleGetGlobal_v2(void** at, std::size_t* bytes, Library* module,
                                           const char* name) {
  return find_variable(at, bytes, module, name, false);
}

AGPUSIM_CUDART Status cuLibraryGetManaged(void** at, std::size_t* bytes, Library* library,
                                          const char* name) {
  return find_variable(at, bytes, library, name, true);
}

AGPUSIM_CUDART Status cuLibraryGetModule(Library** module, Library* library) {
  return driver_call(Needs::context,
                     [&](Runtime&) { required(module) = object_of(library).get(); });
}

AGPUSIM_CUDART Status cuModuleGetFunctionCount(std::uint32_t* count, Library* module) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    required(count) = static_cast<std::uint32_t>(object_of(module)->kernels.size());
  });
}

AGPUSIM_CUDART Status cuModuleEnumerateFunctions(Kernel** kernels, std::uint32_t count,
                                                 Library* module) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    required(kernels);
    for (const auto& [name, kernel] : object_of(module)->kernels) {
      if (count-- == 0) break;
      *kernels++ = kernel;
    }
  });
}

AGPUSIM_CUDART Status cuModuleGetLoadingMode(std::int32_t* mode) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    required(mode) = 1;  // CU_MODULE_EAGER_LOADING
  });
}

AGPUSIM_CUDART Status cuFuncGetModule(Library** module, const void* function) {
  return driver_call(Needs::initialized, [&](Runtime&) {
    const Kernel* const kernel = Registry::get().kernel(function);
    if (kernel == nullptr) throw Status::invalid_resource_handle;
    const auto& all = objects<Library>();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) {
      return each.second->code == kernel->code;
    });
    if (found == all.end()) throw Status::not_found;
    required(module) = found->second.get();
  });
}

// The linker, whose result is text.

AGPUSIM_CUDART Status cuLinkCreate_v2(std::uint32_t /*count*/, const JitOption* /*names*/,
                                      void** /*values*/, Linker** linker) {
  return driver_call(Needs::context, [&](Runtime&) { give(linker, Linker{}); });
}

AGPUSIM_CUDART Status cuLinkAddData_v2(Linker* handle, std::int32_t kind, const char* data,
                                       std::size_t bytes) {
  return driver_call(Needs::context, [&](Runtime&) {
    constexpr std::int32_t ptx = 1;  // CU_JIT_INPUT_PTX
    const auto linker = object_of(handle);
    const std::string_view text(&required(data), bytes);
    if (kind != ptx) throw Failure{Status::not_supported, "only PTX is linked", "", true};
    if (!linker->texts.empty()) linker->texts += next_ptx;
    linker->texts += text.substr(0, text.find('\0'));
  });
}

AGPUSIM_CUDART Status cuLinkAddFile_v2(Linker* linker, std::int32_t kind, const char* path) {
  std::string content;
  const Status status = driver_call(Needs::context, [&](Runtime&) { content = content_of(path); });
  return status == Status::success ? cuLinkAddData_v2(linker, kind, content.data(), content.size())
                                   : status;
}

AGPUSIM_CUDART Status cuLinkComplete(Linker* handle, void** image, std::size_t* bytes) {
  return driver_call(Needs::context, [&](Runtime&) {
    const auto linker = object_of(handle);
    required(image) = linker->texts.data();
    if (bytes != nullptr) *bytes = linker->texts.size() + 1;
  });
}

AGPUSIM_CUDART Status cuLinkDestroy(Linker* linker) {
  const DriverScope scope(Needs::context);
  return destroy(linker);
}

// clang-format off
AGPUSIM_SAME_2(context, cuModuleLoadFatBinary, cuModuleLoadData, Library**, const void*)
AGPUSIM_SAME_1(initialized, cuLibraryUnload, cuModuleUnload, Library*)
AGPUSIM_SAME_3(initialized, cuLibraryGetKernel, cuModuleGetFunction, Kernel**, Library*, const char*)
AGPUSIM_SAME_4(context, cuLibraryGetGlobal, cuModuleGetGlobal_v2, void**, std::size_t*, Library*, const char*)
AGPUSIM_SAME_2(initialized, cuLibraryGetKernelCount, cuModuleGetFunctionCount, std::uint32_t*, Library*)
AGPUSIM_SAME_3(initialized, cuLibraryEnumerateKernels, cuModuleEnumerateFunctions, Kernel**, std::uint32_t, Library*)
AGPUSIM_SAME_2(initialized, cuKernelGetLibrary, cuFuncGetModule, Library**, const void*)
// clang-format on
AGPUSIM_ALSO(cuLinkCreate, cuLinkCreate_v2)
AGPUSIM_ALSO(cuLinkAddData, cuLinkAddData_v2)
AGPUSIM_ALSO(cuLinkAddFile, cuLinkAddFile_v2)

}  // namespace agpusim::cudart
