#pragma once

#include "agpusim/algorithms/rank_sort/device.cuh"
