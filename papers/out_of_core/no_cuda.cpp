#include "agpusim/papers/out_of_core/measured_task.hpp"

// A build without CUDA has none; cuda_runs.cu otherwise.
void agpusim::out_of_core::add_cuda_runs(CudaSupport& /*support*/) {}
