#include "models/memory/load_store_parts.h"

#include <fmt/format.h>

#include <cstring>

#include "models/memory/local_memory.h"

namespace heddle {
namespace {

/// Returns the cycles that an access with one pass spends in the load/store unit, from input to output: the
/// configured latency minus the cycles in the rest of the pipeline.
int inner_delay(const char* key, int latency_cycles, const LoadStoreContext& context) {
  const int delay = latency_cycles - context.pipeline_overhead_cycles;
  if (delay < 1)
    throw Error(fmt::format("load_store.{}", key),
                fmt::format("{} cycles are less than the pipeline around the unit takes", latency_cycles),
                fmt::format("{} or more", context.pipeline_overhead_cycles + 1));
  return delay;
}

}  // namespace

LoadStoreUnit::Parts::Parts(LoadStoreUnit& u, const LoadStoreParameters& p, const LoadStoreContext& c)
    : unit(u),
      parameters(p),
      context(c),
      address_interval(static_cast<Cycle>((kLanes + p.lanes_per_cycle - 1) / p.lanes_per_cycle)),
      shared(p, c.cta_slots,
             static_cast<Cycle>(inner_delay("shared.latency_cycles", p.shared.latency_cycles, c)), c.stats),
      constants(static_cast<Cycle>(inner_delay("constant.latency_cycles", p.constant.latency_cycles, c)),
                p.constant, c.stats),
      global(p, p.l1.enabled ? inner_delay("l1.latency_cycles", p.l1.latency_cycles, c) : 1, c.sm, u,
             u.socket, *this, c.stats),
      async(patterns, shared, global),
      textures(p.texture, inner_delay("texture.latency_cycles", p.texture.latency_cycles, c), global, *this,
               c.stats),
      writes(c.warps),
      counts(c.stats),
      fence_cycles(c.stats.add("fence_wait_cycles", "cycles", "fences waited for acknowledgements, summed")) {
  for (int i = 0; i < c.partitions; ++i)
    partitions.push_back(std::make_unique<Partition>(i, u, p.input_queue_instructions));
  for (std::size_t i = 0; i < partitions.size(); ++i)
    partitions[i]->input.note_in(waiting.filled, static_cast<unsigned>(i));
  u.clock().leash().set_sender(*this);
}

void LoadStoreUnit::Parts::tick(Cycle now) {
  const bool quiet = global.quiet();
  if (!quiet) global.handle_responses(now);
  if (!fences.empty()) finish_fences(now);
  const auto leaves = [this](InFlight* item, int partition, Cycle due) {
    leaving.push(due, {item, partition});
  };
  if (async.any()) async.land(now, leaves);
  retry = kNever;
  if (waiting.filled) dispatch(now);
  if (async.any()) async.end_waits(now, leaves);
  if (!textures.quiet()) textures.step(now);
  if (!quiet || !global.quiet()) {
    global.step(now);
    global.send(now);
  }
  leave(now);
  unit.due_at(next_work(now));
}

void LoadStoreUnit::Parts::finished(MemoryOperation& operation, Cycle due) {
  if (!async.completed(operation)) writes.finished(operation.item->warp());
  any_finished = true;
  leaving.push(due, {operation.item, operation.partition});
}

void LoadStoreUnit::Parts::finish_fences(Cycle now) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    const Leaving fence = fences[i];
    if (!writes.fence_done(*fence.item)) {
      fences[kept++] = fence;
      continue;
    }
    if (fence.item->instruction->memory.scope != isa::Scope::cta && parameters.l1.fence_invalidates)
      global.empty_l1();
    leaving.push(now, fence);
  }
  fences.resize(kept);
}

void LoadStoreUnit::Parts::leave(Cycle now) {
  if (waiting.blocked != 0)
    for (auto& p : partitions)
      for (; !p->blocked.empty() && p->output.offer(p->blocked.front()); --waiting.blocked) p->blocked.pop();
  while (leaving.due(now)) {
    const Leaving next = leaving.pop();
    Partition& p = *partitions[static_cast<std::size_t>(next.partition)];
    counts.complete();
    if (p.blocked.empty() && p.output.offer(next.item)) continue;
    p.blocked.push(next.item);
    ++waiting.blocked;
  }
}

Cycle LoadStoreUnit::Parts::next_work(Cycle now) {
  Cycle next = std::min(retry, leaving.next());
  if (!global.quiet()) next = std::min(next, global.next_event(now));
  if (!textures.quiet()) next = std::min(next, textures.next_event(now));
  if (async.any()) next = std::min(next, async.next(now));
  if (waiting.blocked != 0 || (any_finished && !fences.empty())) next = now + 1;
  if (any_finished || waiting.staged != 0)
    for (const auto& p : partitions) {
      if (any_finished && !p->input.empty()) next = now + 1;
      if (p->is_staged && (p->lanes.global | p->lanes.local) && global.can_take())
        next = std::min(next, std::max(p->address_free, now + 1));
    }
  any_finished = false;
  return next;
}

LoadStoreUnit::LoadStoreUnit(const sc_core::sc_module_name& name, Clock& clock,
                             const LoadStoreParameters& parameters, const LoadStoreContext& context)
    : ClockedModule(name, clock),
      socket("socket"),
      parts_(std::make_unique<Parts>(*this, parameters, context)) {
  rest();
}

LoadStoreUnit::~LoadStoreUnit() = default;

void LoadStoreUnit::tick() { parts_->tick(now()); }

InstructionTargetSocket& LoadStoreUnit::input(int partition) {
  return parts_->partitions.at(static_cast<std::size_t>(partition))->input.socket;
}

InstructionInitiatorSocket& LoadStoreUnit::output(int partition) {
  return parts_->partitions.at(static_cast<std::size_t>(partition))->output.socket;
}

void LoadStoreUnit::begin_kernel(const isa::KernelLaunch&) {
  parts_->global.empty_l1();
  parts_->textures.empty_cache();
  if (parts_->context.image) parts_->constants.memory().load(*parts_->context.image);
}

SharedMemory& LoadStoreUnit::shared_memory() { return parts_->shared.memory(); }

bool LoadStoreUnit::idle() const {
  for (const auto& p : parts_->partitions)
    if (!p->input.empty() || !p->blocked.empty()) return false;
  return parts_->leaving.empty() && parts_->fences.empty() && !parts_->async.any() && parts_->global.idle() &&
         parts_->textures.idle();
}

bool LoadStoreUnit::stores_done(WarpId warp) const { return parts_->writes.none(warp); }

std::uint64_t LoadStoreUnit::instructions_inside() const { return parts_->counts.inside(); }

int LoadStoreUnit::requests_outstanding() const { return parts_->global.port().outstanding(); }

bool LoadStoreUnit::read_debug(std::uint64_t address, void* into, unsigned bytes) {
  return parts_->global.port().read_debug(address, into, bytes);
}

bool LoadStoreUnit::flip_shared_bit(CtaSlot slot, std::uint32_t offset, unsigned bit) {
  return parts_->shared.memory().flip_bit(slot, offset, bit);
}

bool LoadStoreUnit::flip_l1_bit(std::uint64_t address, unsigned bit) {
  return parts_->global.flip_l1_bit(address, bit);
}

void allocate_local_memory(MemoryImage& image, std::uint32_t bytes_per_thread, std::uint64_t warps) {
  if (image.find(isa::kLocalBacking, 1)) image.release(isa::kLocalBacking);
  if (bytes_per_thread == 0) return;
  auto& backing =
      image.allocate_at("local memory", isa::kLocalBacking, warps * bytes_per_thread * std::uint64_t{kLanes});
  for (std::size_t at = 0; at + 4 <= backing.bytes; at += 4) std::memcpy(&backing.data[at], &kPoison, 4);
}

}  // namespace heddle
