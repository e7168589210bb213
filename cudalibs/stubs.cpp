// All names that the headers of a library declare: where another file has one, the linker takes
// that. Callers pass arguments, which nobody reads.
#include "agpusim/cudalibs/library.hpp"

namespace agpusim::cudalibs {

#define X(name) \
  AGPUSIM_LIBRARY_NAME __attribute__((weak)) int name() { return refuse(#name); }
#include AGPUSIM_LIBRARY_NAMES

}  // namespace agpusim::cudalibs
