#include "agpusim/ptx/opcodes.hpp"

namespace agpusim::ptx {

std::span<const Opcode> float_rows() { return {}; }

}  // namespace agpusim::ptx
