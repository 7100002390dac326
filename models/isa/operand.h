#pragma once

// Operands and what compiler passes attach to them.

#include <cstdint>

#include "models/core/ids.h"
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
const char* name_of(SpecialRegister s);  ///< "%tid.x"
bool tells_time(SpecialRegister s);  ///< %clock, %globaltimer and their halves: another value at every read

/// Levels of a register hierarchy, as annotations number them (Gebhart 2012, Fig. 6): bit n of a level set is
/// level n.
inline constexpr std::uint8_t kMainLevel = 0;  ///< whatever stands below the operand file: caches, banks
inline constexpr std::uint8_t kOperandLevel =
    1;  ///< operand file of n entries a warp (Gebhart 2012: ORF, L1; Bailey 2018: scratchpad)
inline constexpr std::uint8_t kLastResultLevel =
    2;  ///< one entry a warp, or one an operand slot (Gebhart 2012: LRF, L0)
constexpr std::uint8_t level_bit(std::uint8_t level) { return static_cast<std::uint8_t>(1u << level); }

/// Facts that a pass attaches to one operand slot. Passes only ever add; hardware that does not know an
/// annotation ignores it. A 64-bit operand has one annotation for both words; its words take the entries
/// `entry` and `entry + 1` of the operand level.
struct OperandAnnotation {
  bool last_use = false;      ///< source: the warp never reads this value again
  bool dead = false;          ///< destination: never read
  bool long_latency = false;  ///< destination: produced by a long-latency operation
  /// Destination: a memory or special-function unit may read it (Gebhart 2012, 4.7).
  bool shared_use = false;
  std::uint8_t read_level = kMainLevel;  ///< source: the level to read from
  /// Destination: levels that the result is written to; 0 means level_bit(kMainLevel). Source with read_level
  /// kMainLevel: upper levels that the value read is also written to, for later readers (Gebhart 2012, 5.4).
  std::uint8_t write_levels = 0;
  std::uint8_t entry = 0;  ///< entry of the operand level, for reading or for writing
  std::uint8_t slot =
      0;  ///< last-result level, where it is split: the entry of operand slot A (0), B (1), C (2)
  bool operator==(const OperandAnnotation&) const = default;
};

/// One operand. Registers are numbered in 32-bit words: a 64-bit operand is the pair {reg, reg + 1}, low word
/// first, in virtual programs as well as in allocated ones (where reg is even).
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,        ///< general register(s)
    pred,       ///< predicate register
    immediate,  ///< `bits` low bits of `value`
    special,    ///< special register
    param,      ///< kernel parameter block, byte offset in `value` (made by the compiler from ld.param)
  };
  Kind kind = Kind::none;
  std::uint8_t bits =
      32;  ///< width of the datum: 1, 8, 16, 32 or 64; a narrow datum sits zero-extended in its word
  bool negated = false;  ///< predicate source
  SpecialRegister special = SpecialRegister::tid_x;
  std::uint8_t index = 0;  ///< %envreg<index>
  RegId reg{};
  PredId pred{};
  std::uint64_t value = 0;
  OperandAnnotation annotation{};

  int words() const { return kind == Kind::reg ? (bits == 64 ? 2 : 1) : 0; }
  bool is_reg() const { return kind == Kind::reg; }
  bool is_pred() const { return kind == Kind::pred; }

  static Operand make_reg(RegId r, int bits) {
    Operand o;
    o.kind = Kind::reg;
    o.reg = r;
    o.bits = static_cast<std::uint8_t>(bits);
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
    o.bits = static_cast<std::uint8_t>(bits);
    return o;
  }
  static Operand make_special(SpecialRegister s, int bits) {
    Operand o;
    o.kind = Kind::special;
    o.special = s;
    o.bits = static_cast<std::uint8_t>(bits);
    return o;
  }
  static Operand make_param(std::uint64_t offset, int bits) {
    Operand o;
    o.kind = Kind::param;
    o.value = offset;
    o.bits = static_cast<std::uint8_t>(bits);
    return o;
  }
};

}  // namespace heddle::isa
