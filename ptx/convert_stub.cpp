#include "agpusim/ptx/opcodes.hpp"

namespace agpusim::ptx {

std::span<const Opcode> convert_rows() { return {}; }

}  // namespace agpusim::ptx
