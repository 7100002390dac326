#pragma once

// "swapping": registers of a warp change places so that the most accessed ones lie in the fast rows
// (Abdel-Majeed 2016, 6.3). A mapping stage below caches: it says which row of its warp a register has, the
// mapping places the row.
//
// While a pilot warp of the kernel runs, every register lies in the row of its number and the pilot's accesses are
// counted; when it has ended, the table holds for the warps that are placed from the next cycle on ("future warps"),
// or, with "migrate", for resident ones too, once their values have been moved through the banks. A table says
// nothing of registers above those that are counted.

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/stages/pilot_profile.h"
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
  LifeSet hears() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::warp_ends, Life::warp_gone};
  }
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override;
  void warp_ends(WarpId warp) override;
  void warp_activated(WarpId) override {}
  void warp_deactivated(WarpId) override {}
  bool flushed(WarpId) const override { return true; }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void settle(Cycle cycle) override;
  void probes(const ProbeScope& scope) override;

 private:
  struct Warp {
    const SwappingTable* table = nullptr;  ///< nullptr: registers lie in the rows of their numbers
    std::uint32_t registers = 0;
    CycleFlag began;                   ///< and is not gone
    std::uint64_t words = 0;           ///< read and written since it began
    std::uint64_t counted_before = 0;  ///< accesses of earlier pilots, if it is one
  };
  /// Two rows of a warp that change their contents: taken out, then written.
  struct Move {
    RegisterAccess access;
    LaneVec values;
    bool offered = false;
    bool held = false;     ///< the value is here and nowhere else
    bool nothing = false;  ///< the register has no entry, and gets none by being moved
    CycleFlag answered;    ///< the step that is under way
  };

  Answer take(RegisterAccess& access) override;
  ReadsTaken take_reads(std::span<RegisterAccess> reads) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

  void map(RegisterAccess& access, const SwappingTable* table);
  /// Words of one warp that were taken below.
  void count(std::span<const RegisterAccess> words, const SwappingTable* table);
  void end_pilot();
  const SwappingTable* add_table(std::vector<RegisterSwap> swaps);
  Move* find(RegisterAccess& access);

  void choose_movers();
  void start_moving();
  void start_pair();
  RegId register_in(std::uint8_t row) const;
  void go_on_moving();
  bool step(Move& move);
  void finish_pair();

  SwappingParameters parameters_;
  std::uint32_t fast_;
  SwappingTableSettings table_settings_;
  PilotProfile profile_;
  bool by_pilot_, migrates_;
  std::vector<Warp> warps_;
  std::deque<SwappingTable> tables_;  ///< of the present kernel
  const SwappingTable* table_ =
      nullptr;  ///< of warps that are placed in a later cycle than the one in which it came
  const SwappingTable* before_ = nullptr;  ///< of those before
  CycleFlag table_came_;
  std::optional<WarpId> pilot_;  ///< while it runs
  bool wants_pilot_ = false;     ///< the kernel's first warp has not come
  Cycle pilot_counted_ = 0;
  // Migration, warp after warp, a pair of rows at a time.
  CycleFlag choose_movers_;
  std::deque<WarpId> movers_;
  bool moving_ = false, cancelled_ = false, writing_ = false;
  WarpId mover_{};
  std::vector<RegisterSwap> pairs_;  ///< left for mover_, the last one under way
  std::uint8_t pair_[2] = {};        ///< rows of that one; moves_[i] takes the value out of pair_[i]
  Move moves_[2];
  std::array<std::uint8_t, 256> row_now_{};  ///< of mover_'s registers, before the pair under way
  Probe<SwappingPoint> probe_;
  Counter &lookups_, &bypassed_, &swapped_, &pilots_, &pilot_cycles_, &pilot_accesses_, &swaps_;
  Counter &move_reads_, &moves_done_, &moves_dropped_, &moved_warps_, &move_refusals_;
};

}  // namespace heddle
