// The documented functions that are not supported: they say so and return cudaErrorNotSupported or
// CUDA_ERROR_NOT_SUPPORTED. And those that change neither results nor counts. Callers pass
// arguments, which nobody reads. Each lies in a section that says so: `agpusim exec --functions`
// reads it from the library.
#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {
namespace {

Status not_supported(const char* function) {
  return call([&](Runtime& runtime) {
    runtime.reporter.unsupported(function);
    return Status::not_supported;
  });
}

Status not_supported_in_driver(const char* function) {
  return driver_call(Needs::nothing, [&](Runtime& runtime) {
    runtime.reporter.unsupported(function);
    throw Status::not_supported;
  });
}

}  // namespace

// X: a function; V: one of which there are two versions.
#define V(name) X(name) AGPUSIM_ALSO(name##_v2, name)
#define AGPUSIM_IN_SECTION(name) AGPUSIM_CUDART __attribute__((section(name)))

#define X(name) \
  AGPUSIM_IN_SECTION("not_supported") Status name() { return not_supported(#name); }
#include "agpusim/cudart/names/runtime_not_supported.def"
#undef X
#define X(name) \
  AGPUSIM_IN_SECTION("not_supported") Status name() { return not_supported_in_driver(#name); }
#include "agpusim/cudart/names/driver_not_supported.def"
#undef X
#define X(name)                                        \
  AGPUSIM_IN_SECTION("without_effect") Status name() { \
    return call([](Runtime&) {});                      \
  }
#include "agpusim/cudart/names/runtime_without_effect.def"
#undef X
#define X(name)                                              \
  AGPUSIM_IN_SECTION("without_effect") Status name() {       \
    return driver_call(Needs::initialized, [](Runtime&) {}); \
  }
#include "agpusim/cudart/names/driver_without_effect.def"
#include "agpusim/validation/exec/nvidia_libraries.hpp"
#undef X
#undef V

/// Tables of functions that are documented nowhere. A static CUDA runtime cannot do without;
/// NVIDIA's libraries (NVML, nvJitLink, cuDNN) tell the program what they then cannot do.
AGPUSIM_IN_SECTION("not_supported")
Status cuGetExportTable(const void** table, const void* /*number*/) {
  Dl_info asks{};
  dladdr(__builtin_return_address(0), &asks);
  const std::filesystem::path path = asks.dli_fname == nullptr ? "" : asks.dli_fname;
  const std::string library = path.filename().string();
  if (table != nullptr) *table = nullptr;
  const auto is = [&](const char* begin) { return library.starts_with(begin); };
  if (is("libnv") || is("libcuda.so") || is("libcudart.so") || is("libcupti") ||
      (is("libcu") && exec::is_foreign_library(library))) {
    return Status::not_found;
  }
  return driver_call(Needs::nothing, [&](Runtime&) {
    throw Failure{Status::not_supported,
                  fmt::format("{} is linked with a static CUDA runtime, which only NVIDIA's driver "
                              "serves: link it with -cudart shared",
                              library),
                  "", true};
  });
}

}  // namespace agpusim::cudart
