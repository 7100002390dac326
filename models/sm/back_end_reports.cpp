#include "models/sm/back_end_reports.h"

#include "models/core/error.h"

namespace heddle {

inline void BackEndReports::take(LifeChannel::Report report) {
  InFlight* item = report.item;
  const WarpId id = item->warp();
  WarpProgress& warp = w_.warps->progress(id);
  const InstructionFootprint& footprint = *item->footprint;
  switch (report.what) {
    case Life::left:
      end_use(*item, w_.clock->now());
      break;
    case Life::reads_held:
      reads_over(id, footprint);
      break;
    case Life::dispatched:
      dispatched(*item, warp, footprint);
      break;
    case Life::completed:
      return complete(*item, warp, footprint);
    default:
      throw InternalError("the back end reports an event of another module");
  }
  w_.life->taken_in(report.what, *item);
}

inline void BackEndReports::dispatched(InFlight& item, const WarpProgress& warp,
                                       const InstructionFootprint& footprint) {
  if (!item.reads_released) {
    item.reads_released = true;
    reads_over(item.warp(), footprint);
    w_.life->taken_in(Life::reads_held, item);
  }
  if (w_.partitions[warp.partition].dispatched(item) < w_.issue_width) collectors_came_ = true;
  if (footprint.long_latency) left_near(item.warp());
}

void BackEndReports::take_in() {
  w_.life->drain([this](LifeChannel::Report report) { take(report); });
}

inline void BackEndReports::complete(InFlight& item, WarpProgress& progress,
                                     const InstructionFootprint& footprint) {
  const WarpId id = item.warp();
  w_.readiness->completed(id);
  if (footprint.memory) complete_access(item, progress, footprint);
  if (footprint.predicate_writes != 0) write_predicates(item);
  w_.warps->scoreboard(id).results_done(footprint);
  --progress.in_flight;
  if (!footprint.long_latency) left_near(id);
  w_.life->taken_in(Life::completed, item);
  ++w_.accounts->completed;
  const bool last = progress.in_flight == 0;
  w_.records->give_back(&item);
  if (last) finish_if_drained(id);
}

inline void BackEndReports::complete_access(const InFlight& item, WarpProgress& progress,
                                            const InstructionFootprint& footprint) {
  end_use(item, w_.clock->now());
  if (footprint.copy) {
    if (w_.copies->completed(item)) progress.wait = WarpWait::none;
    return;
  }
  --progress.memory_in_flight;
  if (progress.wait >= WarpWait::fence && w_.warps->state(item.warp()).waits_at == item.instruction)
    progress.wait = WarpWait::none;
}

inline void BackEndReports::write_predicates(const InFlight& item) {
  WarpState& warp = w_.warps->state(item.warp());
  for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot) {
    const isa::Operand& operand = item.instruction->dst[slot];
    if (!operand.is_pred()) continue;
    LaneMask& predicate = warp.predicates[operand.pred.value];
    predicate = (predicate & ~item.mask) | (item.operands.pred_dst[slot] & item.mask);
  }
}

void BackEndReports::finish_if_drained(WarpId id) {
  if (w_.warps->running().contains(id) || w_.warps->progress(id).in_flight != 0) return;
  w_.warps->end(id);
  w_.readiness->touch(id);
  w_.life->warp_ends(id);
  w_.warp_ended(id);
}

}  // namespace heddle
