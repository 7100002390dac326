#pragma once

// Family "bank arbiter": chooses the accesses that the banks serve in a cycle, among those that wait. Plain
// C++.

#include <cstdint>
#include <span>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"

namespace heddle {

/// An access that waits at its bank: the members that every arbiter uses.
struct WaitingWord {
  Cycle from = 0;           ///< first cycle in which the access may be served
  std::uint32_t entry = 0;  ///< accesses with the same number keep their order (EntryFormat::order_of)
  LaneMask mask = kAllLanes;
  std::uint16_t source = 0;  ///< collector number, or RegisterAccess::kResultBus
  bool write = false;
  bool takes = false;  ///< a read that moves the value out of its row; it is ordered like a write
};

/// A waiting access with the members for arbiters that serve several accesses together.
struct WaitingAccess : WaitingWord {
  /// Sub-banks that the access opens; 0: unknown until an older write to the entry is served.
  std::uint8_t sub_banks = 0x0f;
  bool left = false;  ///< the register is left-aligned in its row (RowDrive)
  /// Row that the access opens; equal to `entry` unless the format stores the register in another row.
  std::uint32_t row = 0;
  const void* owner = nullptr;  ///< instruction of the access, the same for all its accesses; nullptr: none
};

/// The accesses of one bank in order of acceptance.
using BankQueueView = std::span<const WaitingAccess>;

/// True if access `i` of a bank would overtake an older access to the same entry, and one of the two is a
/// write.
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
  /// Banks with an access that may be served in this cycle. The set may include banks whose accesses all have
  /// to wait.
  std::uint64_t waiting_banks = 0;
  std::span<const BankQueueView> banks;
  bool separate_ports = false;     ///< true: a bank serves one read and one write (1R1W); false: one access
  int operands_per_collector = 3;  ///< words that one collector can accept in a cycle
  bool sliced_collectors = false;  ///< a collector accepts each of the four sub-banks by its own port
  std::uint64_t busy_read = 0;     ///< banks whose read port is busy with an earlier access
  std::uint64_t busy_write = 0;    ///< banks whose write port is busy; a busy single port is in both
};

/// Reason why an arbiter that can join accesses served an access alone.
enum class Alone : std::uint8_t {
  /// No reason: no other access waits, the access has a partner, or the arbiter joins no accesses.
  none_waits,
  overlap,   ///< the possible partner opens a common sub-bank, and neither access opens all sub-banks
  full,      ///< the possible partner opens a common sub-bank, and one of the two opens all sub-banks
  collector  ///< the collector of the possible partner accepts no more words
};

struct ServedAccess {
  BankId bank{};
  std::uint32_t position = 0;  ///< position in the bank's queue
  std::uint8_t sub_banks = 0x0f;
  LaneMask lanes = kAllLanes;  ///< driven lanes, set by the banks
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

  /// Chooses the accesses of a cycle; called at most once a cycle. Appends them to `served`, positions of one
  /// bank in ascending order. An access must not be served before an older one to the same entry, unless both
  /// are reads, and not by a busy port. The accesses that a port serves in one cycle must not overlap in
  /// sub-banks.
  virtual void choose(const ArbiterView& view, ServedAccesses& served) = 0;

  /// True for limit studies, whose ports serve more than hardware can. Sub-banks may then overlap, and the
  /// limits of collectors do not apply.
  virtual bool is_limit() const { return false; }

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the arbiter has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
