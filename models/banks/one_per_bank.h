#pragma once

// Models the conventional bank arbiter. In each cycle, every port of a bank serves its oldest access that may
// be served. A collector accepts at most its configured number of operand words per cycle.

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/registry.h"

namespace heddle {

class OnePerBank final : public BankArbiter {
 public:
  static constexpr const char* kName = "one-per-bank";
  using Waiting = WaitingWord;

  OnePerBank(const NoParameters&, Context& context) : taken_(static_cast<std::size_t>(context.collectors)) {}

  void choose(const ArbiterView& view, ServedAccesses& served) override {
    Turn turn(*this, view);
    for (std::uint64_t rest = requested(view); rest; rest &= rest - 1) {
      const BankId bank(static_cast<std::uint32_t>(std::countr_zero(rest)));
      const BankQueueView& queue = view.banks[bank.value];
      const auto serve = [&](std::uint32_t at) {
        if (at != kNone) served.push_back({bank, at, queue[at].sub_banks, kAllLanes});
      };
      if (!view.separate_ports) {
        serve(turn.oldest<Port::both>(queue));
        continue;
      }
      const auto [first, second] = turn.oldest_by_port(view, bank, queue);
      serve(first);
      serve(second);
    }
  }
  static std::uint64_t requested(const ArbiterView& view) {
    return view.waiting_banks & ~(view.busy_read & view.busy_write);
  }

  enum class Port : std::uint8_t { both, read, write };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  class Turn {
   public:
    Turn(OnePerBank& arbiter, const ArbiterView& view)
        : now_(view.now),
          taken_(arbiter.taken_.data()),
          collectors_(arbiter.taken_.size()),
          none_(view.now * kMostWords),
          all_(none_ + static_cast<std::uint64_t>(view.operands_per_collector)) {}

    template <Port kPort, class Queue>
    std::uint32_t oldest(const Queue& queue) {
      const auto* access = queue.data();
      for (std::uint32_t i = 0, size = static_cast<std::uint32_t>(queue.size()); i < size; ++i, ++access) {
        if (access->from > now_) continue;
        if (kPort != Port::both && access->write != (kPort == Port::write)) continue;
        if (i != 0 && overtakes(queue.data(), i)) continue;
        if (access->write || take_collector(access->source)) return i;
      }
      return kNone;
    }
    /// Chooses the oldest access for the bank's read port and for its write port. Returns the positions of
    /// these two accesses in the queue, in ascending order; kNone: the port serves none.
    template <class Queue>
    std::pair<std::uint32_t, std::uint32_t> oldest_by_port(const ArbiterView& view, BankId bank,
                                                           const Queue& queue) {
      const bool reads = !(view.busy_read >> bank.value & 1), writes = !(view.busy_write >> bank.value & 1);
      const std::uint32_t read = reads ? oldest<Port::read>(queue) : kNone;
      const std::uint32_t write = writes ? oldest<Port::write>(queue) : kNone;
      return std::minmax({read, write});
    }

   private:
    bool take_collector(std::uint16_t source) {
      if (source >= collectors_) return true;
      const std::uint64_t taken = std::max(taken_[source], none_);
      if (taken >= all_) return false;
      taken_[source] = taken + 1;
      return true;
    }

    const Cycle now_;
    std::uint64_t* const taken_;
    const std::size_t collectors_;
    const std::uint64_t none_, all_;
  };

 private:
  static constexpr std::uint64_t kMostWords = 16;

  /// For each collector: kMostWords * cycle + words. `cycle`: the latest cycle in which the collector accepted
  /// a word. `words`: number of words that it accepted in this cycle.
  std::vector<std::uint64_t> taken_;
};

}  // namespace heddle
