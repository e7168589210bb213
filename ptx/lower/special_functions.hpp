#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace agpusim::ptx {

/// What an instruction takes that ptxas gives to a slow unit, of which all are taken for one. Turns
/// and latencies are measured with 1 and 64 warps (H200), those of matrices by dev/tensor_rates.py;
/// machine instructions, div.full, div.approx, sqrt.approx, wmma and divisions of 32-bit integers
/// are estimated.
struct SpecialFunction {
  std::string_view start;  ///< begin of the opcode
  double machine;          ///< machine instructions
  double turns;            ///< it keeps the unit of a scheduler busy so often for 4 cycles
  std::int32_t latency;    ///< cycles until a dependent instruction can issue
};

/// The first that fits counts.
inline constexpr auto special_functions = std::to_array<SpecialFunction>({
    {"ex2.approx.ftz.f32", 1, 2, 17},
    {"ex2.approx.f32", 3, 2, 18},
    {"lg2.approx.ftz", 1, 2, 17},
    {"lg2.approx", 4, 2, 40},
    {"rsqrt.approx.ftz.f32", 1, 2, 17},
    {"rsqrt.approx.f32", 4, 2, 40},
    {"rsqrt.approx", 15, 4, 61},
    {"sin.approx", 2, 2, 23},
    {"cos.approx", 2, 2, 23},
    {"tanh.approx", 1, 2, 17},
    {"ex2.", 2, 2, 18},
    {"rcp.approx.ftz", 1, 2, 17},
    {"rcp.approx", 5, 2, 42},
    {"rcp.rn.f64", 15, 4, 61},
    {"rcp.", 9, 3, 64},
    {"sqrt.approx.ftz", 2, 2, 22},
    {"sqrt.approx", 5, 2, 42},
    {"sqrt.rn.f64", 20, 6, 80},
    {"sqrt.", 9, 3, 43},
    {"div.approx.ftz", 2, 2, 22},
    {"div.approx.f32", 5, 2, 26},
    {"div.full", 6, 2, 30},
    {"div.rn.f64", 19, 6, 111},
    {"div.rn.f32", 11, 4, 45},
    {"div.s64", 140, 6, 333},
    {"div.u64", 140, 6, 333},
    {"rem.s64", 140, 6, 333},
    {"rem.u64", 140, 6, 333},
    {"div.", 20, 6, 90},
    {"rem.", 20, 6, 90},
    {"popc.", 1, 2, 17},
    {"brev.", 1, 2, 17},
    {"clz.", 2, 2, 23},
    {"bfind.", 1, 2, 17},
    {"shfl.", 1, 1, 24},
    {"mma.sync.aligned.m8n8k4.row.col.f64", 1, 4, 26},
    {"mma.sync.aligned.m16n8k4.row.col.f64", 1, 4.2, 34},
    {"mma.sync.aligned.m16n8k8.row.col.f64", 1, 8.1, 51},
    {"mma.sync.aligned.m16n8k16.row.col.f64", 1, 16.9, 99},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32", 1, 1.55, 28},
    {"mma.sync.aligned.m16n8k16.row.col.f", 1, 1.55, 28},
    {"mma.sync.aligned.m16n8k32", 1, 1.6, 28},
    {"mma.sync.aligned.m8n8k16", 1, 1, 14},
    {"mma.", 1, 1.05, 19},
    {"wmma.mma.", 2, 3.1, 34},  // two of m16n8k16
    {"movmatrix.", 1, 1, 24},
});

/// From floats to integers or whole floats, from 64-bit integers to floats, and of all f64.
inline constexpr SpecialFunction slow_conversion{"cvt.", 1, 2, 18};

/// What the opcode takes; null where it is no such instruction.
[[nodiscard]] constexpr const SpecialFunction* special_function_of(std::string_view opcode) {
  for (const SpecialFunction& each : special_functions) {
    if (opcode.starts_with(each.start)) return &each;
  }
  if (!opcode.starts_with("cvt.")) return nullptr;
  const std::size_t last = opcode.rfind('.');
  const std::string_view from = opcode.substr(last + 1);
  const std::string_view front = opcode.substr(0, last);
  const std::string_view to = front.substr(front.rfind('.') + 1);
  const auto is_float = [](std::string_view type) { return type.find('f') != type.npos; };
  const bool is_whole = front.find("i.") != front.npos;  // rni, rzi, rmi, rpi
  const bool is_wide = from == "f64" || to == "f64";
  if (is_float(from) ? !is_float(to) || is_whole || is_wide
                     : is_float(to) && (is_wide || from == "s64" || from == "u64")) {
    return &slow_conversion;
  }
  return nullptr;
}

}  // namespace agpusim::ptx
