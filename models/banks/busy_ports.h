#pragma once

// Ports of banks whose accesses may take longer than a cycle.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/ids.h"

namespace heddle {

class BusyPorts {
 public:
  /// `separate`: a bank has a read port and a write port; else one for both.
  BusyPorts(std::size_t banks, bool separate) : separate_(separate), until_(banks * 2) {}

  /// The access takes its port in `now` and in the cycles before now + cycles.
  void take(Cycle now, BankId bank, bool write, Cycle cycles) {
    if (cycles == 1) return;
    const Cycle until = now + cycles;
    if (!separate_ || !write) until_[2 * bank.value] = until;
    if (!separate_ || write) until_[2 * bank.value + 1] = until;
    last_until_ = std::max(last_until_, until);
  }
  /// Which are busy in view.now.
  void show(ArbiterView& view) const {
    if (last_until_ == 0) return;
    view.busy_read = view.busy_write = 0;
    if (last_until_ <= view.now) return;
    for (std::size_t b = 0; 2 * b < until_.size(); ++b) {
      if (until_[2 * b] > view.now) view.busy_read |= std::uint64_t{1} << b;
      if (until_[2 * b + 1] > view.now) view.busy_write |= std::uint64_t{1} << b;
    }
  }

 private:
  bool separate_;
  std::vector<Cycle> until_;  ///< by bank and port
  Cycle last_until_ = 0;
};

}  // namespace heddle
