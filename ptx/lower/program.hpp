#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/ptx/lower/special_functions.hpp"
#include "agpusim/ptx/text/locations.hpp"

namespace agpusim::ptx {

class Warp;
struct Instruction;

/// Lanes of a warp, bit i for lane i.
using Lanes = std::uint32_t;
inline constexpr std::uint32_t warp_lanes = 32;
inline constexpr Lanes all_lanes = ~Lanes{0};

/// Windows of the generic address space; global addresses are the host's own.
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 44;
inline constexpr std::uint64_t local_window = std::uint64_t{1} << 45;
inline constexpr std::uint64_t parameter_window = std::uint64_t{3} << 44;
inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 32;

/// Bytes of a lane for recursive calls; a GPU has cudaLimitStackSize, by default 1,024.
inline constexpr std::uint32_t stack_bytes = 8192;

using Execute = void (*)(Warp&, const Instruction&);

/// A place in the row memory of a warp, in bytes: 32 lanes of 2, 4 or 8 bytes, or one word for a
/// predicate. Of a predicate that is read, bit 0 says that it is negated.
using Place = std::uint32_t;
inline constexpr Place no_place = ~Place{0};

/// One decoded instruction.
struct Instruction {
  Execute execute = nullptr;
  Execute operation = nullptr;  ///< what `execute` calls where the guard lets lanes through
  std::array<Place, 6> place{no_place, no_place, no_place, no_place, no_place, no_place};
  std::int64_t immediate = 0;   ///< offset of an address, or what the operation says
  Place guard = no_place;       ///< a predicate that is read
  std::uint32_t target = 0;     ///< where a branch goes, in `code`; of a block: its number
  std::uint32_t statement = 0;  ///< index in Program::sources
  std::uint8_t writes = 0;      ///< which places are written, bit by bit
  std::uint8_t count = 1;       ///< elements of a vector
  std::uint8_t bytes = 4;       ///< bytes of an element in memory
  std::uint16_t flags = 0;      ///< Access, of memory accesses
  Space space = Space::global;  ///< reg: generic
};

/// How memory is accessed beyond plain reads and writes; bits.
enum Access : std::uint16_t {
  plain = 0,
  strong = 1,  ///< volatile, relaxed, acquire, release
  narrow = 2,  ///< the register of the address has 32 bits
  call = 4,    ///< to parameters of a call
  sync = 8,    ///< to an mbarrier: free, as barriers are
  /// As `narrow`, of the addresses in place[1] and in place[3].
  narrow_second = 16,
  narrow_third = 32,
  is_volatile = 64,
  acquires = 128,
  releases = 256,
  of_cta = 512,      ///< its scope: else the device,
  of_system = 1024,  ///< or the host, too
};

/// What an instruction is billed as.
enum class Bill : std::uint8_t {
  free,        ///< barriers, fences, branches, reads of parameters: as control on AGPU
  arithmetic,  ///< one time unit
  memory,      ///< by its addresses
};

/// Where an instruction comes from.
struct Source {
  std::string_view opcode;
  std::uint32_t line = 0;  ///< line of the PTX text
  std::uint32_t site = 0;  ///< index in Program::sites, where cost and findings stand; 0: not known
  Bill bill = Bill::free;
  bool idle = false;  ///< under a guard: is billed when executed
  Op op = Op::add;
  bool wide = false;  ///< operates on 64-bit lanes
  bool is_collective = false;
  double machine = 1;                        ///< instructions that ptxas makes of it
  const SpecialFunction* special = nullptr;  ///< null where no slow unit takes it
};

/// Instructions that are executed together, by the lanes that come in at the first.
struct Block {
  std::uint32_t begin = 0;  ///< position in the code: of the pseudo-instruction that bills it
  std::uint32_t end = 0;
  std::uint32_t arithmetic = 0;    ///< instructions without a guard that are billed so
  std::uint32_t instructions = 0;  ///< all instructions of the text
  double machine = 0;              ///< instructions that ptxas makes of them
  bool joins = false;              ///< ptxas arranges it together with the block before it
};

/// What the lone time of a CTA needs of one instruction: the registers that it waits for and those
/// that it gives, by numbers from 0 on that leave out what no instruction writes.
struct Issue {
  std::array<std::uint32_t, 7> reads{};
  std::array<std::uint32_t, 6> writes{};
  std::uint8_t read_count = 0;
  std::uint8_t write_count = 0;
  bool begins_block = false;  ///< and does nothing else
  bool ends_block = false;    ///< ptxas moves nothing across it: it may call a function
  std::int32_t slots = 0;     ///< slots that it keeps the way busy; of one that accesses no memory
  std::int32_t latency = 0;   ///< cycles until its result is there, where it accesses no memory
};

/// A value that all lanes have from the begin of a warp on.
struct Constant {
  Place place = 0;
  std::uint8_t bytes = 4;
  std::uint64_t bits = 0;
  std::int32_t symbol = -1;  ///< index in Program::symbols, whose address is added, or -1
};

/// A special register whose value is known when a warp begins.
enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  envreg1,  ///< high word of the address of a cooperative launch's barrier, and
  envreg2,  ///< the low one, as nvcc's cooperative groups read them
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  cluster_rank,  ///< 0: a cluster is one CTA
  cluster_size,  ///< 1
};
struct SpecialRow {
  Special special;
  std::uint8_t bytes;
  Place place;
};

/// A call of a function that is running. Its registers are kept, and its frame is entered again.
struct Recursion {
  std::uint32_t frame = 0;
  std::uint32_t last_frame = 0;  ///< last frame that is called from `frame`
  std::uint32_t entry = 0;       ///< positions in the code: of the frame,
  std::uint32_t back = 0;        ///< and behind the call
  std::uint32_t bytes = 0;       ///< bytes of local memory that a call takes
  struct Move {
    std::uint32_t caller = 0;  ///< offsets in the parameters of calls
    std::uint32_t callee = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Move> arguments;
  std::vector<Move> results;
};

/// Row of a register, 0 bytes a lane for a predicate; or of an address in local memory that is
/// another in each call of `frame` and of those that it is called from.
struct RegisterRow {
  Place place = 0;
  std::uint8_t bytes = 4;
  std::uint32_t frame = 0;
};

/// A register that may be read before it is written: it begins as 0.
struct Cleared {
  Place place;
  std::uint32_t bytes;
};

/// An array of a CTA.
struct SharedArray {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;  ///< 0: dynamic, all behind the static ones
};

/// A parameter of the kernel.
struct Parameter {
  std::string name;
  Type type = Type::none;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Where the addresses come from to which a kernel writes in global memory.
struct Targets {
  bool all = false;  ///< from memory, or it is not known: it may write everything
  std::vector<std::uint32_t> parameters = {};  ///< offsets of 64-bit words, of which some are
  std::vector<std::string> symbols = {};       ///< variables of the module
};

/// A kernel that is ready to run on any device; immutable.
class Program {
 public:
  /// Throws UsageError for a kernel that the module does not have. An instruction that the table
  /// lacks is refused when it is executed.
  [[nodiscard]] static std::shared_ptr<const Program> compile(std::shared_ptr<const Module> module,
                                                              std::string_view kernel);

  std::shared_ptr<const Module> module;
  std::string kernel;
  std::vector<Instruction> code;
  std::vector<Issue> issues;            ///< one for each instruction
  std::uint32_t written_registers = 0;  ///< numbers in `issues`
  std::vector<Source> sources;
  CallSites sites;
  std::vector<Block> blocks;
  std::vector<SharedArray> shared_arrays;
  std::vector<std::string> symbols;  ///< variables of the module that it uses
  std::vector<Constant> constants;
  std::vector<SpecialRow> specials;
  std::vector<Cleared> cleared;
  std::vector<std::vector<std::uint32_t>> tables;  ///< positions where each brx.idx goes
  std::vector<Recursion> recursions;
  std::vector<RegisterRow> register_rows;  ///< where there is recursion: what a call keeps
  std::vector<RegisterRow> local_rows;
  std::vector<PtxError> refusals;  ///< unavailable; Instruction::immediate of refuse() says which
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t row_bytes = 0;        ///< bytes of all rows of a warp
  std::uint32_t live_words = 0;       ///< most 32-bit registers of a lane that live at once
  std::uint32_t shared_bytes = 0;     ///< static shared memory; the dynamic part begins there
  std::uint32_t local_bytes = 0;      ///< bytes of a lane
  std::uint32_t call_bytes = 0;       ///< bytes of a lane: parameters of calls
  std::uint32_t smallest_global = 4;  ///< bytes of the smallest access, at most 4
  std::uint32_t smallest_shared = 4;
  std::uint32_t max_threads = 1024;
  std::vector<std::uint32_t> required_threads;  ///< .reqntid
  Targets targets;
  bool is_ordered = false;  ///< its CTAs run one after the other: their order may change counts

  /// Sets `issues`.
  void mark_issues();
  /// Sets Block::joins: a short block that a branch goes around, and the one behind it.
  void mark_regions();
  /// Where a statement stands: a line of the PTX where the text says nothing else.
  [[nodiscard]] CalledLine where(std::uint32_t statement) const;
  [[nodiscard]] std::string place(std::uint32_t statement) const {
    return to_string(where(statement));
  }
};

}  // namespace agpusim::ptx
