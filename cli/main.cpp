#include "agpusim/cli/agpusim.hpp"

int main(int argc, char** argv) { return agpusim::main(argc, argv); }
