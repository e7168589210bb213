#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "agpusim/ptx/text/module.hpp"

namespace agpusim::ptx {

/// What a pointer to a function of the module holds: its number, where no memory can lie. 0 where
/// there is no function of this name.
[[nodiscard]] std::uint64_t function_address(const Module& module, std::string_view name);
/// Null where no function has this address.
[[nodiscard]] const Function* function_at(const Module& module, std::uint64_t address);

/// The functions with a body whose addresses the module takes: in initial values and in code.
[[nodiscard]] std::vector<const Function*> functions_with_address(const Module& module);
/// Whether results and parameters are as the prototype says.
[[nodiscard]] bool has_signature(const Function& function, const Signature& prototype);

}  // namespace agpusim::ptx
