#include "agpusim/validation/report/version.hpp"

std::string_view agpusim::version() { return AGPUSIM_VERSION; }
