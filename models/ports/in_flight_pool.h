#pragma once

// Pool of records of instructions in flight. A record is reused only for instructions with the same layout of
// operand words, so its operand pointers are written only once.

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class InFlightPool {
 public:
  void begin(std::span<const InstructionFootprint> footprints);
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
  std::size_t outstanding() const { return out_; }

 private:
  InFlight* grow(std::uint32_t pc);

  std::span<const InstructionFootprint> footprints_;
  std::deque<InFlight> all_;
  std::vector<std::unique_ptr<LaneVec[]>> words_;
  /// Free records of each layout, the record that was freed last at the end.
  std::deque<GrowingArray<InFlight*>> free_;
  std::map<std::uint64_t, GrowingArray<InFlight*>*> free_by_shape_;
  std::vector<GrowingArray<InFlight*>*> by_pc_;
  std::size_t out_ = 0;
};

}  // namespace heddle
