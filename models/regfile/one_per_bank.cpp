// The conventional arbiter: every bank serves its oldest access that can go, one a port; a collector takes as
// many operand words in a cycle as its port allows.

#include <bit>

#include "models/core/registry.h"
#include "models/ports/register_access.h"
#include "models/regfile/i_bank_arbiter.h"

namespace heddle {
namespace {

class OnePerBank : public BankArbiter {
 public:
  OnePerBank(const NoParameters&, Context& context) : taken_(static_cast<std::size_t>(context.collectors)) {}

  void choose(const ArbiterView& view, std::vector<ServedAccess>& served) override {
    const Ports ports{view.now, view.busy_read, view.busy_write, view.operands_per_collector,
                      view.separate_ports};
    for (std::uint64_t rest = view.waiting_banks & ~(ports.busy_read & ports.busy_write); rest;
         rest &= rest - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
      serve_bank(ports, bank, view.banks[bank], served);
    }
  }

 private:
  /// Of the cycle: what all banks ask of the view.
  struct Ports {
    Cycle now;
    std::uint64_t busy_read, busy_write;
    int operands_per_collector;
    bool separate;
  };

  void serve_bank(const Ports& ports, std::uint32_t bank, const BankQueueView& queue,
                  std::vector<ServedAccess>& served) {
    // Bit 0: the read port is taken, bit 1: the write port.
    unsigned taken = 0;
    if (ports.busy_read | ports.busy_write) [[unlikely]]
      taken = (ports.busy_read >> bank & 1) | (ports.busy_write >> bank & 1) << 1;
    const WaitingAccess* access = queue.data();
    for (std::uint32_t i = 0; i < queue.size(); ++i, ++access) {
      if (access->from > ports.now || (taken >> access->write & 1) || (i != 0 && overtakes(queue, i)))
        continue;
      if (!access->write && !take_collector(access->source, ports)) continue;
      served.push_back({BankId(bank), i, access->sub_banks, kAllLanes});
      if (!ports.separate) return;
      taken |= 1u << access->write;
      if (taken == 3) return;
    }
  }

  bool take_collector(std::uint16_t source, const Ports& ports) {
    if (source >= taken_.size()) return true;
    Taken& taken = taken_[source];
    if (taken.in != ports.now) taken = {ports.now, 0};
    if (taken.words >= ports.operands_per_collector) return false;
    ++taken.words;
    return true;
  }

  struct Taken {
    Cycle in = kNever;  ///< the cycle that `words` counts
    int words = 0;
  };
  std::vector<Taken> taken_;  ///< by collector
};

const Registration<BankArbiter, OnePerBank> one_per_bank_entry{"one-per-bank",
                                                               "the oldest access of every bank and port"};

}  // namespace
}  // namespace heddle
