#pragma once

// Family "bank arbiter": in each cycle, chooses the accesses that the register banks serve among the accesses
// that wait. Plain C++.

#include <cstdint>
#include <span>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"

namespace heddle {

/// An access that waits at its bank, with the members that every arbiter uses.
struct WaitingWord {
  Cycle from = 0;  ///< first cycle in which the access may be served
  /// order number (EntryFormat::order_of); accesses to one bank with the same number keep their order
  std::uint32_t entry = 0;
  LaneMask mask = kAllLanes;
  /// number of the collector that reads, or RegisterAccess::kResultBus for a result
  std::uint16_t source = 0;
  bool write = false;
  bool takes = false;  ///< true: a read that moves the value out of its row; the read is ordered like a write
};

/// A waiting access with the additional members for arbiters that serve several accesses of a bank together.
struct WaitingAccess : WaitingWord {
  /// Sub-banks that the access opens. 0 means unknown: they depend on an older waiting write to the same
  /// register.
  std::uint8_t sub_banks = 0x0f;
  bool left = false;  ///< the register is left-aligned in its row (RowDrive)
  /// Row of the bank that the access opens. `row` differs from `entry` only if the format stores the register
  /// in another row.
  std::uint32_t row = 0;
  /// identifies the instruction of the access; nullptr if the access belongs to no instruction
  const void* owner = nullptr;
};

/// The accesses that wait at one bank, in order of acceptance.
using BankQueueView = std::span<const WaitingAccess>;

/// Returns true if serving access `i` now would overtake an older access to the same entry, and at least one
/// of the two is a write.
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
  /// Banks with an access that may be served in this cycle. The set may include banks whose accesses must all
  /// wait.
  std::uint64_t waiting_banks = 0;
  std::span<const BankQueueView> banks;
  /// true: a bank serves one read and one write in a cycle (1R1W); false: one access in a cycle
  bool separate_ports = false;
  int operands_per_collector = 3;  ///< words that one collector can accept in a cycle
  /// true: a collector accepts the bytes of each of the four sub-banks by a separate port
  bool sliced_collectors = false;
  std::uint64_t busy_read = 0;  ///< bit b: the read port of bank b is busy with an earlier access
  /// bit b: the write port of bank b is busy; a busy single port sets the bit in both masks
  std::uint64_t busy_write = 0;
};

/// Reason why an arbiter that can serve pairs of accesses served an access without a partner.
enum class Alone : std::uint8_t {
  /// There is nothing to explain: no other access waits for the bank, or the access was served together with
  /// another one, or the arbiter never serves two accesses of a bank together.
  none_waits,
  overlap,  ///< the possible partner opens one of the same sub-banks, and neither access opens all sub-banks
  /// the possible partner opens one of the same sub-banks, and one of the accesses opens all sub-banks
  full,
  collector  ///< the collector of the possible partner accepts no more words in this cycle
};

struct ServedAccess {
  BankId bank{};
  std::uint32_t position = 0;  ///< position of the access in the bank's queue
  std::uint8_t sub_banks = 0x0f;
  LaneMask lanes = kAllLanes;  ///< lanes that the access drives; set by the banks, not by the arbiter
  Alone alone = Alone::none_waits;
};
using ServedAccesses = GrowingArray<ServedAccess>;

class BankArbiter {
 public:
  struct Context {
    int banks = 16;
    int collectors = 16;
  };
  static constexpr const char* kFamily = "bank arbiter";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.arbiter";
  virtual ~BankArbiter() = default;

  /// Chooses the accesses that are served in cycle view.now and appends them to `served`. Called at most once
  /// per cycle. Positions in the same bank must be in ascending order. A busy port must serve no access. An
  /// access must not be served before an older access to the same entry, unless both are reads. Accesses that
  /// one port serves in the same cycle must not open a common sub-bank.
  virtual void choose(const ArbiterView& view, ServedAccesses& served) = 0;

  /// Returns true for an arbiter of a limit study, whose ports serve more than hardware can. Accesses of one
  /// cycle may then open a common sub-bank, and collectors accept any number of words.
  virtual bool is_limit() const { return false; }

  /// Adds the arbiter's probe points, at which observers and RTL blocks see its choices
  /// (models/core/probe.h).
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
