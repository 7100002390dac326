// Read allocation: sources that are read from below and kept in an entry, and the reads that wait for them.

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/stages/operand_file.h"

namespace heddle {

// Takes what fills under way have brought already; returns the lanes that they have still to bring.
LaneMask OperandFile::wait_for_fills(const RegisterAccess& access, std::uint32_t number, LaneMask missing,
                                     LaneVec& values) {
  LaneMask to_come = 0;
  for (const Fill* fill : fills_) {
    if (fill->access.warp != access.warp || fill->access.home != access.home || fill->entry != number)
      continue;
    const LaneMask lanes = fill->access.mask & missing;
    if (fill->there.raised())
      merge_lanes(values, fill->values, lanes);
    else
      to_come |= lanes;
    missing &= ~lanes;
  }
  if (missing && parameters_.checked)
    misuse_entries(
        name(), access.instruction,
        fmt::format("warp {} reads r{} from entry {} of the {} level, which does not hold it in lanes {:08x}",
                    access.warp.value, access.home.value, number,
                    holds_last_result(number) ? "last-result" : "operand", missing));
  return to_come;
}

RegisterStage::Answer OperandFile::read_and_fill(RegisterAccess& access) {
  OperandOrder::Write* write = warps_[access.warp.value].order.find(access, true);
  if (!write) throw InternalError("operand file: a read allocation that was not announced at issue");
  if (free_fills_.empty()) free_fills_.push_back(&all_fills_.emplace_back());
  Fill& fill = *free_fills_.back();
  fill.access = access;
  fill.access.values = &fill.values;
  fill.access.stage = this;
  fill.access.owner = &fill;
  fill.access.direct = past_caches_;
  fill.original = &access;
  fill.id = write->id;
  fill.entry = write->entry;
  fill.there.lower();
  free_fills_.pop_back();
  fills_.push_back(&fill);
  write->begun = true;
  const Answer answer = pass(fill.access);
  if (answer == Answer::answered) finish_fill(fill);
  if (answer != Answer::refused) return answer;
  write->begun = false;
  fills_.pop_back();
  free_fills_.push_back(&fill);
  return answer;
}

void OperandFile::answered(RegisterAccess& access) {
  if (access.stage != this) {
    respond(access);
    return;
  }
  if (access.command == RegisterCommand::evict) {
    free_evictions_.push_back(&access);
    return;
  }
  Fill& fill = *static_cast<Fill*>(access.owner);
  RegisterAccess& original = *fill.original;
  finish_fill(fill);
  respond(original);
}

// The values have come: for the read that asked, and for those that wait for the entry.
void OperandFile::finish_fill(Fill& fill) {
  const RegisterAccess& access = fill.access;
  fill.there.raise(now());
  clock().wake();
  *fill.original->values = fill.values;
  fill.original->data_at = access.data_at;
  for (std::size_t i = 0; i < waiters_.size();) {
    Waiter& waiter = waiters_[i];
    const LaneMask lanes = waiter.missing & access.mask;
    if (waiter.access->warp != access.warp || waiter.access->home != access.home ||
        waiter.entry != fill.entry || !lanes) {
      ++i;
      continue;
    }
    merge_lanes(*waiter.access->values, fill.values, lanes);
    waiter.missing &= ~lanes;
    if (waiter.missing) {
      ++i;
      continue;
    }
    const Waiter done = waiter;
    waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
    done.access->data_at = access.data_at;
    set_arrival(*done.access, done.served);
    respond(*done.access);
  }
}

void OperandFile::begin_cycle() {
  std::size_t kept = 0;
  for (Fill* fill : fills_) {
    if (!fill->there.seen(now())) {
      fills_[kept++] = fill;
      continue;
    }
    const WarpId warp = fill->access.warp;
    OperandOrder& order = warps_[warp.value].order;
    if (const OperandOrder::Write* write = order.find(fill->id)) {
      put(warp, fill->entry, fill->access.home, fill->values, write->lanes);
      order.done(fill->id);
      entry(warp, fill->entry).ready = ports_of(warp, fill->entry).write.take(now());
      ++*counters_[holds_last_result(fill->entry)].fills;
      write_slices_ += slices_of(fill->access.mask);
    }
    free_fills_.push_back(fill);
  }
  fills_.resize(kept);
  if (!held_.empty()) write_held();
}

}  // namespace heddle
