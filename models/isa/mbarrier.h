#pragma once

// mbarrier objects of sm_80 (PTX ISA 9.0, 9.7.13.15): 64 bits in shared memory that count the arrivals of a phase. The
// layout is assumed: pending arrivals in bits 0 to 19, expected arrivals in bits 20 to 39, a constant that marks an
// initialized object in bits 40 to 62, and the parity of the phase in bit 63.

#include <cstdint>
#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

constexpr bool is_mbarrier(AtomicOp op) { return op >= AtomicOp::mb_init; }
constexpr bool is_mbarrier(const Instruction& i) { return is_mbarrier(i.modifiers.atomic); }
/// Returns true for mbarrier.test_wait and mbarrier.try_wait, which do not change the mbarrier object.
constexpr bool reads_mbarrier(AtomicOp op) { return op == AtomicOp::mb_test || op == AtomicOp::mb_wait; }
/// Returns true for cp.async.mbarrier.arrive, which arrives when all earlier copies of the lane are complete.
constexpr bool arrives_after_copies(AtomicOp op) {
  return op == AtomicOp::mb_copies || op == AtomicOp::mb_copies_noinc;
}

inline constexpr std::uint64_t kMostArrivals = (1u << 20) - 1;
inline constexpr int kPhaseBit = 63;

constexpr std::uint64_t pending_arrivals(std::uint64_t object) { return object & kMostArrivals; }
constexpr std::uint64_t phase_of(std::uint64_t object) { return object >> kPhaseBit; }
/// Returns the parity of the phase that a test_wait or try_wait tests. `operand`: the 64-bit state that an
/// arrive returned, or a 32-bit parity.
constexpr std::uint64_t awaited_phase(const Instruction& i, std::uint64_t operand) {
  return i.src[1].bits == 64 ? phase_of(operand) : operand & 1u;
}

/// Returns the reason why the operation is not allowed for the mbarrier object; empty if it is allowed.
std::string mbarrier_fault(AtomicOp op, std::uint64_t object, std::uint64_t count);

/// Returns the value of the mbarrier object after the operation. mb_copies adds a pending arrival, and an
/// mb_arrive subtracts it when the copies are complete.
std::uint64_t apply_mbarrier(AtomicOp op, std::uint64_t object, std::uint64_t count);

}  // namespace heddle::isa
