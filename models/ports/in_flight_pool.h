#pragma once

// Pool of instruction records. Each record belongs permanently to one shape (InstructionFootprint::shape),
// because its operand pointers are written once.

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class InFlightPool {
 public:
  /// Starts a kernel with these instructions, by pc.
  void begin(std::span<const InstructionFootprint> footprints);
  /// Returns a record for the instruction at `pc`.
  InFlight* take(std::uint32_t pc) {
    ++out_;
    GrowingArray<InFlight*>& free = *by_pc_[pc];
    if (free.empty()) return grow(pc);
    return free.pop_back();
  }
  void give_back(InFlight* item) {
    --out_;
    item->pool->push_back(item);
  }
  /// Records in use: instructions that have issued and not completed.
  std::size_t outstanding() const { return out_; }

 private:
  InFlight* grow(std::uint32_t pc);

  std::span<const InstructionFootprint> footprints_;
  std::deque<InFlight> all_;
  std::vector<std::unique_ptr<LaneVec[]>> words_;          ///< operand words of each record
  std::map<std::uint64_t, GrowingArray<InFlight*>> free_;  ///< by shape
  std::vector<GrowingArray<InFlight*>*> by_pc_;
  std::size_t out_ = 0;
};

}  // namespace heddle
