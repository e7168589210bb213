#pragma once

#include <string>

namespace agpusim::test {

/// Runs a program of driver.cpp. Returns whether it has one of this name.
bool run_on_driver(const std::string& name);
/// Its program "driver mapping".
void map_memory();

}  // namespace agpusim::test
