#pragma once

// Moves the registers of one resident warp to the rows of a new swapping table. Two rows are exchanged at a
// time: both values are read, then each is written to the other row. Meanwhile both rows hold poison.

#include <algorithm>
#include <array>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/core/stats.h"
#include "models/ports/register_stage.h"
#include "models/stages/swapping_table.h"

namespace heddle {

class RowMoves {
 public:
  RowMoves(const RegisterStage& stage, const StatsScope& stats);

  bool any() const { return moving_; }
  bool of(WarpId warp) const { return moving_ && warp_ == warp; }
  WarpId warp() const { return warp_; }
  /// Starts to move the registers of the warp from the rows that table `old` gives to the rows that `table`
  /// gives. `old` nullptr: each register lies in the row with its number.
  void begin(WarpId warp, const SwappingTable* old, const SwappingTable& table);
  void cancel();
  /// Runs one cycle. `offer(access)`: sends an access to the stage below and returns its RegisterAnswer.
  /// Returns true when all values have been moved or dropped.
  template <class Offer>
  bool step(Cycle now, Offer&& offer);
  bool cancelled() const { return cancelled_; }
  void answered(Cycle now, const RegisterAccess& access);

  /// Sets access.row to the present row of the register. While the register's value is on its way between two
  /// rows, returns the value, otherwise nullptr.
  LaneVec* find(RegisterAccess& access);

  std::uint64_t read() const { return reads_.value(); }
  std::uint64_t written() const { return done_.value(); }
  std::uint64_t dropped() const { return dropped_.value(); }

 private:
  struct Move {
    RegisterAccess access;
    LaneVec values;
    bool offered = false;
    bool held = false;  ///< true: the value is only in `values`, not in a row
    /// true: the register has no entry in the banks, so there is no value to move
    bool nothing = false;
    CycleFlag answered;
  };

  void start_pair();
  void write_pair();
  void finish_pair();
  template <class Offer>
  bool step(Cycle now, Move& move, Offer& offer);

  const RegisterStage* stage_;
  WarpId warp_{};
  bool moving_ = false, cancelled_ = false;
  bool writing_ = false;
  std::vector<RegisterSwap> pairs_;
  std::uint8_t pair_[2] = {};
  Move moves_[2];
  std::array<std::uint8_t, 256> row_now_{};
  Counter &reads_, &done_, &dropped_;
};

template <class Offer>
bool RowMoves::step(Cycle now, Offer&& offer) {
  if (cancelled_ || pairs_.empty()) {
    const auto under_way = [now](const Move& move) { return move.offered && !move.answered.seen(now); };
    if (!pairs_.empty() && (under_way(moves_[0]) || under_way(moves_[1]))) return false;
    finish_pair();
    moving_ = false;
    return true;
  }
  const bool first = step(now, moves_[0], offer), second = step(now, moves_[1], offer);
  if (!first || !second) return false;
  if (!writing_) {
    write_pair();
    return false;
  }
  for (std::uint8_t& row : row_now_)
    if (row == pair_[0] || row == pair_[1]) row = row == pair_[0] ? pair_[1] : pair_[0];
  pairs_.pop_back();
  start_pair();
  return false;
}

template <class Offer>
bool RowMoves::step(Cycle now, Move& move, Offer& offer) {
  if (writing_ && move.nothing) return true;
  if (move.offered) return move.answered.seen(now) && move.access.data_at < now;
  const RegisterAnswer answer = offer(move.access);
  if (answer == RegisterAnswer::refused) return false;
  move.offered = true;
  ++(writing_ ? done_ : reads_);
  if (writing_) move.held = false;
  if (answer == RegisterAnswer::answered) answered(now, move.access);
  return false;
}

}  // namespace heddle
