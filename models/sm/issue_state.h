#pragma once

// State that the parts of the issue stage share: the turns of the schedulers (scheduler_turns.h), the issue
// of their picks (instruction_issue.h), and the reports of the back end (back_end_reports.h).

#include <functional>
#include <memory>
#include <vector>

#include "models/core/stats.h"
#include "models/exec/cluster_choice.h"
#include "models/operands/register_port.h"
#include "models/ports/in_flight_pool.h"
#include "models/ports/lane_plans.h"
#include "models/ports/life_channel.h"
#include "models/ports/unit_availability.h"
#include "models/sm/constraint_chain.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/issue_accounts.h"
#include "models/sm/lane_needs.h"
#include "models/sm/operand_setup.h"
#include "models/sm/readiness.h"
#include "models/sm/sm_parameters.h"
#include "models/sm/warp_activity.h"
#include "models/sm/warp_table.h"
#include "models/sm/warps_away.h"
#include "models/time/clock.h"

namespace heddle {

struct IssueWiring {
  Clock* clock = nullptr;
  const SmParameters* parameters = nullptr;
  UnitAvailability* units = nullptr;
  LanePlans* plans = nullptr;
  PlacementInfo place;
  double clock_mhz = 1000;
  StatsScope stats;
  LifeChannel* life = nullptr;
  /// Called in the cycle in which a warp's last instruction completes.
  std::function<void(WarpId)> warp_ended;
};

/// Connections to one partition, and the free collectors of the partition.
struct IssuePartition {
  explicit IssuePartition(const UnitParameters& units) : clusters(units) {}

  std::unique_ptr<InstructionOutlet> collectors;
  RegisterPath* path = nullptr;
  isa::FreeCollectors free_collectors;
  ClusterChoice clusters;
  std::unique_ptr<InstructionOutlet> results;  ///< results of control instructions
  std::vector<InFlight*> held_results;         ///< results that the result bus had no room for

  ActiveSlots& slots() const { return path->slots(); }
};

struct IssueState {
  IssueState(ClockedModule& stage, const IssueWiring& wiring);

  Cycle now() const { return clock.now(); }
  IssuePartition& partition_of(WarpId warp) { return partitions[warps.progress(warp).partition]; }
  /// Warps that must keep their active slot, because their strand passes a value to the next instruction.
  WarpSet bound() const;
  /// Describes why a warp waits, for dead-lock reports. `barrier`: state of its CTA's barriers.
  std::string describe(WarpId id, const std::string& barrier) const;
  /// Activity of every warp in this cycle. `issued`: warps that issued.
  WarpActivities activities(WarpSet issued) const;

  ClockedModule& stage;
  const Clock& clock;
  const SmParameters& parameters;
  InstructionBuffers buffers;
  LifeChannel& life;
  InFlightPool records;
  WarpTable warps;
  Readiness readiness;
  RegisterReleases releases;
  WarpsAway away;
  ConstraintChain constraints;
  WarpResidency& residency;
  LaneNeeds lanes;
  LanePlans& plans;
  UnitAvailability& units;
  IssueAccounts accounts;
  std::vector<IssuePartition> partitions;
};

}  // namespace heddle
