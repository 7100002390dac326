#pragma once

// Operands of instructions, and the annotations that compiler passes attach to operands.

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
const char* name_of(SpecialRegister s);  ///< for example "%tid.x"
/// True for %clock, %globaltimer and their halves, whose value changes with every read.
bool is_clock(SpecialRegister s);

/// Levels of a register hierarchy (Gebhart 2012, Fig. 6), as annotations number them. Bit n of a set of
/// levels stands for level n.
inline constexpr std::uint8_t kMainLevel = 0;  ///< all storage below the operand file: caches and banks
/// Operand file of n entries per warp (Gebhart 2012: ORF, L1; Bailey 2018: scratchpad)
inline constexpr std::uint8_t kOperandLevel = 1;
/// One entry per warp, or one per operand slot (Gebhart 2012: LRF, L0)
inline constexpr std::uint8_t kLastResultLevel = 2;
constexpr std::uint8_t level_bit(std::uint8_t level) { return static_cast<std::uint8_t>(1u << level); }

/// Facts that compiler passes attach to one operand slot. Passes only add facts, and hardware ignores
/// annotations that it does not use. A 64-bit operand has one annotation for both words; its words use the
/// entries that operand_entry() gives.
struct OperandAnnotation {
  bool last_use = false;      ///< source: the warp does not read this value again
  bool dead = false;          ///< destination: the value is never read
  bool long_latency = false;  ///< destination: a long-latency operation produces the value
  /// Destination: a memory or special-function unit may read the value (Gebhart 2012, 4.7).
  bool shared_use = false;
  std::uint8_t read_level = kMainLevel;  ///< source: level to read from
  /// Destination: levels to which the result is written; 0 means level_bit(kMainLevel). Source with
  /// read_level kMainLevel: upper levels to which the value is also written, for later readers (Gebhart 2012,
  /// 5.4).
  std::uint8_t write_levels = 0;
  std::uint8_t entry = 0;  ///< entry of the operand level, read or written
  std::uint8_t slot = 0;   ///< split last-result level: entry of operand slot A (0), B (1) or C (2)
  bool operator==(const OperandAnnotation&) const = default;
};

/// One operand. Registers are numbered in 32-bit words. A 64-bit operand is the pair {reg, reg + 1}, low word
/// first, before and after register allocation; allocated pairs begin at an even register.
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,        ///< general register(s)
    pred,       ///< predicate register
    immediate,  ///< `bits` low bits of `value`
    special,    ///< special register
    /// Kernel parameter; `value` is its byte offset in the parameter block (the compiler replaces ld.param)
    param,
  };
  Kind kind = Kind::none;
  /// Width of the datum: 1, 8, 16, 32 or 64 bits; a narrow datum is zero-extended in its word.
  std::uint8_t bits = 32;
  bool negated = false;  ///< negated predicate source
  SpecialRegister special = SpecialRegister::tid_x;
  std::uint8_t index = 0;  ///< n of %envreg<n>
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
