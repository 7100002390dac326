#pragma once

// The outer edge of an SM: the plain TLM-2.0 base protocol with the generic payload, so that any TLM memory
// can be bound. Requests may carry the extension below, which other memories ignore.
//
// Requests are reads and writes of up to 128 bytes within one 128-byte line. A write with holes carries byte
// enables. Each request is one BEGIN_REQ, completed by END_REQ/BEGIN_RESP/END_RESP or by an early
// TLM_COMPLETED, as the base protocol defines. An atomic is a TLM_IGNORE_COMMAND with the extension's
// `atomic` set. It must reach an AtomicUnit (models/memory) before a memory. One request carries all lanes of
// a warp that access one line.

#include <cstdint>
#include <tlm>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/types.h"

namespace heddle {

inline constexpr unsigned kLineBytes = 128;

/// The lanes of one atomic request, which are applied in ascending order.
struct AtomicLanes {
  isa::AtomicOp operation = isa::AtomicOp::none;
  isa::DataType type = isa::DataType::none;  ///< type of 32 or 64 bits
  LaneMask lanes = 0;
  bool performed = false;           ///< set by the AtomicUnit; a response without it is an error
  std::uint8_t offset[kLanes];      ///< byte offset of the lane's datum in the line
  std::uint64_t operand_b[kLanes];  ///< value, or comparison value of cas
  std::uint64_t operand_c[kLanes];  ///< swap value of cas
  std::uint64_t old[kLanes];        ///< result: content before this lane's operation
};

struct MemoryEdgeExtension : tlm::tlm_extension<MemoryEdgeExtension> {
  SmId sm{};
  KernelId kernel{};
  bool atomic = false;
  AtomicLanes lanes;  ///< valid if `atomic`

  tlm::tlm_extension_base* clone() const override { return new MemoryEdgeExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MemoryEdgeExtension&>(other);
  }
};

using MemoryInitiatorSocket = tlm::tlm_initiator_socket<>;
using MemoryTargetSocket = tlm::tlm_target_socket<>;

}  // namespace heddle
