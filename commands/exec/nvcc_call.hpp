#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agpusim::exec {

/// Arguments of nvcc with which a program is built for `agpusim exec`: architectures become 9.0,
/// the runtime shared, lines are kept, C++ is 17 at least, and warnings are no errors. `names`: a
/// header for names that CUDA 13 has removed; empty: none.
[[nodiscard]] std::vector<std::string> nvcc_arguments(const std::vector<std::string>& given,
                                                      const std::string& names);

/// What to change in a program, by what nvcc or the linker says of it; none where that is not
/// known.
[[nodiscard]] std::optional<std::string> advice_for(std::string_view errors);

}  // namespace agpusim::exec
