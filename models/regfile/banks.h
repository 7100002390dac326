#pragma once

// The main register file: banks of warp-wide rows behind an arbiter and a crossbar. The last stage of every
// path and its one clocked boundary: an access accepted in cycle c is served from c + 1 on.
//
// A write is answered when it is accepted: from then on every later access to the register is ordered behind
// it, so its value is visible. Reads are answered latency_cycles - 1 cycles after their service. How rows
// store registers is the entry format's, which states they are in the register power's; how fast they are, and
// which of their lanes an access drives, are the partition's and the lane segments'.

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/core/error.h"
#include "models/core/growing_array.h"
#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "models/regfile/bank_queue.h"
#include "models/regfile/due_accesses.h"
#include "models/regfile/i_bank_arbiter.h"
#include "models/regfile/i_entry_format.h"
#include "models/regfile/lane_segments.h"
#include "models/regfile/register_map.h"
#include "models/regfile/row_speeds.h"
#include "models/regfile/row_uses.h"
#include "models/regfile/sub_bank_counters.h"

namespace heddle {

class Banks : public RegisterStage {
 public:
  Banks(const NoParameters&, Context& context);

  int latency_cycles() const override { return parameters_.latency_cycles; }
  RegisterInterests interests() const override;
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override;
  void warp_ends(WarpId warp) override;
  void operands_held(const InstructionStep& step) override { uses_->operands_held(now(), step); }
  void completed(const InstructionStep& step) override { uses_->completed(now(), step); }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  void bind_below(RegisterStage&) override { throw InternalError("nothing can stand below the banks"); }
  bool is_last() const override { return true; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void issued(const InstructionIssued&) override { speeds_->mode().issued(now()); }
  void settle(Cycle cycle) override;
  void probes(const ProbeScope& scope) override;
  std::uint64_t banks_served(Cycle cycle) const override;
  std::uint64_t banks_waiting() const override { return due_.filled(); }
  /// What was served in `cycle`, if it is the last one that served anything.
  std::span<const ServedAccess> served(Cycle cycle) const;

 protected:
  Answer accept(RegisterAccess& access) override;
  ReadsTaken accept_reads(std::span<RegisterAccess> reads) override;
  void debug_read(RegisterAccess& access) override;
  void tick() override;

 private:
  struct Arriving {
    Cycle at;
    RegisterAccess* access;
  };
  /// Effective at the end of the first cycle behind the one it came in that no older access to the entry
  /// waits beyond; until that cycle is over, other accesses to the entry are refused. Nothing of it hangs on
  /// who runs first in a cycle.
  struct Release {
    RegisterAccess* access;
    StoredRegister reg;
    std::uint32_t order;  ///< EntryFormat::order_of
    Cycle at;             ///< it came
  };

  const RegisterPlace& place_of(const RegisterAccess& access) const {
    return static_map_ ? map_.place(access.warp, access.row) : access.place;
  }
  /// What accesses have to pass on their way: their bank's queue alone; the states of rows that are copied; whatever
  /// the parameters can ask for.
  enum class Way : std::uint8_t { plain, states, full };
  template <Way way, bool asks>
  [[gnu::always_inline]] inline Answer accept_data(RegisterAccess& access, const RegisterPlace& place,
                                                   bool write);
  template <Way way, bool asks>
  [[gnu::always_inline]] inline Answer accept_data(RegisterAccess& access) {
    return accept_data<way, asks>(access, place_of(access), access.command == RegisterCommand::write);
  }
  [[gnu::noinline]] Answer accept_at_rows(RegisterAccess& access);
  [[gnu::noinline]] Answer accept_any(RegisterAccess& access);
  [[gnu::noinline]] Answer accept_unannounced(const RegisterAccess& access, const RegisterPlace& place,
                                              WaitingAccess& waiting, Cycle from);
  [[gnu::noinline]] Answer accept_without_data(RegisterAccess& access);
  bool is_released(const RegisterAccess& access, const RegisterPlace& place) const;
  Answer announce(RegisterAccess& access);
  Answer read_unmapped(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  [[gnu::cold]] Answer refuse();
  template <Way way>
  [[gnu::always_inline]] inline std::size_t push(BankQueue& bank, RegisterAccess& access,
                                                 const RegisterPlace& place, bool write);
  [[gnu::noinline]] Answer serve_later(Cycle from, BankId bank, Answer answer);
  inline Cycle note_row(const RegisterAccess& access, BankQueue::Item& item, WaitingAccess& waiting,
                        Cycle from);
  Cycle row_arrived(const RegisterAccess& access, const RegisterPlace& place, Cycle from);

  inline void serve_waiting();
  inline void choose();
  [[gnu::noinline]] void serve_at_rows();
  template <Way way>
  inline void serve_chosen();
  template <Way way>
  [[gnu::always_inline]] inline void serve(ServedAccess& served);
  template <Way way>
  inline void write_row(const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served);
  template <Way way>
  inline Cycle read_row(const BankQueue::Item& item, ServedAccess& served);
  void settle_write(const BankQueue::Item& item, ServedAccess& served);
  [[gnu::always_inline]] inline void poison_lost(const BankQueue::Item& item, bool write);
  Cycle settle_read(const BankQueue::Item& item, ServedAccess& served);
  [[gnu::always_inline]] inline void take_out(BankQueue& bank, const ServedAccess& served);
  void write_next(BankQueue& bank, std::uint32_t position);
  void arrive(Cycle at, RegisterAccess& access);
  void answer_reads();
  RowTiming take_port(const RegisterPlace& place, bool write);
  void read_lanes(const RegisterAccess& access, ServedAccess& served);
  void place_written(const RegisterPlace& place);
  std::uint32_t order_of(const StoredRegister& reg) const {
    return whole_rows_ ? reg.place.entry : format_->order_of(reg);
  }
  void drive(std::uint32_t bank, std::uint32_t order, std::size_t first);
  void end_releases();
  void forget(const StoredRegister& reg);

  const BankParameters& parameters_;
  RegisterMap& map_;
  bool whole_rows_, always_on_;
  Way way_ = Way::full;
  bool static_map_ = true;
  bool answered_above_;  ///< a stage above may answer words that were announced
  Cycle read_cycles_ = 1, write_cycles_ = 0;
  std::vector<BankQueue> banks_;
  std::vector<LaneVec*> rows_;        ///< by bank, EntryFormat::rows
  std::vector<BankQueueView> views_;  ///< of the banks that the arbiter is to look at
  std::unique_ptr<BankArbiter> arbiter_;
  std::unique_ptr<EntryFormat> format_;
  std::unique_ptr<RegisterPower> power_;
  std::unique_ptr<RowUses> uses_;
  std::optional<LaneSegments> segments_;      ///< of lane gating
  std::optional<RowSpeeds> speeds_;           ///< of a partition
  std::optional<SubBankCounters> sub_banks_;  ///< of a format that does not open whole rows
  bool shaped_ = false;                       ///< by the register power
  bool timed_ =
      false;  ///< rows may take longer than the banks' latency, and their port for more than a cycle
  ArbiterView view_;
  DueAccesses due_;
  std::vector<ServedAccess> served_;
  Cycle served_in_ = kNever;  ///< the cycle of served_
  std::deque<Arriving> arriving_;
  GrowingArray<Release> releases_;
  GrowingArray<Release> released_;  ///< that became effective in released_in_
  std::uint64_t releasing_ = 0;     ///< banks of both
  std::vector<Cycle> busy_until_;   ///< by bank and port; empty unless rows may take longer than a cycle
  Cycle any_busy_until_ = 0;
  Cycle released_in_ = kNever;  ///< a release became effective: what waited for it can come again
  WriteData write_data_;
  Counter &reads_, &writes_, &conflicts_, &refusals_, &busy_cycles_, &releases_done_, &unmapped_reads_;
  Counter &read_sub_banks_, &write_sub_banks_;
};

}  // namespace heddle
