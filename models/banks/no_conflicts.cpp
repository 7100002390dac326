// Models a limit study (Radaideh 2021, Fig. 1): no access to the register banks waits for a bank, a port or a
// collector. An access waits only for older accesses to the same entry.

#include <bit>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

class NoConflicts : public BankArbiter {
 public:
  NoConflicts(const NoParameters&, Context&) {}

  bool is_limit() const override { return true; }

  void choose(const ArbiterView& view, ServedAccesses& served) override {
    for (std::uint64_t rest = view.waiting_banks; rest; rest &= rest - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
      const BankQueueView queue = view.banks[bank];
      for (std::uint32_t i = 0; i < queue.size(); ++i) {
        const std::uint64_t busy = queue[i].write ? view.busy_write : view.busy_read;
        if (queue[i].from <= view.now && !(busy >> bank & 1) && !overtakes(queue, i))
          served.push_back({BankId(bank), i, queue[i].sub_banks, kAllLanes});
      }
    }
  }
};

const Registration<BankArbiter, NoConflicts> no_conflicts_entry{
    "no-conflicts", "every access at once: a limit, not hardware"};

const Arrays<BankArbiter> no_conflicts_arrays{"no-conflicts", {}};

}  // namespace
}  // namespace heddle
