#pragma once

// Operands of instructions, and the annotations that compiler passes attach to them.

#include <cstdint>

#include "models/core/ids.h"
#include "models/isa/notes.h"
#include "models/isa/types.h"

namespace heddle::isa {

enum class SpecialRegister : std::uint8_t {
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
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  envreg,
  dynamic_smem_size,
  total_smem_size
};
const char* name_of(SpecialRegister s);
/// Returns true for the clock registers %clock, %globaltimer and their halves, whose value changes with time.
bool is_clock(SpecialRegister s);

/// Levels of a register hierarchy (Gebhart 2012, Fig. 6). Bit n of a set of levels stands for level n.
inline constexpr std::uint8_t kMainLevel = 0;
/// Operand level: several entries per warp (ORF or L1 in Gebhart 2012, scratchpad in Bailey 2018).
inline constexpr std::uint8_t kOperandLevel = 1;
/// Last-result level: one entry per warp, or one per operand slot (LRF or L0 in Gebhart 2012).
inline constexpr std::uint8_t kLastResultLevel = 2;
constexpr std::uint8_t level_bit(std::uint8_t level) { return static_cast<std::uint8_t>(1u << level); }

/// Facts about one operand that compiler passes have found. Hardware may ignore them. A 64-bit operand has
/// one annotation for both words.
struct OperandAnnotation {
  bool last_use = false;      ///< Source: this is the warp's last read of the value.
  bool dead = false;          ///< Destination: the warp never reads the value.
  bool long_latency = false;  ///< Destination: a long-latency operation produces the value.
  /// Destination: a memory or special-function unit may read the value later (Gebhart 2012, 4.7).
  bool shared_use = false;
  /// Source: level of the register hierarchy from which the value is read.
  std::uint8_t read_level = kMainLevel;
  /// Bit mask of levels of the register hierarchy. Destination: the levels to which the result is written; 0
  /// means the main register file only. Source: the upper levels that keep a copy of a value read from the
  /// main register file (Gebhart 2012, 5.4).
  std::uint8_t write_levels = 0;
  std::uint8_t entry = 0;  ///< entry that the operand reads or writes in the operand level
  /// Split last-result level: entry (0, 1 or 2 for operand slot A, B or C). Operand level: the second word of
  /// a 64-bit operand lies in entry `entry` + 1 + `slot`.
  std::uint8_t slot = 0;
  /// Source: the read leaves the value in the reuse cache of the operand stage (Huerta 2025, section 5.3).
  bool reuse = false;
  /// Returns true if the result (of a destination) is written to the main register file, alone or in addition
  /// to upper levels.
  bool writes_main_level() const { return write_levels == 0 || (write_levels & level_bit(kMainLevel)) != 0; }
  bool operator==(const OperandAnnotation&) const = default;
};

/// One operand of an instruction. Registers are numbered in 32-bit words. A 64-bit operand is the pair of words
/// {reg, reg + 1}, low word first. Operands of matrix instructions are groups of 1, 2, 4 or 8 words. After
/// register allocation, a group begins at a multiple of its number of words.
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,
    pred,
    immediate,  ///< Constant: the low `bits` bits of `value`.
    special,
    /// Kernel parameter. `value` is its byte offset in the parameter block.
    param,
  };
  Kind kind = Kind::none;
  bool negated = false;
  /// Width of the operand's data: 1, 8, 16, 32 or 64 bits, or 128 or 256 bits for a group of 4 or 8 words. Data
  /// of less than 32 bits is zero-extended in its word.
  std::uint16_t bits = 32;
  SpecialRegister special = SpecialRegister::tid_x;
  std::uint8_t index = 0;  ///< Number n of the special register %envreg<n>.
  NoteSet notes = 0;
  RegId reg{};
  PredId pred{};
  std::uint64_t value = 0;
  OperandAnnotation annotation{};

  int words() const { return kind == Kind::reg ? (bits <= 32 ? 1 : bits / 32) : 0; }
  bool is_reg() const { return kind == Kind::reg; }
  bool is_pred() const { return kind == Kind::pred; }

  static Operand make_reg(RegId r, int bits) {
    Operand o;
    o.kind = Kind::reg;
    o.reg = r;
    o.bits = static_cast<std::uint16_t>(bits);
    return o;
  }
  static Operand make_pred(PredId p, bool negated = false) {
    Operand o;
    o.kind = Kind::pred;
    o.pred = p;
    o.bits = 1;
    o.negated = negated;
    return o;
  }
  static Operand make_immediate(std::uint64_t value, int bits) {
    Operand o;
    o.kind = Kind::immediate;
    o.value = value;
    o.bits = static_cast<std::uint16_t>(bits);
    return o;
  }
  static Operand make_special(SpecialRegister s, int bits) {
    Operand o;
    o.kind = Kind::special;
    o.special = s;
    o.bits = static_cast<std::uint16_t>(bits);
    return o;
  }
  static Operand make_param(std::uint64_t offset, int bits) {
    Operand o;
    o.kind = Kind::param;
    o.value = offset;
    o.bits = static_cast<std::uint16_t>(bits);
    return o;
  }
};

}  // namespace heddle::isa
