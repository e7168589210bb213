// emscripten declares prctl and lacks it: a page has no processes.
#pragma once

#include_next <sys/prctl.h>

#define prctl(...) (-1)
