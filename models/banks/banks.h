#pragma once

// Models the main register file: banks of warp-wide rows with an arbiter and a crossbar to the operand
// collectors. An access that is accepted in cycle c is served from c + 1 on.
//
// A write is answered when it is accepted, because every later access to the register is ordered after the
// write. A read is answered latency_cycles - 1 cycles after its service. `Rows` (bank_rows.h) defines how rows
// store registers, the power states of the rows, and the cost of an access.

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

template <class Rows, class Arbiter>
class Banks final : public RegisterStage {
 public:
  Banks(Context& context, BankParts parts, std::unique_ptr<Arbiter> arbiter);

  int latency_cycles() const override { return static_cast<int>(latency_cycles_); }
  RegisterWants wants() const override { return rows_.wants(); }
  LifeSet subscriptions() const override { return rows_.subscriptions(mapping()); }
  void kernel_begins(const KernelBegins& kernel) override { rows_.kernel_begins(kernel.cycle); }
  void warp_begins(const WarpBegins& warp) override {
    rows_.warp_begins(now(), warp, mapping());
    if (sub_banks_leave()) wake();
  }
  void warp_ends(WarpId warp) override { forget_warp(warp); }
  void warp_gone(WarpId warp) override { forget_warp(warp); }
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
  void forget_warp(WarpId warp) {
    rows_.forget_warp(now(), warp, mapping());
    if (sub_banks_leave()) wake();
  }
  bool sub_banks_leave() const {
    if constexpr (requires { rows_.sub_banks_leave(); }) return rows_.sub_banks_leave();
    return false;
  }
  /// True: the arbiter's type is known at compile time, and the arbiter chooses separately for each bank.
  static constexpr bool kByBank = requires { typename Arbiter::Turn; };
  /// True: the queue stores an access in one struct. False: it stores the fields for the arbiter
  /// (WaitingAccess) and the fields for the banks (Item) in two arrays.
  static constexpr bool kTogether = kByBank && Rows::kCopied;
  using Item = std::conditional_t<kTogether, WaitingItem<typename Rows::Item>, typename Rows::Item>;
  using Queue = BankQueueOf<std::conditional_t<kTogether, Item, WaitingAccess>, Item>;
  struct Served {
    RegisterAccess** answers;
    std::uint64_t banks = 0, emptied = 0, writes = 0;
    std::uint64_t first_reads = 0, read_sub_banks = 0, write_sub_banks = 0;
  };

  // take(), serve_waiting(), choose() and serve() are inlined. This saves 3.9 % of the simulator's host time
  // for the kernel matrix-mul, and 4.8 % for a kernel with a loop of FMA instructions.
  template <bool kWrite>
  [[gnu::always_inline]] inline Answer take(Cycle now, RegisterAccess& access, const RegisterPlace& place,
                                            DueAccesses::Due& next);
  Answer accept_without_data(RegisterAccess& access);
  [[gnu::always_inline]] inline void serve_waiting(Cycle now);
  [[gnu::always_inline]] inline Served choose(Cycle now);
  Served serve_two_ports(Cycle now);
  [[gnu::always_inline]] inline void serve(Cycle now, ServedAccess access, Served& served);

  Cycle latency_cycles_;
  BankCounters counters_;
  Rows rows_;
  std::unique_ptr<Arbiter> arbiter_;
  ArbiterView view_;
  /// With separate ports: number of reads beyond the first read that a bank can serve per cycle.
  int further_reads_ = 0;
  std::vector<BankQueueView> views_;
  std::vector<Queue> banks_;
  WriteData write_data_;
  DueAccesses due_;
  ServedAccesses chosen_;
  std::uint64_t served_banks_ = 0;
  std::vector<RegisterAccess*> answers_;
  GrowingArray<LateReads::Late> reads_;
  CycleSignal serving_;
  LateReads late_reads_;
  BankReleases releases_;
};

}  // namespace heddle
