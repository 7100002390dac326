#pragma once

// Family "bank arbiter": which of the accesses that wait at the banks are served in a cycle. Plain C++.

#include <cstdint>
#include <span>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"

namespace heddle {

/// An access that waits at its bank: what every arbiter looks at.
struct WaitingWord {
  Cycle from = 0;           ///< may be served from this cycle on
  std::uint32_t entry = 0;  ///< accesses to one entry keep their order (EntryFormat::order_of)
  LaneMask mask = kAllLanes;
  std::uint16_t source = 0;  ///< collector, or RegisterAccess::kResultBus
  bool write = false;
  bool takes = false;  ///< a read that takes the value out of its row: in order like a write
};

/// And what those do that join accesses.
struct WaitingAccess : WaitingWord {
  std::uint8_t sub_banks = 0x0f;  ///< that it opens; 0: not known yet, an older write to its entry waits
  bool left = false;              ///< the row lies at the left of its bank (RowDrive)
  std::uint32_t row = 0;  ///< that it opens; the same as `entry` unless the format stores it elsewhere
  const void* owner =
      nullptr;  ///< the instruction that it belongs to, the same for all its accesses; or nullptr
};

/// The accesses of one bank in order of acceptance.
using BankQueueView = std::span<const WaitingAccess>;

/// True if access `i` of a bank would overtake an older one to the same entry that it must follow: one of the
/// two is a write.
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
  /// Banks with an access that may be served in this cycle; others at which accesses wait may be among them.
  std::uint64_t waiting_banks = 0;
  std::span<const BankQueueView> banks;
  bool separate_ports = false;     ///< 1R1W: one read and one write; else one access
  int operands_per_collector = 3;  ///< words that one collector can take in a cycle
  bool sliced_collectors = false;  ///< a collector takes the four sub-banks by ports of their own
  std::uint64_t busy_read = 0;     ///< banks whose read port an earlier access still takes
  std::uint64_t busy_write = 0;    ///< the same of the write port; of a single port, in both
};

/// Why an arbiter that joins accesses served one alone.
enum class Alone : std::uint8_t {
  none_waits,  ///< or it is not alone, or the arbiter joins nothing
  overlap,     ///< what might have gone with it opens a sub-bank that it opens, and neither opens all
  full,        ///< the same, and one of both opens all
  collector    ///< or goes to a collector that takes no more
};

struct ServedAccess {
  BankId bank{};
  std::uint32_t position = 0;  ///< in the bank's queue
  std::uint8_t sub_banks = 0x0f;
  LaneMask lanes = kAllLanes;  ///< driven, set by the banks
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

  /// Called at most once a cycle. Appends the served accesses, positions of one bank in ascending order. An
  /// access must not be served before an older one to the same entry unless both are reads, nor by a busy
  /// port. Accesses that a bank serves by one port in a cycle do not overlap in sub-banks.
  virtual void choose(const ArbiterView& view, ServedAccesses& served) = 0;

  /// Serves more than one port can, for limit studies: the last rule, and those of the collectors, do not
  /// bind it.
  virtual bool is_limit() const { return false; }

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
