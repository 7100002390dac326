#include "models/stages/row_moves.h"

namespace heddle {

RowMoves::RowMoves(const RegisterStage& stage, const StatsScope& stats)
    : stage_(&stage),
      reads_(stats.add("swap_reads", "accesses", "values read from their rows to be moved")),
      done_(stats.add("swap_moves", "accesses", "values written to another row")),
      dropped_(stats.add(
          "dropped_moves", "accesses",
          "values that were not written again, because their warps ended meanwhile or they had no entry")) {}

// Lists the pairs of rows to exchange and starts with the first pair. The list first reverses the swaps of
// the warp's old table, if there is one, then applies the swaps of the new table.
void RowMoves::begin(WarpId warp, const SwappingTable* old, const SwappingTable& table) {
  warp_ = warp;
  moving_ = true;
  cancelled_ = false;
  pairs_.clear();
  if (old) pairs_.assign(old->swaps().rbegin(), old->swaps().rend());
  pairs_.insert(pairs_.end(), table.swaps().begin(), table.swaps().end());
  std::reverse(pairs_.begin(), pairs_.end());
  for (std::uint32_t home = 0; home < row_now_.size(); ++home)
    row_now_[home] = static_cast<std::uint8_t>(old ? old->row_of(RegId(home)).value : home);
  start_pair();
}

// Cancels the move. Its reads may still be on their way to the banks, which fill a row with poison after a
// read with `takes`. Clears `takes`, because another warp may own the row when the banks serve the read.
void RowMoves::cancel() {
  cancelled_ = true;
  for (Move& move : moves_) move.access.takes = false;
}

void RowMoves::start_pair() {
  writing_ = false;
  if (pairs_.empty()) return;
  pair_[0] = pairs_.back().slow;
  pair_[1] = pairs_.back().fast;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto home = std::find(row_now_.begin(), row_now_.end(), pair_[i]) - row_now_.begin();
    Move& move = moves_[i];
    move.access = {};
    move.access.set_register(warp_, RegId(static_cast<std::uint32_t>(home)));
    move.access.row = RegId(pair_[i]);
    move.access.takes = true;
    move.access.values = &move.values;
    move.access.source = RegisterAccess::kResultBus;
    move.access.stage = stage_;
    move.access.owner = &move;
    move.offered = move.held = move.nothing = false;
    move.answered.lower();
  }
}

void RowMoves::write_pair() {
  writing_ = true;
  for (std::size_t i = 0; i < 2; ++i) {
    Move& move = moves_[i];
    move.access.command = RegisterCommand::write;
    move.access.takes = false;
    move.access.earliest_service = move.access.data_at = 0;
    move.access.row = RegId(pair_[1 - i]);
    move.offered = false;
    move.answered.lower();
  }
}

// Ends the move of a pair of rows. Values that were read but not written to their new row count as dropped.
void RowMoves::finish_pair() {
  if (pairs_.empty()) return;
  for (Move& move : moves_) {
    const bool taken = writing_ || move.offered, written = writing_ && move.offered;
    if (taken && !written && !move.nothing) ++dropped_;
    move.held = false;
  }
  pairs_.clear();
}

void RowMoves::answered(Cycle now, const RegisterAccess& access) {
  Move& move = *static_cast<Move*>(access.owner);
  move.answered.raise(now);
  if (writing_) return;
  move.held = access.takes;
  move.nothing = !access.takes;
  if (move.nothing) ++dropped_;
}

LaneVec* RowMoves::find(RegisterAccess& access) {
  const std::uint8_t row = row_now_[access.home.value];
  access.row = RegId(row);
  for (std::size_t i = 0; !pairs_.empty() && i < 2; ++i) {
    if (pair_[i] != row) continue;
    if (moves_[i].held) return &moves_[i].values;
    if (writing_ && moves_[i].offered) access.row = RegId(pair_[1 - i]);
  }
  return nullptr;
}

}  // namespace heddle
