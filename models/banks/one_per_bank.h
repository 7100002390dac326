#pragma once

// The conventional arbiter: every bank serves its oldest access that can go, one a port; a collector takes as
// many operand words in a cycle as its port allows. Nearly all machines have it, so that the banks are compiled with it.

#include <bit>
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
    if (view.separate_ports)
      choose_by_ports<true>(view, served);
    else
      choose_by_ports<false>(view, served);
  }

 private:
  /// `separate`: a read and a write port; else one of both, and a bank that it is busy in is not looked at.
  template <bool separate>
  [[gnu::always_inline]] void choose_by_ports(const ArbiterView& view, ServedAccesses& served) {
    const Cycle now = view.now;
    const int words = view.operands_per_collector;
    const BankQueueView* const banks = view.banks.data();
    for (std::uint64_t rest = view.waiting_banks & ~(view.busy_read & view.busy_write); rest;
         rest &= rest - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
      const BankQueueView& queue = banks[bank];
      // Bit 0: the read port is taken, bit 1: the write port.
      unsigned taken = 0;
      if (separate) taken = (view.busy_read >> bank & 1) | (view.busy_write >> bank & 1) << 1;
      const WaitingAccess* access = queue.data();
      for (std::uint32_t i = 0, size = static_cast<std::uint32_t>(queue.size()); i < size; ++i, ++access) {
        if (access->from > now || (separate && (taken >> access->write & 1))) continue;
        if ((i != 0 && overtakes(queue, i)) ||
            (!access->write && !take_collector(access->source, now, words)))
          continue;
        served.push_back({BankId(bank), i, access->sub_banks, kAllLanes});
        if (!separate) break;
        taken |= 1u << access->write;
        if (taken == 3) break;
      }
    }
  }

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
