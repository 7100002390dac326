// How resident warps get another table: the values of two rows at a time are taken out, and each is written to the
// row of the other. Meanwhile all else of the warp is refused, and both rows hold poison.

#include "models/stages/swapping.h"

#include <algorithm>

namespace heddle {

void Swapping::begin_cycle() {
  if (choose_movers_.seen(now())) choose_movers();
  if (moving_)
    go_on_moving();
  else if (!movers_.empty())
    start_moving();
}

// Warps that began in earlier cycles, and are not gone.
void Swapping::choose_movers() {
  choose_movers_.lower();
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.began.seen(now()) && warp.table != table_) movers_.push_back(WarpId(w));
  }
}

void Swapping::give_up(WarpId warp) {
  warps_[warp.value].began.lower();
  std::erase(movers_, warp);
  if (!moving_ || mover_ != warp) return;
  cancelled_ = true;
  // A read that is still under way leaves the row as it is: it may be another warp's by then.
  for (Move& move : moves_) move.access.takes = false;
}

void Swapping::start_moving() {
  mover_ = movers_.front();
  movers_.pop_front();
  moving_ = true;
  cancelled_ = false;
  // From an earlier table: back, then to the new places.
  pairs_.clear();
  if (const SwappingTable* old = warps_[mover_.value].table)
    pairs_.assign(old->swaps().rbegin(), old->swaps().rend());
  pairs_.insert(pairs_.end(), table_->swaps().begin(), table_->swaps().end());
  std::reverse(pairs_.begin(), pairs_.end());
  for (std::uint32_t home = 0; home < row_now_.size(); ++home) {
    const SwappingTable* old = warps_[mover_.value].table;
    row_now_[home] = static_cast<std::uint8_t>(old ? old->row_of(RegId(home)).value : home);
  }
  start_pair();
  go_on_moving();
}

// Which of the mover's registers lies in the row.
RegId Swapping::register_in(std::uint8_t row) const {
  return RegId(
      static_cast<std::uint32_t>(std::find(row_now_.begin(), row_now_.end(), row) - row_now_.begin()));
}

void Swapping::start_pair() {
  writing_ = false;
  if (pairs_.empty()) return;
  pair_[0] = pairs_.back().slow;
  pair_[1] = pairs_.back().fast;
  for (std::size_t i = 0; i < 2; ++i) {
    Move& move = moves_[i];
    move.access = {};
    move.access.warp = mover_;
    move.access.home = register_in(pair_[i]);
    move.access.row = RegId(pair_[i]);
    move.access.takes = true;
    move.access.values = &move.values;
    move.access.source = RegisterAccess::kResultBus;
    move.access.stage = this;
    move.access.owner = &move;
    move.offered = move.held = move.nothing = false;
    move.answered.lower();
  }
}

void Swapping::go_on_moving() {
  clock().wake();
  if (cancelled_ || pairs_.empty()) {
    const auto under_way = [this](const Move& move) { return move.offered && !move.answered.seen(now()); };
    if (!pairs_.empty() && (under_way(moves_[0]) || under_way(moves_[1]))) return;
    finish_pair();
    moving_ = false;
    if (cancelled_) return;
    warps_[mover_.value].table = table_;
    ++moved_warps_;
    return;
  }
  const bool first = step(moves_[0]), second = step(moves_[1]);
  if (!first || !second) return;
  if (writing_) {
    for (std::uint8_t& row : row_now_)
      if (row == pair_[0] || row == pair_[1]) row = row == pair_[0] ? pair_[1] : pair_[0];
    pairs_.pop_back();
    start_pair();
    return;
  }
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

// A read or a write of the pair goes on; true when its answer came in an earlier cycle, and the data are here.
bool Swapping::step(Move& move) {
  if (writing_ && move.nothing) return true;
  if (!move.offered) {
    if (!may_send(Sender::own)) return false;
    const Answer answer = pass(move.access);
    if (answer == Answer::refused) return false;
    move.offered = true;
    ++(writing_ ? moves_done_ : move_reads_);
    if (writing_) move.held = false;
    if (answer == Answer::answered) answered(move.access);
    return false;
  }
  return move.answered.seen(now()) && move.access.data_at < now();
}

void Swapping::answered(RegisterAccess& access) {
  if (access.stage != this) {
    respond(access);
    return;
  }
  Move& move = *static_cast<Move*>(access.owner);
  move.answered.raise(now());
  if (!writing_) {
    move.held = access.takes;
    move.nothing = !access.takes;
    if (move.nothing) ++moves_dropped_;
  }
  clock().wake();
}

// The warp has ended in between: what was read and not written is gone.
void Swapping::finish_pair() {
  if (pairs_.empty()) return;
  for (Move& move : moves_) {
    const bool taken = writing_ || move.offered, written = writing_ && move.offered;
    if (taken && !written && !move.nothing) ++moves_dropped_;
    move.held = false;
  }
  pairs_.clear();
}

// Sets the row in which the register is, as far as the stages below know; the move that holds its value, if one does.
Swapping::Move* Swapping::find(RegisterAccess& access) {
  if (!moving_ || mover_ != access.warp) {
    map(access, warps_[access.warp.value].table);
    return nullptr;
  }
  const std::uint8_t row = row_now_[access.home.value];
  access.row = RegId(row);
  for (std::size_t i = 0; !pairs_.empty() && i < 2; ++i) {
    if (pair_[i] != row) continue;
    if (moves_[i].held) return &moves_[i];
    if (writing_ && moves_[i].offered) access.row = RegId(pair_[1 - i]);
  }
  return nullptr;
}

}  // namespace heddle
