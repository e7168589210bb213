#pragma once

#include <string>

namespace agpusim::test {

/// Runs "name_right" or "name_broken" of the idioms of host_order.cpp. Returns whether it is one.
bool run_host_idiom(const std::string& name);

}  // namespace agpusim::test
