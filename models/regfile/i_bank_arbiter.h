#pragma once

// Family "bank arbiter": which of the accesses that wait at the banks are served in a cycle. Plain C++.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

struct WaitingAccess {
  bool write = false;
  std::uint16_t source = 0;  ///< collector, or RegisterAccess::kResultBus
  std::uint32_t entry = 0;
  LaneMask mask = kAllLanes;
  Cycle from = 0;  ///< may be served from this cycle on
};

/// The accesses of one bank in order of acceptance.
using BankQueueView = std::span<const WaitingAccess>;

struct ArbiterView {
  Cycle now = 0;
  std::uint64_t waiting_banks = 0;  ///< banks with at least one access
  std::span<const BankQueueView> banks;
  bool separate_ports = false;     ///< 1R1W: one read and one write; else one access
  int operands_per_collector = 3;  ///< words that one collector can take in a cycle
};

struct ServedAccess {
  BankId bank{};
  std::uint32_t position = 0;  ///< in the bank's queue
  std::uint8_t slices = 0x0f;  ///< 32-byte slices of the entry that are driven: bit s = lanes 8s to 8s + 7
};

class BankArbiter {
 public:
  struct Context {
    int banks = 16;
    int collectors = 16;
  };
  static constexpr const char* kFamily = "bank arbiter";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.arbiter";
  virtual ~BankArbiter() = default;

  /// Appends the served accesses, positions of one bank in ascending order. An access must not be served
  /// before an older one to the same entry unless both are reads.
  virtual void choose(const ArbiterView& view, std::vector<ServedAccess>& served) = 0;
};

}  // namespace heddle
