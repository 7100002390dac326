#pragma once

// State of the execution units of one class, which schedulers and issue constraints may use.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

/// Set of execution units of one class (such as SP clusters or SFUs); bit i stands for unit i.
using UnitSet = std::uint32_t;

struct UnitView {
  UnitSet all = 0;
  /// Units that accept instructions in this cycle. A unit that accepts only instructions with few lanes is included.
  UnitSet takes = 0;
  UnitSet off = 0;  ///< units that have no power and are not being woken
  /// For each unit: the lanes that accept instructions. nullptr if units accept instructions only with all
  /// lanes.
  const LaneMask* lanes = nullptr;

  /// Returns the units that accept an instruction which needs these lanes.
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

/// States of all unit classes, indexed by isa::UnitClass.
using UnitViews = std::array<UnitView, 5>;

}  // namespace heddle
