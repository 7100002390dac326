#pragma once

// The conventional arbiter: every bank serves its oldest access that can go, one a port; a collector takes as
// many operand words in a cycle as its port allows. Nearly all machines have it, so that the banks are compiled with it.

#include <bit>
#include <span>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/cycle_set.h"
#include "models/core/registry.h"

namespace heddle {

class OnePerBank final : public BankArbiter {
 public:
  static constexpr const char* kName = "one-per-bank";

  OnePerBank(const NoParameters&, Context& context) : taken_(static_cast<std::size_t>(context.collectors)) {}

  void choose(const ArbiterView& view, ServedAccesses& served) override {
    choose_by_bank(
        view, [&view](BankId bank) { return view.banks[bank.value]; },
        [&](BankId bank, Positions chosen) {
          for (const std::uint32_t i : chosen)
            served.push_back({bank, i, view.banks[bank.value][i].sub_banks, kAllLanes});
        });
  }
  using Positions = std::span<const std::uint32_t>;
  /// The same for who serves bank by bank: serve(bank, positions) as soon as a bank has chosen. `queue_of(bank)` stands for
  /// view.banks.
  template <class QueueOf, class Serve>
  void choose_by_bank(const ArbiterView& view, QueueOf&& queue_of, Serve&& serve) {
    const Cycle now = view.now;
    const int words = view.operands_per_collector;
    const bool separate = view.separate_ports;  // a read and a write port; else one of both
    for (std::uint64_t rest = view.waiting_banks & ~(view.busy_read & view.busy_write); rest;
         rest &= rest - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
      const BankQueueView queue = queue_of(BankId(bank));
      // Bit 0: the read port is taken, bit 1: the write port.
      unsigned taken = 0;
      if (separate) taken = (view.busy_read >> bank & 1) | (view.busy_write >> bank & 1) << 1;
      std::uint32_t chosen[2];
      std::size_t count = 0;
      const WaitingAccess* access = queue.data();
      for (std::uint32_t i = 0, size = static_cast<std::uint32_t>(queue.size()); i < size; ++i, ++access) {
        if (access->from > now || (separate && (taken >> access->write & 1))) continue;
        if ((i != 0 && overtakes(queue, i)) ||
            (!access->write && !take_collector(access->source, now, words)))
          continue;
        chosen[count++] = i;
        if (!separate) break;
        taken |= 1u << access->write;
        if (taken == 3) break;
      }
      serve(BankId(bank), Positions(chosen, count));
    }
  }

 private:
  bool take_collector(std::uint16_t source, Cycle now, int words) {
    if (source >= taken_.size()) return true;
    int& taken = taken_[source].in(now);
    if (taken >= words) return false;
    ++taken;
    return true;
  }

  std::vector<InCycle<int>> taken_;  ///< by collector: words
};

}  // namespace heddle
