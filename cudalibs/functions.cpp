// What a library has but for computing: handles, versions, names of statuses.
#include "agpusim/cudalibs/library.hpp"

namespace agpusim::cudalibs {
namespace {

constexpr int number_of_version = here.major * here.unit + here.minor * 100 + here.patch;

[[maybe_unused]] int version(int* number) {
  return number == nullptr ? here.invalid_value : (*number = number_of_version, 0);
}
[[maybe_unused]] int version_of_handle(Handle* /*handle*/, int* number) { return version(number); }
[[maybe_unused]] std::size_t version_as_size() { return number_of_version; }
[[maybe_unused]] std::size_t version_of_runtime() { return 13000; }
/// `part` of the version: major, minor, patch.
[[maybe_unused]] int property(int part, int* value) {
  if (part < 0 || part > 2 || value == nullptr) return here.invalid_value;
  return *value = part == 0 ? here.major : part == 1 ? here.minor : here.patch, 0;
}
/// Functions that change neither results nor counts here.
[[maybe_unused]] int without_effect() { return 0; }

#if __has_include(AGPUSIM_LIBRARY_STATUSES)
const char* status_name(int status) {
  switch (status) {
#define X(number, name) \
  case number:          \
    return #name;
#include AGPUSIM_LIBRARY_STATUSES
#undef X
    default:
      return "unknown status";
  }
}
#endif

}  // namespace

#define X AGPUSIM_EXPORT
#include AGPUSIM_LIBRARY_FUNCTIONS

}  // namespace agpusim::cudalibs
