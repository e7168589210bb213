#pragma once

#include <functional>
#include <map>
#include <string>

namespace agpusim::test {

/// Programs about textures, surfaces, arrays and nodes of graphs, by name.
[[nodiscard]] const std::map<std::string, std::function<void()>>& texture_programs();

}  // namespace agpusim::test
