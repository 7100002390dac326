#pragma once

// Kinds of operand collectors. If a partition has separate sets of collectors for each kind, the unit class
// of an instruction selects the set from which the instruction allocates a collector.

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

/// Numbers of free operand collectors of a partition, which the issue stage maintains. There is either one
/// set for each kind of collector, or a single set for all instructions.
class FreeCollectors {
 public:
  FreeCollectors() = default;
  /// `collectors`: number of collectors in the single set, or one number for each kind.
  explicit FreeCollectors(const std::vector<int>& collectors) : by_kind_(collectors.size() > 1) {
    for (std::size_t k = 0; k < collectors.size(); ++k) free_[k] = collectors[k];
  }

  bool by_kind() const { return by_kind_; }
  /// Returns the number of free collectors for instructions of this class. Must not be called for control
  /// instructions, which need no collector.
  int of(UnitClass unit) const { return free_[set_of(unit)]; }
  void take(UnitClass unit) { --free_[set_of(unit)]; }
  void give_back(UnitClass unit) { ++free_[set_of(unit)]; }
  /// Returns the number of free collectors in the set that has the fewest.
  int fewest() const { return by_kind_ ? *std::min_element(free_.begin(), free_.end()) : free_[0]; }
  /// Returns a copy in which each set has at most `most` free collectors.
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
