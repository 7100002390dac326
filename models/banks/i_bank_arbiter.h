#pragma once

// Interface of the bank arbiters. In each cycle, an arbiter chooses the waiting accesses that the register
// banks serve.

#include <cstdint>
#include <span>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"

namespace heddle {

/// An access that waits at its bank, with the members that every arbiter uses.
struct WaitingWord {
  Cycle from = 0;
  /// Order number. Accesses to one bank with the same number are served in order of arrival
  /// (EntryFormat::order_of).
  std::uint32_t entry = 0;
  LaneMask mask = kAllLanes;
  /// For a read: number of the operand collector. For a result: RegisterAccess::kResultBus.
  std::uint16_t source = 0;
  bool write = false;
  /// True for a read that moves the value out of its row, for example into a cache. Such a read is ordered
  /// like a write.
  bool takes = false;
};

/// A waiting access with additional members, for arbiters that serve several accesses of a bank in one cycle.
struct WaitingAccess : WaitingWord {
  std::uint8_t sub_banks = 0x0f;
  bool left = false;
  /// Row that the access opens. The row differs from `entry` if the entry format stores the register in the
  /// row of another entry.
  std::uint32_t row = 0;
  const void* owner = nullptr;
};

using BankQueueView = std::span<const WaitingAccess>;

/// Returns true if serving access `i` now would overtake an older access to the same entry. A read may
/// overtake reads.
template <class Waiting>
inline bool overtakes(const Waiting* queue, std::uint32_t i) {
  for (std::uint32_t j = 0; j < i; ++j)
    if (queue[j].entry == queue[i].entry &&
        (queue[j].write || queue[i].write || queue[j].takes || queue[i].takes))
      return true;
  return false;
}
inline bool overtakes(const BankQueueView& queue, std::uint32_t i) { return overtakes(queue.data(), i); }

struct ArbiterView {
  Cycle now = 0;
  /// Banks with an access that may be served in this cycle.
  std::uint64_t waiting_banks = 0;
  std::span<const BankQueueView> banks;
  bool separate_ports = false;
  int operands_per_collector = 3;
  /// True: a collector has one port for each quarter of a row.
  bool sliced_collectors = false;
  std::uint64_t busy_read = 0;  ///< Bit b: the read port of bank b is busy with an earlier access.
  /// Bit b: the write port of bank b is busy. If a bank has one port for reads and writes, its bits in
  /// busy_read and busy_write are equal.
  std::uint64_t busy_write = 0;
};

/// Reason why a bank served an access alone, although the arbiter can serve pairs of accesses.
enum class Alone : std::uint8_t {
  /// No second access waits, or this access was served in a pair, or the arbiter never serves pairs.
  none_waits,
  overlap,  ///< Both accesses open a common sub-bank, and neither opens all of the row.
  /// Both accesses open a common sub-bank, and one of the two accesses opens the whole row.
  full,
  collector  ///< The collector of the second access accepts no more words in this cycle.
};

struct ServedAccess {
  BankId bank{};
  std::uint32_t position = 0;
  std::uint8_t sub_banks = 0x0f;
  LaneMask lanes = kAllLanes;  ///< Lanes that the access drives. Set by the banks, not by the arbiter.
  Alone alone = Alone::none_waits;
};
using ServedAccesses = GrowingArray<ServedAccess>;

class BankArbiter {
 public:
  struct Context {
    int banks = 16;
    int collectors = 16;
    int sub_banks = 4;  ///< number of sub-banks of a row
  };
  static constexpr const char* kFamily = "bank arbiter";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.arbiter";
  virtual ~BankArbiter() = default;

  /// Appends the accesses that are served in cycle view.now to `served`, as positions in their bank's queue.
  /// Called at most once per cycle. An implementation must keep these rules:
  /// - The positions of one bank are in ascending order.
  /// - A busy port serves no access.
  /// - No access is served before an older access to the same entry, unless both are reads.
  /// - Several accesses are served at one port in one cycle only if they open different sub-banks.
  virtual void choose(const ArbiterView& view, ServedAccesses& served) = 0;

  /// Returns true for an arbiter of a limit study, which serves more than hardware can.
  virtual bool is_limit() const { return false; }

  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
