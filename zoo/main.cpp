// Small kernels in many styles, as strangers write CUDA.
#include "rows.hpp"

int main(int argc, char** argv) { return agpusim::main(argc, argv, zoo::rows()); }
