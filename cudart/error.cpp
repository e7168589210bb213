#include "agpusim/model/error.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <execinfo.h>
#include <new>
#include <string_view>
#include <utility>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {
namespace {

struct StatusRow {
  Status status;
  const char* name;
  const char* driver_name;  ///< name of CUresult; the first row with it has its number
  const char* text;
};

constexpr auto rows = std::to_array<StatusRow>({
#define X(status, number, name, driver_name, text) {Status::status, #name, #driver_name, text},
#include "agpusim/cudart/names/statuses.def"
#undef X
});

const StatusRow& row_of(Status status) {
  static constexpr StatusRow none = {Status::unknown, "unrecognized error code", "",
                                     "unrecognized error code"};
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.status == status; });
  return row == rows.end() ? none : *row;
}

thread_local Status last_error = Status::success;

/// Functions with which programs ask: that they fail is an answer.
constexpr auto questions = std::to_array<std::string_view>(
    {"cudaPointerGetAttributes", "cudaHostGetFlags", "cuPointerGetAttribute", "cuMemHostGetFlags",
     "cuMemGetAddressRange", "cuCtxGetDevice", "cuModuleGetGlobal", "cuLibraryGetGlobal",
     "cuGetProcAddress"});

const char* StatusRow::*name_of_interface() {
  return driver_needs ? &StatusRow::driver_name : &StatusRow::name;
}

/// What the driver returns where the runtime returns this.
Status driver_status(Status status) {
  const std::string_view name = row_of(status).driver_name;
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const StatusRow& each) { return each.driver_name == name; });
  return row == rows.end() ? status : row->status;
}

/// The program has read an error, or asks for its text.
const StatusRow& looked_at(Status error) {
  Runtime* const runtime = error == Status::success ? nullptr : Runtime::get();
  if (runtime != nullptr) runtime->reporter.looked_at(row_of(error).*name_of_interface());
  return row_of(error);
}

Status give_text(Status error, const char** text, const char* StatusRow::*member) {
  const DriverScope scope(Needs::nothing);
  if (text == nullptr) return remember(Status::invalid_value);
  const bool is_known = row_of(error).status == error && driver_status(error) == error;
  *text = is_known ? looked_at(error).*member : nullptr;
  return is_known ? Status::success : remember(Status::invalid_value);
}

/// The function of the interface in which this thread is: others of this library have no symbol.
std::string called_function() {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::string name;
  const void* library = nullptr;
  for (int i = 0; i < count; ++i) {
    Dl_info at;
    // The address is that behind a call, where another function may begin.
    if (dladdr(static_cast<std::byte*>(frames.at(static_cast<std::size_t>(i))) - 1, &at) == 0)
      break;
    if (library == nullptr) library = at.dli_fbase;
    if (at.dli_fbase != library) break;
    if (at.dli_sname != nullptr) name = at.dli_sname;
  }
  // The names that nvcc gives a launch, versions, and the functions for streams of threads.
  name.erase(0, name.find_first_not_of('_'));
  return name.substr(0, std::min(name.find("_v"), name.find("_pt")));
}

}  // namespace

Status remember(Status status, Failure failure) {
  if (status == Status::success || status == Status::not_ready) return status;
  if (driver_needs) {
    status = driver_status(status);
  } else {
    last_error = status;
  }
  Runtime* const runtime = Runtime::get();
  // What fails since a kernel has failed is told with that kernel.
  if (runtime == nullptr || status == runtime->fault) return status;
  const std::string function = library_function == nullptr ? called_function() : library_function;
  if (std::find(questions.begin(), questions.end(), function) != questions.end()) return status;
  if (failure.reason.empty()) failure.reason = row_of(status).text;
  runtime->reporter.failed({.function = function,
                            .kernel = failure.kernel,
                            .error = row_of(status).*name_of_interface(),
                            .reason = failure.reason,
                            .of_simulator = failure.of_simulator});
  return status;
}

Failure failure_of(const std::exception& exception) {
  std::string reason = exception.what();
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    if (reason == std::bad_alloc().what()) reason = "the host has no memory for it";
    return {Status::memory_allocation, reason, "", true};
  }
  const auto* const error = dynamic_cast<const Error*>(&exception);
  if (error == nullptr) return {Status::unknown, reason, "", true};
  if (error->code() == ExitCode::unavailable) return {Status::not_supported, reason, "", true};
  return {error->code() == ExitCode::bad_file ? Status::invalid_ptx : Status::invalid_value,
          reason};
}

AGPUSIM_CUDART const char* cudaGetErrorName(Status status) { return looked_at(status).name; }

AGPUSIM_CUDART const char* cudaGetErrorString(Status status) { return looked_at(status).text; }

AGPUSIM_CUDART Status cuGetErrorName(Status error, const char** name) {
  return give_text(error, name, &StatusRow::driver_name);
}

AGPUSIM_CUDART Status cuGetErrorString(Status error, const char** text) {
  return give_text(error, text, &StatusRow::text);
}

AGPUSIM_CUDART Status cudaPeekAtLastError() {
  looked_at(last_error);
  return last_error;
}

AGPUSIM_CUDART Status cudaGetLastError() {
  const Status error = cudaPeekAtLastError();
  const Runtime* const runtime = error == Status::success ? nullptr : Runtime::get();
  const bool stays = runtime != nullptr && error == runtime->fault;
  return stays ? error : std::exchange(last_error, Status::success);
}

}  // namespace agpusim::cudart
