#pragma once

// One machine instruction. The same form serves the program as parsed (virtual registers) and as compiled
// (architected registers).
//
// clang-format off
// Operand order, by opcode (dst; src):
//   most            d; a, b, c in PTX order. `.cc` adds a predicate destination last, carry-in a predicate source last
//   setp            p [, q]; a, b [, c predicate of the combined boolean]   of a pair: p of the first values, q of the second
//   cvt             d; a. To a pair: d; a (the second value), b (the first)
//   set, selp, slct d; a, b, c
//   bfi             d; a, b, position, length                    lop3   d [, p]; a, b, c [, q]  (bool_op: p = d != 0 op q)
//   shfl            d [, p]; a, b, c [, member mask]
//   vote            d (or p); predicate [, member mask]          match  d [, p]; a, member mask
//   activemask      d;                                           redux  d; a, member mask (operation in `atomic`)
//   pack            d; parts, low first                          unpack parts, low first; a
//   testp, isspacep p; a (isspacep: space in `memory.space`)
//   ld              d0..d3; address                              st      ; address, a0..a3
//   atom            d; address, b [, c]  (cas: b = compare, c = swap)    red  ; address, b [, c]
//   bra             no operands: guard, target; conditional if guarded
//   bar             [p or d]; barrier number, thread count (immediate 0 = all) [, predicate]; see `barrier`
//   nanosleep       ; a
//   tex             d0..d3; texture [, sampler], [layer,] x [, y [, z]] (coordinates of source_type); see `texture`
//
// Types, where PTX writes more than one (else source_type = type):
//   cvt, set        type = destination, source_type = source     slct      type = a, b, d; source_type = c
//   dp4a, dp2a      type = a, source_type = b                    vabsdiff4 type = d, source_type = a and b
//   mul, mad .wide  type = the narrow sources                    popc, clz, bfind   type = a (d is 32 bits)
//   pack, unpack    type = the whole (b16, b32, b64)             match     type = a
//   vote            pred, or b32 for ballot                      shl, shr  type = a (the amount is 32 bits)
// clang-format on

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/ids.h"
#include "models/core/lanes.h"
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
  std::uint8_t element_bytes = 4;  ///< of one vector element
  std::uint8_t elements = 1;       ///< 1, 2 or 4
  CacheOp cache = CacheOp::none;
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;
  bool non_coherent = false;  ///< ld.global.nc, ldu
  std::int64_t offset = 0;    ///< byte offset added to the address operand
};

/// Shape of the texture that a `tex` reads.
struct TextureAccess {
  TextureShape shape = TextureShape::none;
  std::uint8_t gather = 0;   ///< tld4: the component of four texels, 1 = r .. 4 = a; 0: tex
  bool own_sampler = false;  ///< the second source names the sampler; else it is the texture's own
};

struct SourceLocation {
  std::uint32_t ptx_line = 0;
  std::uint32_t ptx_column = 0;
  std::uint32_t file = 0;  ///< index into Program::files (from .file), 0 = none
  std::uint32_t line = 0;  ///< source line from .loc, 0 = none
};

struct LaneOperands;
struct Instruction;
using LaneFunction = void (*)(const Instruction&, LaneOperands&);

struct Instruction {
  Opcode op = Opcode::nop;
  UnitClass unit = UnitClass::control;
  OpClass op_class = OpClass::control;
  DataType type = DataType::none;         ///< the operation's type; destination type of cvt and set
  DataType source_type = DataType::none;  ///< source type of cvt and set; else equal to `type`
  Modifiers modifiers;
  Guard guard;
  std::uint8_t num_dst = 0;
  std::uint8_t num_src = 0;
  std::array<Operand, kMaxDestinations> dst;
  std::array<Operand, kMaxSources> src;
  MemoryAccess memory;
  BarrierKind barrier = BarrierKind::none;
  TextureAccess texture;
  std::int32_t target = kNoTarget;  ///< bra: index of the target instruction
  std::int32_t reconvergence =
      kNoTarget;               ///< bra that can diverge: immediate post-dominator; kNoTarget = at exit
  bool uniform = false;        ///< bra.uni and the like: the program promises no divergence
  bool overhead = false;       ///< added by a pass (spill, fill, move): counted apart
  bool metadata = false;       ///< fetched and decoded, never issued: it speaks to front-end stages
  bool ends_strand = false;    ///< the warp's upper register levels hold nothing valid after this instruction
  bool strand_waits = false;   ///< with ends_strand: after it the warp waits for all its long-latency results
  bool begins_strand = false;  ///< first of a strand, as passes and listings see it; hardware needs it not
  /// A strand of its own.
  void stand_alone() { ends_strand = begins_strand = true; }
  std::uint64_t payload = 0;  ///< metadata: what it says; trap: 0, or the call of Program::runtime_calls + 1
  SourceLocation location;
  LaneFunction lane_function =
      nullptr;  ///< set by bind_lane_function() for everything but memory and control

  std::span<const Operand> sources() const { return {src.data(), num_src}; }
  std::span<const Operand> destinations() const { return {dst.data(), num_dst}; }
  std::span<Operand> sources() { return {src.data(), num_src}; }
  std::span<Operand> destinations() { return {dst.data(), num_dst}; }
  void add_dst(const Operand& o) { dst[num_dst++] = o; }
  void add_src(const Operand& o) { src[num_src++] = o; }

  bool is_branch() const { return op == Opcode::bra; }
  bool is_memory() const { return unit == UnitClass::ldst && op != Opcode::membar; }
};

/// Executes in a unit that the SM's clusters share: memory and special functions (Gebhart 2012, 4.4). The
/// others are the private datapath.
inline bool is_shared_unit(const Instruction& i) {
  return i.unit == UnitClass::ldst || i.unit == UnitClass::sfu;
}

/// Goes to global, local or generic memory or to a texture, where a cache may miss: Gebhart 2012, section 3,
/// counts texture operations and global memory as long latencies. Shared memory and every computation,
/// special functions and division included, are short.
inline bool has_long_latency(const Instruction& i) {
  return i.unit == UnitClass::ldst && i.memory.space != Space::shared && i.memory.space != Space::constant &&
         i.memory.space != Space::param;
}

/// Sets `unit` and `op_class` from opcode and type.
void classify(Instruction& instruction);

/// PTX-like text: "@!p1 add.s32 r4, r2, 7". Registers are printed r<N>, pairs rd<N>, predicates p<N>.
std::string to_string(const Instruction& instruction);

}  // namespace heddle::isa
