#pragma once

// State of the execution units of one class, for schedulers and issue constraints.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

/// Set of execution units of one class (such as SP clusters or SFUs). Bit i stands for unit i.
using UnitSet = std::uint32_t;

struct UnitView {
  UnitSet all = 0;
  /// Units that accept instructions in this cycle, with all lanes or only with some.
  UnitSet takes = 0;
  UnitSet off = 0;
  /// For each unit: the lanes that accept instructions. nullptr if each unit accepts instructions with all
  /// lanes or with none.
  const LaneMask* lanes = nullptr;

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

/// Number of classes of execution units (isa::UnitClass).
inline constexpr std::size_t kUnitClasses = 6;

using UnitViews = std::array<UnitView, kUnitClasses>;

}  // namespace heddle
