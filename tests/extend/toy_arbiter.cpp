// A plug-in bank arbiter: all banks together serve one access per cycle, in turn.

#include "models/banks/i_bank_arbiter.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

class OneAtATime : public BankArbiter {
 public:
  OneAtATime(const NoParameters&, Context&) {}

  void choose(const ArbiterView& view, ServedAccesses& served) override {
    const auto count = static_cast<std::uint32_t>(view.banks.size());
    for (std::uint32_t step = 1; step <= count; ++step) {
      const std::uint32_t bank = (last_ + step) % count;
      if (!(view.waiting_banks >> bank & 1)) continue;
      const WaitingAccess& oldest = view.banks[bank].front();
      const std::uint64_t busy = oldest.write ? view.busy_write : view.busy_read;
      if (oldest.from > view.now || (busy >> bank & 1)) continue;
      served.push_back({BankId(bank), 0, oldest.sub_banks, kAllLanes});
      last_ = bank;
      return;
    }
  }

 private:
  std::uint32_t last_ = 0;
};

const Registration<BankArbiter, OneAtATime> toy_arbiter_entry{"toy-one-at-a-time",
                                                              "one access in a cycle for all banks together"};

}  // namespace
}  // namespace heddle
