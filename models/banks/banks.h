#pragma once

// The main register file: banks of warp-wide rows behind an arbiter and a crossbar. The last stage of every
// path and its one clocked boundary: an access accepted in cycle c is served from c + 1 on.
//
// A write is answered when it is accepted: from then on every later access to the register is ordered after
// it, so its value is visible. Reads are answered latency_cycles - 1 cycles after their service. The banks keep
// queues, arbiter and time; how rows store registers, which states they are in, and what an access costs there is
// their row path's (bank_rows.h); they are compiled for each row path, and for the arbiter that they have nearly always.

#include <memory>
#include <optional>
#include <vector>

#include "models/banks/bank_counters.h"
#include "models/banks/bank_queue.h"
#include "models/banks/bank_releases.h"
#include "models/banks/due_accesses.h"
#include "models/banks/late_reads.h"
#include "models/banks/row_paths.h"
#include "models/core/cycle_set.h"
#include "models/core/error.h"
#include "models/ports/register_stage.h"

namespace heddle {

/// `Arbiter`: BankArbiter, or one of its classes.
template <class Rows, class Arbiter>
class Banks final : public RegisterStage {
 public:
  Banks(Context& context, BankParts parts, std::unique_ptr<Arbiter> arbiter);

  int latency_cycles() const override { return static_cast<int>(latency_cycles_); }
  RegisterWants wants() const override { return rows_.wants(); }
  LifeSet hears() const override { return rows_.hears(mapping()); }
  void kernel_begins(const KernelBegins& kernel) override { rows_.kernel_begins(kernel.cycle); }
  void warp_begins(const WarpBegins& warp) override { rows_.warp_begins(now(), warp, mapping()); }
  void warp_ends(WarpId warp) override { rows_.forget_warp(now(), warp, mapping()); }
  void warp_gone(WarpId warp) override { rows_.forget_warp(now(), warp, mapping()); }
  void issued(const InFlight&) override { rows_.issued(now()); }
  void reads_held(const InFlight& item) override { rows_.reads_held(now(), item); }
  void completed(const InFlight& item) override { rows_.completed(now(), item); }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override {
    return rows_.flip_bit(access, lane, bit);
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void settle(Cycle cycle) override { rows_.settle(cycle); }
  void probes(const ProbeScope& scope) override;
  std::uint64_t banks_served(Cycle cycle) const override { return serving_.in(cycle) ? served_banks_ : 0; }
  std::uint64_t banks_waiting() const override { return due_.filled(); }
  Answer take(RegisterAccess& access) override;
  ReadsTaken take_reads(std::span<RegisterAccess> reads) override;

 protected:
  void debug_read(RegisterAccess& access) override;
  void tick() override;

 private:
  /// The arbiter is known at compile time, and is called bank by bank.
  static constexpr bool kByBank = requires { typename Arbiter::Turn; };
  /// It sees all that it looks at where it is kept.
  static constexpr bool kTogether = kByBank && Rows::kCopied;
  using Item = std::conditional_t<kTogether, WaitingItem<typename Rows::Item>, typename Rows::Item>;
  using Queue = BankQueueOf<std::conditional_t<kTogether, Item, WaitingAccess>, Item>;
  /// What is served in a cycle.
  struct Served {
    RegisterAccess**
        answers;  ///< reads that take no longer than the rows' latency: from here to the end of answers_
    std::uint64_t banks = 0, emptied = 0, writes = 0;
    /// Not counted where rows are opened whole.
    std::uint64_t first_reads = 0, read_sub_banks = 0, write_sub_banks = 0;
  };

  template <bool kWrite>
  [[gnu::always_inline]] inline Answer take(Cycle now, RegisterAccess& access, const RegisterPlace& place,
                                            DueAccesses::Due& next);
  Answer accept_without_data(RegisterAccess& access);
  void tick_narrow();
  void tick_wide();
  [[gnu::always_inline]] inline void run_cycle();
  [[gnu::always_inline]] inline void serve_waiting(Cycle now);
  [[gnu::always_inline]] inline Served choose(Cycle now);
  Served serve_two_ports(Cycle now);
  [[gnu::always_inline]] inline void serve(Cycle now, ServedAccess access, Served& served);

  Cycle latency_cycles_;
  BankCounters counters_;
  Rows rows_;
  std::unique_ptr<Arbiter> arbiter_;
  ArbiterView view_;
  std::vector<BankQueueView> views_;  ///< of view_
  std::vector<Queue> banks_;
  WriteData write_data_;
  DueAccesses due_;
  ServedAccesses chosen_;                 ///< for an arbiter that is not called bank by bank
  std::uint64_t served_banks_ = 0;        ///< in serving_
  std::vector<RegisterAccess*> answers_;  ///< room for the reads of a cycle
  GrowingArray<LateReads::Late> reads_;   ///< of the present cycle, to be answered later
  CycleSignal serving_;
  LateReads late_reads_;
  BankReleases releases_;
};

}  // namespace heddle
