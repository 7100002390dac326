// Dispatch of the load/store unit: which instruction goes when, and what shared memory and constants do with
// it.

#include <algorithm>

#include "models/core/error.h"
#include "models/memory/load_store_parts.h"

namespace heddle {
namespace {

bool releases(const isa::MemoryAccess& form) {
  return form.ordering == isa::Ordering::release || form.ordering == isa::Ordering::acq_rel;
}

/// How many different addresses the lanes have.
unsigned count_addresses(const WarpAddresses& addresses, LaneMask lanes) {
  if (addresses.low == addresses.high) return 1;
  unsigned different = 0;
  while (lanes != 0) {
    const std::uint64_t some = addresses.at(std::countr_zero(lanes));
    for (LaneMask left = lanes; left != 0; left &= left - 1)
      if (addresses.at(std::countr_zero(left)) == some) lanes &= ~(1u << std::countr_zero(left));
    ++different;
  }
  return different;
}

}  // namespace

void LoadStoreUnit::Parts::dispatch(Cycle now) {
  const std::size_t count = partitions.size();
  bool dispatched = false;
  for (std::size_t index = 0; index < count; ++index) {
    Partition& p = *partitions[index];
    if (p.input.empty()) {
      waiting.filled &= ~(std::uint64_t{1} << index);
      continue;
    }
    if (dispatched) {  // one a cycle
      retry = now + 1;
      return;
    }
    const Attempt attempt = try_dispatch(p, static_cast<int>(index), now);
    if (attempt.dispatched) {
      dispatched = true;
      if (!p.input.empty()) retry = std::min(retry, std::max(p.address_free, now + 1));
    } else {
      retry = std::min(retry, attempt.retry);
    }
  }
}

LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::try_dispatch(Partition& p, int index, Cycle now) {
  if (!p.input.can_pop()) return {false, now + 1};
  if (p.address_free > now) return {false, p.address_free};
  InFlight& item = *p.input.front();
  const isa::Instruction& instruction = *item.instruction;
  const std::size_t warp = item.warp().value;
  const auto waits_of_it = [&item](const Leaving& fence) { return fence.item->warp() == item.warp(); };
  if (!fences.empty() && std::any_of(fences.begin(), fences.end(), waits_of_it)) return {};
  if (instruction.op == isa::Opcode::membar) {
    ++fence_count;
    take(p, now);
    fences.push_back({&item, index});
    finish_fences(now);
    return {true};
  }
  if (item.mask == 0 || instruction.op == isa::Opcode::prefetch) {
    Counter& kind = instruction.op == isa::Opcode::prefetch ? prefetches
                    : instruction.op == isa::Opcode::ld     ? loads
                    : instruction.op == isa::Opcode::st     ? stores
                    : instruction.op == isa::Opcode::tex    ? look_ups
                                                            : atomics;
    ++kind;
    take(p, now);
    leaving.push(now, {&item, index});
    return {true};
  }
  if (instruction.op == isa::Opcode::tex) return dispatch_look_up(p, index, now);
  if (releases(instruction.memory) && (operations[warp] || unacknowledged[warp])) return {};
  return dispatch_access(p, index, now);
}

void LoadStoreUnit::Parts::take(Partition& p, Cycle now) {
  p.input.pop();
  p.address_free = now + address_interval;
  if (p.is_staged) --waiting.staged;
  p.is_staged = false;
}

void LoadStoreUnit::Parts::stage(Partition& p, InFlight& item) {
  if (!p.staged) p.staged = global.take_operation();
  MemoryOperation& o = *p.staged;
  o.item = &item;
  o.site = {item.instruction, item.context->launch, item.context->cta, item.context->warp_in_cta};
  patterns.make(*item.instruction, item.operands, item.mask, o.addresses);
  p.lanes = route_and_check(o.site, o.addresses, context.image, constants);
  p.is_staged = true;
  ++waiting.staged;
}

LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::dispatch_look_up(Partition& p, int index, Cycle now) {
  if (!textures.can_take()) return {false, now + 1};
  InFlight& item = *p.input.front();
  ++look_ups;
  textures.enqueue(item, index, constants, context.image);
  take(p, now);
  return {true};
}

LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::dispatch_access(Partition& p, int index, Cycle now) {
  InFlight& item = *p.input.front();
  if (!p.is_staged) stage(p, item);
  const RoutedLanes& lanes = p.lanes;
  if (lanes.shared && shared_free > now) return {false, shared_free};
  if (lanes.constant && constant_free > now) return {false, constant_free};
  const bool to_global = (lanes.global | lanes.local) != 0;
  if (to_global && !global.can_take()) return {};

  Counter& kind = item.instruction->op == isa::Opcode::ld   ? loads
                  : item.instruction->op == isa::Opcode::st ? stores
                                                            : atomics;
  ++kind;
  Cycle due = now;
  if (lanes.shared) due = std::max(due, run_shared(p, item, now));
  if (lanes.constant) due = std::max(due, run_constant(p, item, now));
  take(p, now);
  if (to_global)
    start_global(p, index, due);
  else
    leaving.push(due, {&item, index});
  return {true};
}

Cycle LoadStoreUnit::Parts::run_shared(const Partition& p, InFlight& item, Cycle now) {
  const isa::Instruction& instruction = *item.instruction;
  const WarpAddresses& addresses = p.staged->addresses;
  const CtaSlot slot = item.context->cta_slot;
  if (shared.size(slot) < item.context->launch->shared_bytes())
    throw InternalError("a warp runs without its CTA's shared memory");
  const bool load = instruction.op == isa::Opcode::ld, store = instruction.op == isa::Opcode::st;
  BankUse use =
      load || store ? banks.access(addresses, p.lanes.shared) : banks.atomic(addresses, p.lanes.shared);
  if (!store) shared_reads += use.words;
  if (!load) shared_writes += use.words;
  const BlockPart all{0, addresses.bytes};
  if (load) {
    load_lanes(instruction, item.operands, p.lanes.shared, addresses, shared.data(slot), isa::kSharedWindow,
               all);
  } else if (store) {
    store_lanes(instruction, item.operands, p.lanes.shared, addresses, shared.data(slot), isa::kSharedWindow,
                all);
  } else {
    atomics_in_shared(addresses, p.lanes.shared, item);
    use.passes *= static_cast<unsigned>(parameters.shared.atomic_pass_cycles);
  }
  item.passes = static_cast<std::uint16_t>(use.passes);
  ++shared_accesses;
  shared_passes += use.passes;
  shared_conflicts += use.passes - 1;
  shared_free = now + use.passes;
  const bool returns = load || instruction.op == isa::Opcode::atom;
  const Cycle replays = (use.passes - 1) * static_cast<Cycle>(parameters.shared.replay_cycles);
  return now + replays + (returns ? shared_delay - 1 : 0);
}

void LoadStoreUnit::Parts::atomics_in_shared(const WarpAddresses& addresses, LaneMask lanes, InFlight& item) {
  const isa::Instruction& instruction = *item.instruction;
  std::uint8_t* bytes = shared.data(item.context->cta_slot);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* at = bytes + (addresses.at(lane) - isa::kSharedWindow);
    const std::uint64_t c = instruction.num_src > 2 ? source_value(item.operands, 2, lane) : 0;
    const std::uint64_t old = apply_atomic_at(at, addresses.bytes, instruction.modifiers.atomic,
                                              instruction.type, source_value(item.operands, 1, lane), c);
    return_old_value(instruction, item.operands, lane, old);
  }
}

Cycle LoadStoreUnit::Parts::run_constant(const Partition& p, InFlight& item, Cycle now) {
  const WarpAddresses& addresses = p.staged->addresses;
  const BlockPart all{0, addresses.bytes};
  const isa::KernelLaunch& launch = *item.context->launch;
  const unsigned different = count_addresses(addresses, p.lanes.constant);
  if (different == 1) {
    const std::uint64_t some = addresses.at(std::countr_zero(p.lanes.constant));
    load_lanes(*item.instruction, item.operands, p.lanes.constant, addresses,
               constants.find(some, addresses.bytes, launch), some, all);
  } else {
    for (LaneMask left = p.lanes.constant; left != 0; left &= left - 1) {
      const std::uint64_t address = addresses.at(std::countr_zero(left));
      load_lanes(*item.instruction, item.operands, left & -left, addresses,
                 constants.find(address, addresses.bytes, launch), address, all);
    }
  }
  ++constant_accesses;
  constant_addresses += different;
  constant_free = now + different;
  return now + (different - 1) + (constant_delay - 1);
}

void LoadStoreUnit::Parts::start_global(Partition& p, int index, Cycle not_before) {
  MemoryOperation& o = *p.staged;
  p.staged = nullptr;
  o.partition = index;
  o.not_before = not_before;
  if (p.lanes.local) {
    const std::uint64_t warp = context.first_warp_index + o.item->warp().value;
    const std::uint64_t words = o.site.launch->program->local_bytes / 4;
    std::array<std::uint64_t, kLanes> at;
    for (int lane = 0; lane < kLanes; ++lane) {
      at[static_cast<std::size_t>(lane)] = o.addresses.at(lane);
      if (p.lanes.local >> lane & 1)
        at[static_cast<std::size_t>(lane)] = isa::local_backing_address(
            warp, words, o.addresses.at(lane) - isa::kLocalWindow, static_cast<unsigned>(lane));
    }
    const std::uint64_t some = at[static_cast<std::size_t>(std::countr_zero(o.addresses.mask))];
    for (LaneMask left = ~o.addresses.mask; left != 0; left &= left - 1)
      at[static_cast<std::size_t>(std::countr_zero(left))] = some;
    patterns.make(at, o.addresses);
  }
  o.begin(p.lanes.global, p.lanes.local);
  ++operations[o.item->warp().value];
  global.enqueue(&o);
}

}  // namespace heddle
