#pragma once

// State of the execution units of one class, for schedulers and issue constraints.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

/// Bit i stands for unit i of a class (SP cluster, SFU).
using UnitSet = std::uint32_t;

struct UnitView {
  UnitSet all = 0;
  /// Units that accept instructions, at least those that need few lanes.
  UnitSet takes = 0;
  UnitSet off = 0;  ///< units without power that are not being woken
  /// By unit: lanes that accept instructions. nullptr if units accept instructions only as a whole.
  const LaneMask* lanes = nullptr;

  /// Units that accept an instruction that needs these lanes.
  UnitSet able(LaneMask needed) const {
    if (!lanes) return takes;
    UnitSet able = 0;
    for (UnitSet rest = takes; rest; rest &= rest - 1) {
      const int unit = std::countr_zero(rest);
      if (!(needed & ~lanes[unit])) able |= UnitSet{1} << unit;
    }
    return able;
  }
};

/// Indexed by isa::UnitClass.
using UnitViews = std::array<UnitView, 5>;

}  // namespace heddle
