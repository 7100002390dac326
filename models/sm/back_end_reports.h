#pragma once

// Processes the reports of the back end (collectors, execution units, result bus) in the cycle after they are
// made. A report says that an instruction has read its sources, that its collector is free, or that its
// results are visible to later instructions.

#include <functional>
#include <span>
#include <utility>

#include "models/ports/in_flight_pool.h"
#include "models/ports/life_channel.h"
#include "models/ports/unit_availability.h"
#include "models/sm/copy_groups.h"
#include "models/sm/issue_accounts.h"
#include "models/sm/issue_partition.h"
#include "models/sm/readiness.h"
#include "models/sm/warp_table.h"

namespace heddle {

class BackEndReports {
 public:
  struct Wiring {
    const Clock* clock = nullptr;
    WarpTable* warps = nullptr;
    Readiness* readiness = nullptr;
    LifeChannel* life = nullptr;
    InFlightPool* records = nullptr;
    IssueAccounts* accounts = nullptr;
    UnitAvailability* units = nullptr;
    CopyGroups* copies = nullptr;
    std::span<IssuePartition> partitions;
    int issue_width = 1;
    std::function<void(WarpId)> warp_ended;
  };
  explicit BackEndReports(Wiring wiring) : w_(std::move(wiring)) {}

  void take_in();
  void finish_if_drained(WarpId id);

  /// True if a collector has become free since the last forget_collectors().
  bool collectors_came() const { return collectors_came_; }
  void forget_collectors() { collectors_came_ = false; }

 private:
  inline void take(LifeChannel::Report report);
  inline void dispatched(InFlight& item, const WarpProgress& warp, const InstructionFootprint& footprint);
  inline void complete(InFlight& item, WarpProgress& progress, const InstructionFootprint& footprint);
  inline void complete_access(const InFlight& item, WarpProgress& progress,
                              const InstructionFootprint& footprint);
  inline void write_predicates(const InFlight& item);
  void reads_over(WarpId id, const InstructionFootprint& instruction) {
    w_.warps->scoreboard(id).reads_done(instruction);
    w_.readiness->reads_over(id, instruction);
  }
  void end_use(const InFlight& item, Cycle now) {
    w_.units->leave(now, w_.warps->progress(item.warp()).partition, item);
  }
  void left_near(WarpId id) {
    if (--w_.warps->progress(id).near_in_flight == 0) w_.readiness->drained(id);
  }

  Wiring w_;
  bool collectors_came_ = false;
};

}  // namespace heddle
