#pragma once

// Kinds of operand collectors. With separate sets of collectors for each kind, an instruction allocates a
// collector of the kind that its unit class selects.

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

/// Free operand collectors of a partition, counted by the issue stage. A single set serves all kinds.
class FreeCollectors {
 public:
  FreeCollectors() = default;
  /// `collectors`: one number for a shared set, or one number for each kind.
  explicit FreeCollectors(const std::vector<int>& collectors) : by_kind_(collectors.size() > 1) {
    for (std::size_t k = 0; k < collectors.size(); ++k) free_[k] = collectors[k];
  }

  bool by_kind() const { return by_kind_; }
  /// Returns the number of free collectors for instructions of this class. Not for control instructions,
  /// which need no collector.
  int of(UnitClass unit) const { return free_[set_of(unit)]; }
  void take(UnitClass unit) { --free_[set_of(unit)]; }
  void give_back(UnitClass unit) { ++free_[set_of(unit)]; }
  /// Returns the number of free collectors in the set that has fewest.
  int fewest() const { return by_kind_ ? *std::min_element(free_.begin(), free_.end()) : free_[0]; }
  /// Returns a copy with at most `most` free collectors in each set.
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
