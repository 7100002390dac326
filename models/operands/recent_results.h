#pragma once

// Models the bypass of a fixed read window (instructions read their sources in fixed cycles after they leave
// Allocate). The bypass keeps the results of the last cycles. The bypass merges a result into an operand that
// was read from the register file before the result was written there.

#include <deque>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/ports/in_flight.h"

namespace heddle {

class RecentResults {
 public:
  /// Adds the results of a finished instruction. `registers`: false for instructions of variable latency.
  /// Register results of variable latency are not bypassed, so the function adds only the instruction's
  /// predicates.
  void add(Cycle now, const InFlight& item, bool registers) {
    if (registers)
      for (const OperandWord& word : item.footprint->writes_in_order())
        words_.push_back({now, item.warp(), word.reg, item.mask, *item.value(word)});
    if (item.footprint->predicate_writes == 0) return;
    for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot)
      if (const isa::Operand& o = item.instruction->dst[slot]; o.is_pred())
        predicates_.push_back({now, item.warp(), o.pred.value, item.mask, item.operands.pred_dst[slot]});
  }
  /// Deletes results that arrived before `cycle`.
  void forget(Cycle cycle) {
    while (!words_.empty() && words_.front().at < cycle) words_.pop_front();
    while (!predicates_.empty() && predicates_.front().at < cycle) predicates_.pop_front();
  }
  bool empty() const { return words_.empty() && predicates_.empty(); }
  /// Merges the results that arrived after cycle `since` into `values`. On input, `values` is the register's
  /// value that was read in cycle `since`.
  void merge(Cycle since, WarpId warp, std::uint32_t reg, LaneVec& values) const {
    for (const Word& word : words_)
      if (word.at > since && word.warp == warp && word.number == reg)
        merge_lanes(values, word.value, word.mask);
  }
  /// Returns the newest value of a predicate: `value`, which was read in cycle `since`, merged with later
  /// results.
  LaneMask merge(Cycle since, WarpId warp, PredId predicate, LaneMask value) const {
    for (const Predicate& p : predicates_)
      if (p.at > since && p.warp == warp && p.number == predicate.value)
        value = (value & ~p.mask) | (p.value & p.mask);
    return value;
  }

 private:
  template <class Value>
  struct Result {
    Cycle at;
    WarpId warp;
    std::uint32_t number;
    LaneMask mask;
    Value value;
  };
  using Word = Result<LaneVec>;
  using Predicate = Result<LaneMask>;
  std::deque<Word> words_;
  std::deque<Predicate> predicates_;
};

}  // namespace heddle
