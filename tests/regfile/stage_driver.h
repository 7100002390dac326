#pragma once

// Builds a register path for tests. A script of the test offers accesses to the first stage in given cycles,
// and records the answers.

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

/// Return test instructions. Register stages treat three kinds of instructions differently: of short latency,
/// of long latency, and of short latency on a unit that partitions share.
isa::Instruction make_int_add();
isa::Instruction make_global_load();
isa::Instruction make_shared_load();

class StageDriver : public ClockedModule, private RegisterBackwardInterface {
 public:
  struct Line {
    RegisterAccess access;
    LaneVec values;
    OperandWord operand;
    Cycle accepted_at = kNever, answered_at = kNever;
    int refusals = 0;
    Cycle data_at() const { return std::max(answered_at, access.data_at); }
    std::uint32_t lane(int i) const { return values[i]; }
  };

  StageDriver(const sc_core::sc_module_name& name, Clock& clock)
      : ClockedModule(name, clock), initiator(sc_core::sc_gen_unique_name("initiator")) {
    initiator.bind(*this);
  }
  RegisterInitiatorSocket initiator;

  /// Offers an access in the cycle `cycle`, after all accesses that earlier calls have added. If the stage
  /// refuses the access, offers it again in later cycles.
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

  /// Builds the register path. `stages`: register stages, from the collectors to the banks. `banks`:
  /// parameters of the banks; by default, each warp and register has its own bank.
  explicit StageRig(const std::vector<std::string>& stages, const std::string& banks = R"({"ports": "1r1w"})",
                    int partitions = 1, int schedulers = 1);

  StageDriver& script() { return *driver_; }
  void run();
  /// Ends a warp, with the same events as in a real register path. From the next cycle on, its registers have
  /// no entries.
  void end_warp(std::uint32_t warp);
  /// Begins a new warp in the slot of a warp that has ended. When the test starts, all warps have already
  /// begun.
  void place_warp(std::uint32_t warp);
  std::uint64_t count(const std::string& name) const;
  RegisterStage& stage(std::size_t i) { return *path_[i]; }
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
