#include "agpusim/ptx/opcodes.hpp"

namespace agpusim::ptx {

std::span<const Opcode> half_rows() { return {}; }

}  // namespace agpusim::ptx
