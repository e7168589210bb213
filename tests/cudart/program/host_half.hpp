#pragma once

#include <functional>
#include <map>
#include <string>

namespace agpusim::test {

/// Programs that use memory from the host as they may, and their twins that do not, by name.
const std::map<std::string, std::function<void()>>& host_halves();

}  // namespace agpusim::test
