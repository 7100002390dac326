#pragma once

// Execution units of one class as schedulers and issue constraints see them.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

/// Bit i = unit i of a class (SP cluster, SFU).
using UnitSet = std::uint32_t;

struct UnitView {
  UnitSet all = 0;
  /// Instructions can issue to them, those that need few lanes at least.
  UnitSet takes = 0;
  UnitSet off = 0;  ///< nothing of them has power, nor gets it now
  /// By unit: lanes that take instructions, where units take them by lanes; nullptr: as a whole.
  const LaneMask* lanes = nullptr;

  /// Units that take an instruction that needs these lanes.
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

/// By isa::UnitClass.
using UnitViews = std::array<UnitView, 5>;

}  // namespace heddle
