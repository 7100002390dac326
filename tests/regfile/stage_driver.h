#pragma once

// A path of register-file stages with a script of accesses on top: what is offered in which cycle, and when
// and with what it is answered.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/isa/instruction.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"
#include "tests/support/simulation.h"

namespace heddle {

/// Kinds of instructions that stages distinguish.
isa::Instruction make_int_add();
isa::Instruction make_global_load();
isa::Instruction make_shared_load();

class StageDriver : public ClockedModule, private RegisterBackwardInterface {
 public:
  struct Line {
    RegisterAccess access;
    LaneVec values;
    OperandWord operand;  ///< where `access` points
    Cycle accepted_at = kNever, answered_at = kNever;
    int refusals = 0;
    /// When a read's data stand at the collector.
    Cycle data_at() const { return std::max(answered_at, access.data_at); }
    std::uint32_t lane(int i) const { return values[i]; }
  };

  StageDriver(const sc_core::sc_module_name& name, Clock& clock)
      : ClockedModule(name, clock), initiator(sc_core::sc_gen_unique_name("initiator")) {
    initiator.bind(*this);
  }
  RegisterInitiatorSocket initiator;

  /// Offers the access in `cycle`, after what was added before, and again until it is taken.
  Line& at(Cycle cycle, RegisterCommand command, int warp, int reg, std::uint32_t value = 0,
           LaneMask mask = kAllLanes);
  void call(Cycle cycle, std::function<void()> what);

 private:
  struct Step {
    Cycle cycle;
    Line* line = nullptr;
    std::function<void()> what;
  };
  void tick() override;
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::deque<Line> lines_;
  std::vector<Step> steps_;
  CycleCredit credit_;
};

class StageRig : private Clock::Opening {
 public:
  static constexpr std::uint32_t kRegisters = 12;

  /// Stages from the top down, banks last (one bank a warp and register unless `banks` says otherwise).
  explicit StageRig(const std::vector<std::string>& stages, const std::string& banks = R"({"ports": "1r1w"})",
                    int partitions = 1, int schedulers = 1);

  StageDriver& script() { return *driver_; }
  /// Runs the script to the end; rethrows what a stage threw.
  void run();
  /// In a step of the script a warp ends; in the next cycle it is gone and its registers have no place.
  /// Stages receive these events as from the register path.
  void end_warp(std::uint32_t warp);
  /// Another begins in the place of a warp that is gone (all are there at first).
  void place_warp(std::uint32_t warp);
  std::uint64_t count(const std::string& name) const;  ///< "register_cache.read_hits"; fails loudly
  RegisterStage& stage(std::size_t i) { return *path_[i]; }
  /// The value as `stage` and those below it hold it.
  std::uint32_t value(std::size_t stage, int warp, int reg, int lane = 0);

  StageDriver::Line& read(Cycle cycle, int warp, int reg, LaneMask mask = kAllLanes) {
    return driver_->at(cycle, RegisterCommand::read, warp, reg, 0, mask);
  }
  StageDriver::Line& write(Cycle cycle, int warp, int reg, std::uint32_t value, LaneMask mask = kAllLanes) {
    return driver_->at(cycle, RegisterCommand::write, warp, reg, value, mask);
  }

 private:
  void open_cycle() override;

  testing_support::Simulation simulation_;
  RegisterFileParameters parameters_;
  std::unique_ptr<RegisterMap> map_;
  StatsRegistry stats_;
  RunStatus status_;
  std::unique_ptr<Clock> clock_;
  std::vector<std::unique_ptr<RegisterStage>> path_;
  std::unique_ptr<StageDriver> driver_;
  RegisterMapping* mapping_ = nullptr;
  std::vector<WarpId> ending_;
  std::set<WarpId> placeless_;
};

}  // namespace heddle
