#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"
#include "agpusim/validation/compiled/compiled.hpp"

namespace agpusim {
namespace {

std::filesystem::path file_of_own_kernels() { return this_program() += ".ptx"; }

/// Read once, when the first time is predicted.
const std::shared_ptr<const ptx::Module>& own_kernels() {
  static const auto kernels = [] {
    const std::filesystem::path path = file_of_own_kernels();
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.empty()) throw Unavailable(fmt::format("{} cannot be read", path.string()));
    return std::make_shared<const ptx::Module>(ptx::Module::parse(text, path.filename().string()));
  }();
  return kernels;
}

}  // namespace

bool has_own_kernels() {
  std::error_code none;
  return std::filesystem::exists(file_of_own_kernels(), none);
}

std::vector<PhaseReport> phases_of_own_kernels(const decltype(Algorithm::program)& program,
                                               const RunConfig& config) {
  return phases_of(program, config, own_kernels(), false);
}

}  // namespace agpusim
