
#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/isa/matrix_rows.h"
#include "models/memory/load_store_parts.h"
#include "models/ports/partial_warp.h"

namespace heddle {
namespace {

bool releases(const isa::MemoryAccess& form) {
  return form.ordering == isa::Ordering::release || form.ordering == isa::Ordering::acq_rel;
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
    if (dispatched) {
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
  const auto waits_of_it = [&item](const Leaving& fence) { return fence.item->warp() == item.warp(); };
  if (!fences.empty() && std::any_of(fences.begin(), fences.end(), waits_of_it)) return {};
  if (instruction.op == isa::Opcode::membar) {
    counts.take(instruction);
    take(p, now);
    fences.push_back({&item, index});
    finish_fences(now);
    return {true};
  }
  if (item.mask == 0 || instruction.op == isa::Opcode::prefetch) {
    counts.take(instruction);
    take(p, now);
    leaving.push(now, {&item, index});
    return {true};
  }
  if (instruction.op == isa::Opcode::tex) return dispatch_look_up(p, index, now);
  if (instruction.op == isa::Opcode::copy) return dispatch_copy(p, index, now);
  const bool releases_now = releases(instruction.memory) && !isa::is_asynchronous(instruction);
  if (releases_now && !writes.none(item.warp())) return {};
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
  if (isa::moves_matrices(*item.instruction) && item.mask != kAllLanes) refuse_partial_warp(item);
  if (item.instruction->op == isa::Opcode::copy) {
    p.lanes = async.check(o, context.image, constants.memory());
  } else {
    patterns.make(*item.instruction, item.operands, isa::address_lanes(*item.instruction, item.mask),
                  o.addresses);
    p.lanes = route_and_check(o.site, o.addresses, context.image, constants.memory());
  }
  p.is_staged = true;
  ++waiting.staged;
}

LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::dispatch_look_up(Partition& p, int index, Cycle now) {
  if (!textures.can_take()) return {false, now + 1};
  InFlight& item = *p.input.front();
  counts.take(*item.instruction);
  textures.enqueue(item, index, constants.memory(), context.image);
  take(p, now);
  return {true};
}

LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::dispatch_access(Partition& p, int index, Cycle now) {
  InFlight& item = *p.input.front();
  if (!p.is_staged) stage(p, item);
  const RoutedLanes& lanes = p.lanes;
  if (lanes.shared && shared.free_from() > now) return {false, shared.free_from()};
  if (lanes.constant && constants.free_from() > now) return {false, constants.free_from()};
  const bool to_global = (lanes.global | lanes.local) != 0;
  if (to_global && !global.can_take()) return {};

  counts.take(*item.instruction);
  Cycle due = now;
  if (lanes.shared) due = std::max(due, shared.run(item, p.staged->addresses, lanes.shared, now));
  if (lanes.constant) due = std::max(due, constants.run(item, p.staged->addresses, lanes.constant, now));
  take(p, now);
  if (to_global)
    start_global(p, index, due);
  else if (!isa::is_mbarrier(*item.instruction) || !async.keeps(item, index, p.staged->addresses, now))
    leaving.push(due, {&item, index});
  return {true};
}

// Dispatches an asynchronous copy. `writes` (outstanding memory operations of each warp) does not count copies,
// because fences of the warp do not wait for copies.
LoadStoreUnit::Parts::Attempt LoadStoreUnit::Parts::dispatch_copy(Partition& p, int index, Cycle now) {
  InFlight& item = *p.input.front();
  if (!p.is_staged) stage(p, item);
  if (!global.can_take()) return {false, now + 1};
  counts.take(*item.instruction);
  take(p, now);
  MemoryOperation& o = *std::exchange(p.staged, nullptr);
  o.partition = index;
  async.start(o, p.lanes.global, now);
  return {true};
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
  writes.began(o.item->warp());
  global.enqueue(&o);
}

}  // namespace heddle
