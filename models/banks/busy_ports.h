#pragma once

// Records which ports of the register banks are busy, because an access occupies its port for more than one
// cycle.

#include <bit>
#include <cstdint>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/ids.h"

namespace heddle {

class BusyPorts {
 public:
  /// `separate`: each bank has a read port and a write port instead of one port for both.
  BusyPorts(std::size_t banks, bool separate) : separate_(separate), until_(banks * 2) {}

  void take(Cycle now, BankId bank, bool write, Cycle cycles) {
    if (cycles != 1) take_longer(now, bank, write, cycles);
  }
  void show(ArbiterView& view) {
    view.busy_read = busy_in(view.now, 0);
    view.busy_write = busy_in(view.now, 1);
  }

 private:
  void take_longer(Cycle now, BankId bank, bool write, Cycle cycles) {
    const Cycle until = now + cycles;
    for (const bool port : {false, true})
      if (!separate_ || write == port) {
        until_[2 * bank.value + port] = until;
        busy_[port] |= std::uint64_t{1} << bank.value;
      }
  }
  std::uint64_t busy_in(Cycle now, std::size_t port) {
    for (std::uint64_t rest = busy_[port]; rest; rest &= rest - 1)
      if (until_[2 * static_cast<std::size_t>(std::countr_zero(rest)) + port] <= now)
        busy_[port] &= ~(rest & -rest);
    return busy_[port];
  }

  bool separate_;
  std::vector<Cycle> until_;
  /// Bit b of element 0 is for the read port of bank b, bit b of element 1 for the write port. 0: the port is
  /// free. 1: an access may still occupy the port.
  std::uint64_t busy_[2] = {0, 0};
};

}  // namespace heddle
