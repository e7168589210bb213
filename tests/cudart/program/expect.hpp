#pragma once

#include <cstdio>
#include <cstdlib>

namespace agpusim::test {

/// Ends the program where something does not hold.
inline void expect(const char* file, int line, bool holds) {
  if (holds) return;
  std::printf("%s:%d: not as expected\n", file, line);
  std::fflush(stdout);
  std::_Exit(1);
}
#define EXPECT(condition) expect(__FILE__, __LINE__, condition)

}  // namespace agpusim::test
