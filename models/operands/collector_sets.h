#pragma once

// Free lists of the operand collectors: one set of collectors for all instructions, or one set for the
// instructions of each isa::CollectorKind.

#include <array>
#include <utility>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/stats.h"
#include "models/core/unit_view.h"
#include "models/isa/collector_kind.h"
#include "models/ports/in_flight.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

class CollectorSets {
 public:
  static constexpr std::uint16_t kNone = 0xffff;

  CollectorSets(const RegisterFileParameters& parameters, const StatsScope& stats);

  const std::vector<int>& places() const { return places_; }
  std::uint64_t occupied() const { return occupied_; }
  std::uint16_t take(const InFlight& item) {
    Set& set = set_for(item);
    if (set.free.empty()) return kNone;
    const std::uint16_t number = set.free.pop_back();
    set.changed |= std::uint64_t{1} << (number & 63);
    ++occupied_;
    return number;
  }
  void give_back(const InFlight& item, std::uint16_t number) {
    Set& set = set_for(item);
    set.changed |= std::uint64_t{1} << (number & 63);
    set.free.push_back(number);
    --occupied_;
  }
  std::uint64_t take_changed() {
    std::uint64_t changed = 0;
    for (Set& set : sets_) changed |= std::exchange(set.changed, 0);
    return changed;
  }
  /// Adds the cycles of occupied collectors to the counter, up to `cycle` but without `cycle` itself.
  void count_to(Cycle cycle) {
    const Cycle elapsed = cycle - counted_to_;
    counted_to_ = cycle;
    occupied_cycles_ += occupied_ * elapsed;
    if (sets_[0].occupied_cycles)
      for (Set& set : sets_) *set.occupied_cycles += (set.size - set.free.size()) * elapsed;
  }

 private:
  struct Set {
    GrowingArray<std::uint16_t> free;
    std::size_t size = 0;
    std::uint64_t changed = ~std::uint64_t{0};
    Counter* occupied_cycles = nullptr;
  };
  Set& set_for(const InFlight& item) { return *set_of_[static_cast<std::size_t>(item.footprint->unit)]; }

  std::vector<int> places_;
  std::array<Set, isa::kCollectorKinds> sets_;
  /// for each unit class: the set of collectors for instructions of this class
  std::array<Set*, kUnitClasses> set_of_{};
  std::uint64_t occupied_ = 0;  ///< number of collectors in use, over all sets
  Cycle counted_to_ = 0;
  Counter& occupied_cycles_;
};

}  // namespace heddle
