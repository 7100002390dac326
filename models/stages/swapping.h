#pragma once

// Models the stage "swapping": registers of a warp exchange rows, so that the most accessed registers lie in
// fast rows (Abdel-Majeed 2016, 6.3). The stage is between the caches and the banks, and sets the row number
// of each register.
//
// While a pilot warp of the kernel runs, every register lies in the row with its number, and the pilot's
// accesses are counted. When the pilot has ended, the stage writes a swapping table. The table applies to
// warps that are placed from the next cycle on ("future warps"). With `remap` = "migrate", the table also
// applies to resident warps, after their values have been moved to the new rows.

#include <deque>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/stages/pilot_warp.h"
#include "models/stages/row_moves.h"
#include "models/stages/swapping_table.h"
#include "models/stages/upper_stage.h"

namespace heddle {

struct SwappingParameters {
  std::string profile = "pilot";
  std::string remap = "new-warps";
  int counters = 63;
  int counter_bits = 16;
  std::string table = "cam";
  int lookup_cycles = 0;
  void fields(FieldVisitor& v);
};

class Swapping : public UpperStage {
 public:
  Swapping(const SwappingParameters& parameters, Context& context);

  int latency_cycles() const override { return parameters_.lookup_cycles; }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::warp_ends, Life::warp_gone};
  }
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override;
  void warp_ends(WarpId warp) override {
    if (pilot_.is(warp)) end_pilot(warp);
  }
  void warp_activated(WarpId) override {}
  void warp_deactivated(WarpId) override {}
  bool flushed(WarpId) const override { return true; }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void settle(Cycle cycle) override { pilot_.count_to(cycle); }
  void probes(const ProbeScope& scope) override;

 private:
  struct Warp {
    /// swapping table of the warp; nullptr: each register lies in the row with its number
    const SwappingTable* table = nullptr;
    std::uint32_t registers = 0;
    CycleFlag began;
    std::uint64_t words = 0;
  };
  Answer take(RegisterAccess& access) override;
  ReadsTaken take_reads(std::span<RegisterAccess> reads) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

  void map(RegisterAccess& access, const SwappingTable* table);
  void count(std::span<const RegisterAccess> words, const SwappingTable* table);
  void end_pilot(WarpId warp);
  const SwappingTable* add_table(std::vector<RegisterSwap> swaps);
  /// Sets the row of the access. While the register's value is on its way between two rows, returns the
  /// value, otherwise nullptr.
  LaneVec* find(RegisterAccess& access);
  void choose_movers();
  void move();

  SwappingParameters parameters_;
  std::uint32_t fast_;
  SwappingTableSettings table_settings_;
  PilotWarp pilot_;
  bool by_pilot_, migrates_;
  std::vector<Warp> warps_;
  std::deque<SwappingTable> tables_;
  /// newest swapping table, for warps that begin after cycle table_came_
  const SwappingTable* table_ = nullptr;
  /// previous swapping table, for warps that began up to cycle table_came_
  const SwappingTable* before_ = nullptr;
  CycleFlag table_came_;
  CycleFlag choose_movers_;
  std::deque<WarpId> movers_;
  RowMoves moves_;
  Probe<SwappingPoint> probe_;
  Counter &lookups_, &bypassed_, &swapped_, &swaps_, &moved_warps_, &move_refusals_;
};

}  // namespace heddle
