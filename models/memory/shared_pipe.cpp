#include "models/memory/shared_pipe.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/async_copy.h"
#include "models/isa/matrix_rows.h"
#include "models/isa/mbarrier.h"
#include "models/memory/access_check.h"
#include "models/memory/lane_transfer.h"
#include "models/memory/matrix_transfer.h"

namespace heddle {
namespace {

int bank_width(const LoadStoreParameters& p) {
  const int bytes = p.shared.bank_width_bytes;
  if (bytes != 4 && bytes != 8)
    throw Error("load_store.shared.bank_width_bytes", std::to_string(bytes) + " bytes are no word of a bank",
                "4 or 8");
  return bytes;
}

}  // namespace

SharedPipe::SharedPipe(const LoadStoreParameters& p, int cta_slots, Cycle delay, const StatsScope& stats)
    : delay_(delay),
      replay_cycles_(static_cast<Cycle>(p.shared.replay_cycles)),
      atomic_pass_cycles_(static_cast<unsigned>(p.shared.atomic_pass_cycles)),
      memory_(static_cast<std::uint32_t>(p.shared.bytes), static_cast<std::uint32_t>(cta_slots)),
      banks_(p.shared.banks, bank_width(p)),
      accesses_(stats.add("shared_accesses", "warp-instructions", "accesses of shared memory")),
      passes_(stats.add("shared_passes", "cycles",
                        "banks of shared memory busy: shared_accesses + shared_conflict_cycles")),
      conflicts_(stats.add("shared_conflict_cycles", "cycles", "passes after the first of each access")),
      reads_(stats.add("shared_bank_reads", "accesses", "words read from banks")),
      writes_(stats.add("shared_bank_writes", "accesses", "words written to banks")) {}

Cycle SharedPipe::run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now) {
  const isa::Instruction& instruction = *item.instruction;
  const CtaSlot slot = item.context->cta_slot;
  if (memory_.size(slot) < item.context->launch->shared_bytes())
    throw InternalError("a warp runs without its CTA's shared memory");
  const bool load = instruction.op == isa::Opcode::ld, store = instruction.op == isa::Opcode::st;
  const bool only_reads = load || isa::reads_mbarrier(instruction.modifiers.atomic);
  BankUse use = only_reads || store ? banks_.access(addresses, lanes) : banks_.atomic(addresses, lanes);
  if (!store) reads_ += use.words;
  if (!only_reads) writes_ += use.words;
  const BlockPart all{0, addresses.bytes};
  if (isa::moves_matrices(instruction)) {
    move_matrices(item, addresses);
  } else if (load) {
    load_lanes(instruction, item.operands, lanes, addresses, memory_.data(slot), isa::kSharedWindow, all);
  } else if (store) {
    store_lanes(instruction, item.operands, lanes, addresses, memory_.data(slot), isa::kSharedWindow, all);
  } else {
    atomics(item, addresses, lanes);
    if (!only_reads) use.passes *= atomic_pass_cycles_;
  }
  item.passes = static_cast<std::uint16_t>(use.passes);
  item.transfers = static_cast<std::uint16_t>(use.words);
  occupy(use, now);
  const bool returns = load || instruction.op == isa::Opcode::atom;
  const Cycle replays = (use.passes - 1) * replay_cycles_;
  return now + replays + (returns ? delay_ - 1 : 0);
}

void SharedPipe::land(const InFlight& copy, const WarpAddresses& addresses, LaneMask lanes,
                      const std::uint8_t* bytes, Cycle now) {
  const BankUse use = banks_.access(addresses, lanes);
  std::uint8_t* const memory = memory_.data(copy.context->cta_slot);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(memory + (addresses.at(lane) - isa::kSharedWindow),
                bytes + isa::kMostCopyBytes * static_cast<unsigned>(lane), addresses.bytes);
  }
  writes_ += use.words;
  occupy(use, now);
}

void SharedPipe::occupy(const BankUse& use, Cycle now) {
  ++accesses_;
  passes_ += use.passes;
  conflicts_ += use.passes - 1;
  free_from_ = now + use.passes;
}

void SharedPipe::move_matrices(InFlight& item, const WarpAddresses& addresses) {
  std::uint8_t* const bytes = memory_.data(item.context->cta_slot);
  if (item.instruction->op == isa::Opcode::ld)
    load_matrices(*item.instruction, item.operands, addresses, bytes, isa::kSharedWindow);
  else
    store_matrices(*item.instruction, item.operands, addresses, bytes, isa::kSharedWindow);
}

void SharedPipe::atomics(InFlight& item, const WarpAddresses& addresses, LaneMask lanes) {
  const isa::Instruction& instruction = *item.instruction;
  std::uint8_t* bytes = memory_.data(item.context->cta_slot);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (isa::is_mbarrier(instruction)) {
      const std::uint64_t object = apply_mbarrier(
          item, lane, addresses.at(lane), instruction.modifiers.atomic, source_value(item.operands, 1, lane));
      return_old_value(instruction, item.operands, lane, object);
      continue;
    }
    std::uint8_t* at = bytes + (addresses.at(lane) - isa::kSharedWindow);
    const std::uint64_t c = instruction.num_src > 2 ? source_value(item.operands, 2, lane) : 0;
    const std::uint64_t old = apply_atomic_at(at, addresses.bytes, instruction.modifiers.atomic,
                                              instruction.type, source_value(item.operands, 1, lane), c);
    return_old_value(instruction, item.operands, lane, old);
  }
}

// Performs an operation on an mbarrier object, and returns the object's value before the operation. Throws
// Error if the state of the object does not permit the operation.
std::uint64_t SharedPipe::apply_mbarrier(const InFlight& item, int lane, std::uint64_t address,
                                         isa::AtomicOp op, std::uint64_t count) {
  std::uint8_t* const at = memory_.data(item.context->cta_slot) + (address - isa::kSharedWindow);
  std::uint64_t object;
  std::memcpy(&object, at, sizeof object);
  if (const std::string fault = isa::mbarrier_fault(op, object, count); !fault.empty())
    fail_access({item.instruction, item.context->launch, item.context->cta, item.context->warp_in_cta}, lane,
                fault);
  const std::uint64_t after = isa::apply_mbarrier(op, object, count);
  std::memcpy(at, &after, sizeof after);
  mbarrier_changed_ = mbarrier_changed_ || after != object;
  return object;
}

void SharedPipe::arrive(const InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now) {
  BankUse use = banks_.atomic(addresses, lanes);
  use.passes *= atomic_pass_cycles_;
  reads_ += use.words;
  writes_ += use.words;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    apply_mbarrier(item, lane, addresses.at(lane), isa::AtomicOp::mb_arrive, 1);
  }
  occupy(use, now);
}

bool SharedPipe::phases_over(const InFlight& item, const WarpAddresses& addresses, LaneMask lanes) {
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint64_t object;
    std::memcpy(&object, memory_.data(item.context->cta_slot) + (addresses.at(lane) - isa::kSharedWindow),
                sizeof object);
    const std::uint64_t operand = source_value(item.operands, 1, lane);
    if (isa::phase_of(object) == isa::awaited_phase(*item.instruction, operand)) return false;
  }
  return true;
}

Cycle SharedPipe::finish_wait(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now) {
  atomics(item, addresses, lanes);
  return now + delay_ - 1;
}

}  // namespace heddle
