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
    for (std::uint64_t rest = asked(view); rest; rest &= rest - 1) {
      const BankId bank(static_cast<std::uint32_t>(std::countr_zero(rest)));
      const BankQueueView& queue = view.banks[bank.value];
      Positions chosen;
      const std::size_t count = choose_at(view, bank, queue, chosen);
      for (std::size_t n = 0; n < count; ++n)
        served.push_back({bank, chosen[n], queue[chosen[n]].sub_banks, kAllLanes});
    }
  }

  // The same for who serves bank by bank, from the lowest number up.
  using Positions = std::uint32_t[2];
  static std::uint64_t asked(const ArbiterView& view) {
    return view.waiting_banks & ~(view.busy_read & view.busy_write);
  }
  /// What the bank serves, in ascending order; returns how many.
  [[gnu::always_inline]] std::size_t choose_at(const ArbiterView& view, BankId bank,
                                               const BankQueueView& queue, Positions& chosen) {
    const bool separate = view.separate_ports;  // a read and a write port; else one of both
    // Bit 0: the read port is taken, bit 1: the write port.
    unsigned taken = 0;
    if (separate) taken = (view.busy_read >> bank.value & 1) | (view.busy_write >> bank.value & 1) << 1;
    std::size_t count = 0;
    const WaitingAccess* access = queue.data();
    for (std::uint32_t i = 0, size = static_cast<std::uint32_t>(queue.size()); i < size; ++i, ++access) {
      if (access->from > view.now || (separate && (taken >> access->write & 1))) continue;
      if ((i != 0 && overtakes(queue, i)) ||
          (!access->write && !take_collector(access->source, view.now, view.operands_per_collector)))
        continue;
      chosen[count++] = i;
      if (!separate) break;
      taken |= 1u << access->write;
      if (taken == 3) break;
    }
    return count;
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
