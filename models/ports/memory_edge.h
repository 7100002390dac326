#pragma once

// The SM's outer edge: the plain TLM-2.0 base protocol with the generic payload, so that anybody's TLM memory
// can be bound. One extension of ours may ride along; a memory that does not know it ignores it.
//
// Requests are reads and writes of up to 128 bytes within one 128-byte line (a write carries byte enables),
// one BEGIN_REQ each, completed by END_REQ/BEGIN_RESP/END_RESP or by an early TLM_COMPLETED, as the base
// protocol says. An atomic is a request with the extension's `atomic` set: it must meet an AtomicUnit
// (models/memory) before it reaches a memory.

#include <cstdint>
#include <tlm>

#include "models/core/ids.h"
#include "models/isa/types.h"

namespace heddle {

inline constexpr unsigned kLineBytes = 128;

struct MemoryEdgeExtension : tlm::tlm_extension<MemoryEdgeExtension> {
  SmId sm{};
  KernelId kernel{};
  bool atomic = false;
  isa::AtomicOp operation = isa::AtomicOp::none;
  isa::DataType type = isa::DataType::none;
  std::uint64_t operand_b = 0,
                operand_c = 0;  ///< one atomic operation: one lane's; the data pointer gets the old value

  tlm::tlm_extension_base* clone() const override { return new MemoryEdgeExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MemoryEdgeExtension&>(other);
  }
};

using MemoryInitiatorSocket = tlm::tlm_initiator_socket<>;
using MemoryTargetSocket = tlm::tlm_target_socket<>;

}  // namespace heddle
