#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agpusim/ptx/module.hpp"

namespace agpusim {

/// The PTX files as one module. Throws IoError for a file that cannot be read, and what is wrong
/// with its text, behind the name of the file.
[[nodiscard]] std::shared_ptr<const ptx::Module> read_modules(
    const std::vector<std::string>& files);

/// The kernel's name in its source, without types of results and parameters: "reduce<256>".
[[nodiscard]] std::string readable_name(const std::string& kernel);

/// The mangled name of the kernel that a user means by `name`: that name, the one of
/// readable_name(), or that without template arguments; empty: the only one. Throws UsageError,
/// which names the kernels, where no kernel or several have it.
[[nodiscard]] std::string find_kernel(const ptx::Module& module, const std::string& name);

}  // namespace agpusim
