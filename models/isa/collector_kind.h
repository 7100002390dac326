#pragma once

// Kinds of operand collectors. A partition has one set of collectors for each kind, or a single set for all
// kinds. The unit class of an instruction determines the kind of its collector.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/isa/opcode.h"

namespace heddle::isa {

enum class CollectorKind : std::uint8_t { sp, sfu, mem };
inline constexpr std::size_t kCollectorKinds = 3;

constexpr CollectorKind collector_kind(UnitClass unit) {
  return unit == UnitClass::sfu    ? CollectorKind::sfu
         : unit == UnitClass::ldst ? CollectorKind::mem
                                   : CollectorKind::sp;
}

/// Numbers of free operand collectors of a partition. The issue stage updates these numbers.
class FreeCollectors {
 public:
  FreeCollectors() = default;
  /// Makes all collectors of a partition free. `collectors`: one number for a single set, or one number for
  /// each kind.
  explicit FreeCollectors(const std::vector<int>& collectors) : by_kind_(collectors.size() > 1) {
    for (std::size_t k = 0; k < collectors.size(); ++k) free_[k] = collectors[k];
  }

  bool by_kind() const { return by_kind_; }
  /// Number of free collectors for instructions of this class. Must not be called for control instructions.
  int of(UnitClass unit) const { return free_[set_of(unit)]; }
  void take(UnitClass unit) { --free_[set_of(unit)]; }
  void give_back(UnitClass unit) { ++free_[set_of(unit)]; }
  int fewest() const { return by_kind_ ? *std::min_element(free_.begin(), free_.end()) : free_[0]; }
  FreeCollectors at_most(int most) const {
    FreeCollectors capped = *this;
    capped.free_[0] = std::min(free_[0], most);
    for (std::size_t set = 1; set < sets(); ++set) capped.free_[set] = std::min(free_[set], most);
    return capped;
  }
  bool operator==(const FreeCollectors& other) const {
    if (free_[0] != other.free_[0] || by_kind_ != other.by_kind_) return false;
    return !by_kind_ || free_ == other.free_;
  }
  bool same_set(UnitClass a, UnitClass b) const { return set_of(a) == set_of(b); }

 private:
  std::size_t sets() const { return by_kind_ ? kCollectorKinds : 1; }
  std::size_t set_of(UnitClass unit) const {
    return by_kind_ ? static_cast<std::size_t>(collector_kind(unit)) : 0;
  }
  bool by_kind_ = false;
  std::array<int, kCollectorKinds> free_{};
};

}  // namespace heddle::isa
