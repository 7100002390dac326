#pragma once

// Asynchronous copies of sm_80 (PTX ISA 9.0, 9.7.9.25.3): cp.async copies 4, 8 or 16 bytes of a lane from
// global to shared memory without registers. The instruction does not wait until the bytes have arrived. A
// lane waits for its groups of copies with cp.async.wait_group.

#include "models/isa/mbarrier.h"

namespace heddle::isa {

/// Sources of cp.async: global address, shared address and, optionally (kCopySize), the number of bytes to
/// read. The copy fills the rest of its bytes in shared memory with zeros.
enum CopySource : std::uint8_t { kCopyFrom, kCopyTarget, kCopySize };

inline constexpr unsigned kMostCopyBytes = 16;

/// Returns the offset that cp.async adds to its shared-memory address.
constexpr std::int64_t target_offset(const Instruction& i) { return static_cast<std::int64_t>(i.payload); }

/// Returns true for asynchronous copies and for mbarrier arrivals that wait for them. Barriers and fences do
/// not wait for these instructions.
constexpr bool is_asynchronous(const Instruction& i) {
  return i.op == Opcode::copy || arrives_after_copies(i.modifiers.atomic);
}

/// Returns true for mbarrier.try_wait.
constexpr bool waits_at_mbarrier(const Instruction& i) { return i.modifiers.atomic == AtomicOp::mb_wait; }

/// Returns true if a warp may wait for a long time directly after the instruction: barriers, fences,
/// cp.async.wait_group and mbarrier.try_wait.
constexpr bool may_suspend(const Instruction& i) {
  return i.op == Opcode::bar || i.op == Opcode::membar || i.op == Opcode::wait_group || waits_at_mbarrier(i);
}

/// Return the load and the store that together make up a cp.async. Neither of these two instructions has a
/// register for the data.
inline Instruction load_of_copy(const Instruction& i) {
  Instruction load = i;
  load.op = Opcode::ld;
  load.num_src = 1;
  load.payload = 0;
  return load;
}
inline Instruction store_of_copy(const Instruction& i) {
  Instruction store = i;
  store.op = Opcode::st;
  store.num_src = 1;
  store.src = {i.src[kCopyTarget]};
  store.memory = {};
  store.memory.space = Space::shared;
  store.memory.element_bytes = i.memory.element_bytes;
  store.memory.offset = target_offset(i);
  store.payload = 0;
  return store;
}

}  // namespace heddle::isa
