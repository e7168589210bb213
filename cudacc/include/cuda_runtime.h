#pragma once

// agpusim cc includes this before every source, as nvcc does.
#ifdef __CUDA__
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#include "agpusim_cc/engine.h"
#include "agpusim_cc/math_names.h"
// What the standard library costs on the device stands at the line that calls it, too.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <math.h>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <utility>
#pragma clang attribute pop
#endif
#include "cuda_runtime_api.h"
#ifdef __CUDA__
#include "agpusim_cc/atomics.h"
#include "agpusim_cc/built_in.h"
#include "agpusim_cc/intrinsics.h"
#include "agpusim_cc/warp.h"
#endif
