#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agpusim/ptx/text/module.hpp"

namespace agpusim {

/// The PTX files as one module. Throws IoError for a file that cannot be read, and what is wrong
/// with its text, behind the name of the file.
[[nodiscard]] std::shared_ptr<const ptx::Module> read_modules(
    const std::vector<std::string>& files);

/// The mangled name of the kernel that a user means by `name` (ptx::is_called); empty: the only
/// one. Throws UsageError, which names the kernels, where no kernel or several have it.
[[nodiscard]] std::string find_kernel(const ptx::Module& module, const std::string& name);

}  // namespace agpusim
