#include "agpusim/cli/agpusim.hpp"
#include "agpusim/cli/processor_program.hpp"

int main(int argc, char** argv) {
#ifdef AGPUSIM_PROGRAMS  // a package: the program for every processor, beside those for newer ones
  agpusim::start_for_processor(AGPUSIM_PROGRAMS, argv);
#endif
  return agpusim::main(argc, argv);
}
