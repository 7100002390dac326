#pragma once

// Defines the connection between an SM and the memory system: the plain TLM-2.0 base protocol with the
// generic payload. Any TLM memory can be bound, and may ignore the extension.
//
// Requests read or write up to 128 bytes within one 128-byte line. A write that skips bytes carries byte
// enables. An atomic operation is a TLM_IGNORE_COMMAND with `atomic` set in the extension. This request
// carries the operations of all lanes of a warp that access one line. The request must pass an AtomicUnit
// (models/memory), because a plain memory cannot perform atomic operations.

#include <cstdint>
#include <tlm>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/types.h"

namespace heddle {

inline constexpr unsigned kLineBytes = 128;

/// Lanes of an atomic operation on one 128-byte line. The memory applies the lanes in ascending order.
struct AtomicLanes {
  isa::AtomicOp operation = isa::AtomicOp::none;
  isa::DataType type = isa::DataType::none;
  LaneMask lanes = 0;
  /// True if the AtomicUnit has performed the operation. A response with `performed` false is an error.
  bool performed = false;
  std::uint8_t offset[kLanes];
  std::uint64_t operand_b[kLanes];  ///< operand of each lane; for cas, the value to compare with
  std::uint64_t operand_c[kLanes];  ///< for cas: the value that each lane writes if the comparison succeeds
  std::uint64_t old[kLanes];        ///< result of each lane: the value in memory before this lane's operation
};

struct MemoryEdgeExtension : tlm::tlm_extension<MemoryEdgeExtension> {
  SmId sm{};
  KernelId kernel{};
  bool atomic = false;
  AtomicLanes lanes;

  tlm::tlm_extension_base* clone() const override { return new MemoryEdgeExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MemoryEdgeExtension&>(other);
  }
};

using MemoryInitiatorSocket = tlm::tlm_initiator_socket<>;
using MemoryTargetSocket = tlm::tlm_target_socket<>;

}  // namespace heddle
