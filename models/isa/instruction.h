#pragma once

// One machine instruction. Parsed programs (virtual registers) and compiled programs (architected registers) use
// the same form.
//
// clang-format off
// Operands by opcode, written as "destinations; sources". Operands in brackets are optional.
//   most            d; a, b, c in PTX order. `.cc` adds a predicate as last destination, carry-in a predicate as last source
//   setp            p [, q]; a, b [, c = predicate of the boolean operator]   for pairs: p from the first values, q from the second
//   cvt             d; a. To a pair: d; a (the second value), b (the first)
//   set, selp, slct d; a, b, c
//   bfi             d; a, b, position, length                    lop3   d [, p]; a, b, c [, q]  (bool_op: p = (d != 0) op q)
//   shfl            d [, p]; a, b, c [, member mask]
//   vote            d (or p); predicate [, member mask]          match  d [, p]; a, member mask
//   activemask      d;                                           redux  d; a, member mask (operation in `atomic`)
//   pack            d; parts, lowest first                       unpack parts, lowest first; a
//   testp, isspacep p; a (isspacep: space in `memory.space`)
//   ld              d0..d3; address                              st      ; address, a0..a3
//   ldmatrix        as ld, stmatrix as st, with the shape in `matrix`: one register for each 8x8 matrix
//   atom            d; address, b [, c]  (cas: b = compare, c = swap)    red  ; address, b [, c]
//   cp.async        ; global address, shared address [, bytes to read] (offset of the shared address: target_offset())
//   wait_group      ; number of groups that may be incomplete (immediate)
//   bra             no operands: the fields `guard` and `target`; conditional if guarded
//   bar             [p or d]; barrier number, thread count (immediate 0 = all) [, predicate]; kind in `barrier`
//   nanosleep       ; a
//   mma             d; a, b, c: groups of words that hold the lane's elements of the matrices (shape in `matrix`)
//   movmatrix       d; a: a row of an 8x8 matrix of 16-bit elements in each group of 4 lanes
//   tex             d0..d3; texture [, sampler], [layer,] x [, y [, z]] (coordinates of source_type); shape in `texture`
//
// Types of instructions that name two types in PTX (for all others source_type = type):
//   cvt, set        type = destination, source_type = source     slct      type = a, b, d; source_type = c
//   dp4a, dp2a      type = a, source_type = b                    vabsdiff4 type = d, source_type = a and b
//   mul, mad .wide  type = the narrow sources                    popc, clz, bfind   type = a (d has 32 bits)
//   pack, unpack    type = the whole (b16, b32, b64)             match     type = a
//   mma             type = d, source_type = a (b and c: `matrix`)
//   vote            pred, or b32 for ballot                      shl, shr  type = a (the amount has 32 bits)
// clang-format on

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/control_bits.h"
#include "models/isa/matrix.h"
#include "models/isa/opcode.h"
#include "models/isa/operand.h"
#include "models/isa/types.h"

namespace heddle::isa {

inline constexpr int kMaxSources = 6;
inline constexpr int kMaxDestinations = 5;
inline constexpr std::int32_t kNoTarget = -1;

struct Guard {
  bool present = false;
  bool negated = false;
  PredId pred{};
};

enum class BarrierKind : std::uint8_t { none, sync, arrive, red_popc, red_and, red_or };

struct MemoryAccess {
  Space space = Space::generic;
  std::uint8_t element_bytes = 4;
  std::uint8_t elements = 1;
  CacheOp cache = CacheOp::none;
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;
  bool non_coherent = false;
  std::int64_t offset = 0;
};

/// Properties of a `tex` or `tld4` instruction: shape of the texture, and source of the sampler settings.
struct TextureAccess {
  TextureShape shape = TextureShape::none;
  std::uint8_t gather =
      0;  ///< tld4: component that it gathers from four texels, from 1 = r to 4 = a. tex: 0.
  /// True: the second source is a sampler. False: the texture's own sampler settings are used.
  bool own_sampler = false;
};

struct SourceLocation {
  std::uint32_t ptx_line = 0;
  std::uint32_t ptx_column = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

struct LaneOperands;
struct Instruction;
using LaneFunction = void (*)(const Instruction&, LaneOperands&);

struct Instruction {
  Opcode op = Opcode::nop;
  UnitClass unit = UnitClass::control;
  OpClass op_class = OpClass::control;
  DataType type = DataType::none;         ///< Data type of the operation; destination type for cvt and set.
  DataType source_type = DataType::none;  ///< Source type for cvt and set; otherwise equal to `type`.
  Modifiers modifiers;
  Guard guard;
  std::uint8_t num_dst = 0;
  std::uint8_t num_src = 0;
  std::array<Operand, kMaxDestinations> dst;
  std::array<Operand, kMaxSources> src;
  MemoryAccess memory;
  BarrierKind barrier = BarrierKind::none;
  TextureAccess texture;
  MatrixShape matrix;
  std::int32_t target = kNoTarget;
  /// Reconvergence point of a branch that can diverge: index of its immediate post-dominator; kNoTarget if
  /// the paths meet only at exit.
  std::int32_t reconvergence = kNoTarget;
  /// True for bra.uni and similar branches: the program guarantees that all lanes take the same side.
  bool uniform = false;
  /// True: a compiler pass has added the instruction (spill, fill, move). Such instructions are counted
  /// separately as overhead.
  bool overhead = false;
  /// True: the instruction is fetched and decoded but never issued. Front-end stages read the payload.
  bool metadata = false;
  /// True: after this instruction, the upper levels of the register hierarchy hold no valid value of the
  /// warp.
  bool ends_strand = false;
  /// True: after this instruction, the warp waits for its outstanding long-latency results. Set only together
  /// with ends_strand.
  bool strand_waits = false;
  /// True: first instruction of a strand, a piece of code within which upper levels of the register hierarchy
  /// pass values.
  bool begins_strand = false;
  ControlBits control;
  /// Marks this instruction as a strand of its own.
  void stand_alone() { ends_strand = begins_strand = true; }
  /// Extra data of the instruction. Metadata: the encoded word. Trap: 0, or 1 + index of the failed call in
  /// Program::runtime_calls. cp.async: the offset of the shared address.
  std::uint64_t payload = 0;
  SourceLocation location;
  NoteSet notes = 0;  ///< Number of a set of notes (data of compiler passes, notes.h).
  LaneFunction lane_function = nullptr;

  std::span<const Operand> sources() const { return {src.data(), num_src}; }
  std::span<const Operand> destinations() const { return {dst.data(), num_dst}; }
  std::span<Operand> sources() { return {src.data(), num_src}; }
  std::span<Operand> destinations() { return {dst.data(), num_dst}; }
  void add_dst(const Operand& o) { dst[num_dst++] = o; }
  void add_src(const Operand& o) { src[num_src++] = o; }

  bool is_branch() const { return op == Opcode::bra; }
  bool is_memory() const { return unit == UnitClass::ldst && op != Opcode::membar; }
};

/// Returns true for metadata (such as register releases), and if a compiler pass has marked the instruction
/// with a last use, a read from an upper level of the register hierarchy, or the end of a strand. After such
/// an instruction, values of registers may be lost.
inline bool ends_values(const Instruction& i) {
  return i.metadata || i.ends_strand ||
         std::any_of(i.sources().begin(), i.sources().end(), [](const Operand& o) {
           return o.annotation.last_use || o.annotation.read_level != kMainLevel;
         });
}

/// Returns true if the instruction executes in a unit that all SP clusters share: memory or special functions
/// (Gebhart 2012, 4.4).
inline bool is_shared_unit(const Instruction& i) {
  return i.unit == UnitClass::ldst || i.unit == UnitClass::sfu;
}

/// Returns true for long-latency instructions, after which a two-level scheduler may take the warp's active
/// slot away: accesses to textures and to global, local or generic memory, which may miss in a cache (Gebhart
/// 2012, section 3); tests of mbarriers; mbarrier arrivals that wait for copies. Accesses to shared memory,
/// special functions and division count as short.
inline bool has_long_latency(const Instruction& i) {
  if (i.modifiers.atomic >= AtomicOp::mb_test) return true;
  return i.unit == UnitClass::ldst && i.memory.space != Space::shared && i.memory.space != Space::constant &&
         i.memory.space != Space::param;
}

/// Sets the fields `unit` and `op_class` from the opcode and the data type.
void classify(Instruction& instruction);
/// Returns the operation's subclass (OpTiming) within its latency class. Subclasses matter for GPUs on
/// which the operations of one latency class have different latencies.
OpTiming timing_of(const Instruction& instruction);

/// Returns the instruction as text in the style of PTX, for example "@!p1 add.s32 r4, r2, 7". Registers are
/// printed as r<N>, pairs as rd<N>, predicates as p<N>.
std::string to_string(const Instruction& instruction);

}  // namespace heddle::isa
