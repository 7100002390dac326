// Memory model "cached": L2 slices, over which addresses are interleaved, in front of memory channels. Cache
// lines hold their own data. The memory image (the contents of device memory without the caches) is complete
// only after drain() has written all dirty lines back.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/isa/address_map.h"
#include "models/memory/backing_store.h"
#include "models/memory/i_memory_model.h"
#include "models/memory/l2_slice.h"

namespace heddle {
namespace {

class Cached : public IMemoryModel, public tlm::tlm_fw_transport_if<> {
 public:
  Cached(const sc_core::sc_module_name& name, const CachedParameters& configured, Context& context);

  MemoryTargetSocket& socket() override { return socket_; }
  void begin_kernel() override {
    for (auto& slice : slices_) slice->refresh();
    if (std::exchange(copies_due_, false)) warm_with_copies();
  }
  void drain() override {
    for (auto& slice : slices_) slice->drain();
  }
  Cycle lookahead() const override { return hit_delay_; }
  void answer_ahead() override { responses_.answer_ahead(clock().period()); }
  std::size_t held_lines() const override {
    return static_cast<std::size_t>(parameters_.l2.bytes) / kSegmentBytes;
  }
  void hold(const std::vector<std::uint64_t>& addresses) override {
    for (auto& slice : slices_) slice->forget();
    warm(addresses);
    for (auto& slice : slices_) slice->warmed();
  }
  void hold(const std::vector<std::uint64_t>& addresses, const std::vector<std::uint64_t>& still) override;
  bool idle() const override {
    for (const auto& slice : slices_)
      if (!slice->idle()) return false;
    return !held_ && responses_.idle();
  }
  bool flip_bit(std::uint64_t address, unsigned bit) override {
    std::uint8_t* held = slice_of(address).probe(address);
    if (!held || bit > 7) return flip_image_bit(image_, address, bit);
    *held ^= static_cast<std::uint8_t>(1u << bit);
    return true;
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    transport_dbg(payload);
    delay += parameters_.l2.latency_cycles * clock().period();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  void tick() override;
  std::size_t slice_number(std::uint64_t address) const {
    return address / static_cast<unsigned>(parameters_.l2.interleave_bytes) % slices_.size();
  }
  L2Slice& slice_of(std::uint64_t address) { return *slices_[slice_number(address)]; }
  void give(std::size_t slice, tlm::tlm_generic_payload& payload, Cycle now) {
    slices_[slice]->queue.push(now, &payload);
    due_[slice] = std::min(due_[slice], now + 1);
  }
  inline Cycle step_slices(Cycle now);
  void warm_with_copies();
  void warm(const std::vector<std::uint64_t>& addresses) {
    for (const std::uint64_t address : addresses) slice_of(address).warm(address);
  }

  CachedParameters parameters_;
  Cycle hit_delay_ = 0;
  MemoryTargetSocket socket_;
  MemoryImage& image_;
  L2Counters counters_;
  ResponseSender responses_;
  SmPaths paths_;
  bool copies_due_;
  std::vector<DramChannel> channels_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<Cycle> due_;
  DueHeap<L2Slice::Fill> fills_;
  Cycle next_ = 0;
  /// Request that arrived while the queue of its slice was full. The request gets END_REQ when the request
  /// enters the queue.
  tlm::tlm_generic_payload* held_ = nullptr;
};

bool is_buffer(const MemoryImage::Allocation& allocation) {
  const std::uint64_t base = allocation.base;
  const bool of_module = base >= isa::kModuleGlobals && base < isa::kBuffers;
  return isa::window_of(base) == isa::Window::global && !of_module && base < isa::kLocalBacking;
}

std::size_t checked_sets(const CachedParameters& p) {
  const int set_bytes = p.l2.slices * p.l2.ways * static_cast<int>(kSegmentBytes);
  if (p.l2.bytes % set_bytes != 0)
    throw Error("memory.l2.bytes",
                fmt::format("{} bytes are no whole number of sets of {} slices of {} ways", p.l2.bytes,
                            p.l2.slices, p.l2.ways),
                fmt::format("a multiple of {}", set_bytes));
  if (p.l2.interleave_bytes % static_cast<int>(kSegmentBytes) != 0)
    throw Error("memory.l2.interleave_bytes",
                fmt::format("{} is no multiple of a line", p.l2.interleave_bytes),
                fmt::format("a multiple of {}", kSegmentBytes));
  if (p.l2.slices % p.dram.channels != 0)
    throw Error("memory.dram.channels",
                fmt::format("{} channels do not divide {} slices", p.dram.channels, p.l2.slices),
                "a divisor of memory.l2.slices");
  return static_cast<std::size_t>(p.l2.bytes / set_bytes);
}

Cached::Cached(const sc_core::sc_module_name& name, const CachedParameters& configured, Context& context)
    : IMemoryModel(name, context.clock),
      parameters_(configured.scaled(context.sms)),
      socket_("socket"),
      image_(context.image),
      counters_(context.stats),
      responses_(socket_),
      paths_(configured.l2.sm_bytes_per_cycle),
      copies_due_(configured.l2.holds_copies) {
  const CachedParameters& parameters = parameters_;
  const std::size_t sets = checked_sets(parameters);
  const int hit_delay = parameters.l2.latency_cycles - context.path_overhead_cycles - 1;
  if (hit_delay < 1)
    throw Error("memory.l2.latency_cycles",
                fmt::format("{} cycles are less than the path to the L2 takes", parameters.l2.latency_cycles),
                fmt::format("{} or more", context.path_overhead_cycles + 2));
  hit_delay_ = static_cast<Cycle>(hit_delay);
  channels_.assign(static_cast<std::size_t>(parameters.dram.channels), DramChannel(parameters.dram));
  for (int i = 0; i < parameters.l2.slices; ++i)
    slices_.push_back(std::make_unique<L2Slice>(
        parameters.l2, sets, channels_[static_cast<std::size_t>(i % parameters.dram.channels)],
        L2Surroundings{image_, responses_, paths_, counters_, hit_delay_}));
  due_.resize(slices_.size(), kNever);
  socket_.bind(*this);
}

void Cached::warm_with_copies() {
  for (const auto& allocation : image_.allocations()) {
    if (!is_buffer(*allocation)) continue;
    const auto& data = allocation->data;
    if (std::all_of(data.begin(), data.end(), [](std::uint8_t byte) { return byte == 0; })) continue;
    for (std::uint64_t at = 0; at < allocation->bytes; at += kSegmentBytes)
      slice_of(allocation->base + at).warm(allocation->base + at);
  }
  for (auto& slice : slices_) slice->warmed();
}

void Cached::hold(const std::vector<std::uint64_t>& addresses, const std::vector<std::uint64_t>& still) {
  std::unordered_set<std::uint64_t> lines;
  for (const std::uint64_t address : still) lines.insert(address / kSegmentBytes);
  std::vector<std::uint64_t> used;
  for (auto& slice : slices_) slice->used(used);
  for (auto& slice : slices_) slice->warmed();
  for (auto& slice : slices_) slice->forget();
  warm(addresses);
  std::erase_if(used, [&lines](std::uint64_t address) { return !lines.contains(address / kSegmentBytes); });
  warm(used);
  for (auto& slice : slices_) slice->warmed();
}

tlm::tlm_sync_enum Cached::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time&) {
  const Cycle now = clock().sync();
  clock().wake();
  next_ = std::min(next_, now + 1);
  if (phase == tlm::END_RESP) {
    responses_.end();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (payload.has_mm()) payload.acquire();
  const std::size_t slice = slice_number(payload.get_address());
  if (!slices_[slice]->queue.can_push(now)) {
    held_ = &payload;
    return tlm::TLM_ACCEPTED;
  }
  give(slice, payload, now);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

// Runs each L2 slice that has work in this cycle. Returns the next cycle in which a slice has work, without
// regard to lines that arrive from DRAM. A stalled slice runs in every tick, because it counts stall cycles.
Cycle Cached::step_slices(Cycle now) {
  Cycle next = kNever;
  for (std::size_t s = 0; s < due_.size(); ++s) {
    Cycle due = due_[s];
    if (due <= now) {
      L2Slice& slice = *slices_[s];
      slice.step(now, fills_);
      due = slice.next_event(now);
      due_[s] = slice.stalled() ? 0 : due;
    }
    next = std::min(next, due);
  }
  return next;
}

void Cached::tick() {
  if (now() < next_) return;
  while (fills_.due(now())) {
    const L2Slice::Fill fill = fills_.pop();
    fill.slice->fill(fill.entry, now());
  }
  Cycle next = step_slices(now());
  if (held_) {
    const std::size_t number = slice_number(held_->get_address());
    const L2Slice& slice = *slices_[number];
    if (slice.queue.can_push(now())) {
      give(number, *held_, now());
      tlm::tlm_generic_payload& payload = *held_;
      held_ = nullptr;
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket_->nb_transport_bw(payload, phase, delay);
      next = now() + 1;
    } else if (slice.queue.size() < slice.queue.capacity()) {
      next = now() + 1;
    }
  }
  responses_.tick(now());
  next = std::min({next, fills_.next(), responses_.next_event()});
  next_ = next;
  if (next != kNever) clock().due_at(next);
}

unsigned Cached::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!access_image(image_, payload)) return 0;
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    std::uint8_t* held = slice_of(payload.get_address() + i).probe(payload.get_address() + i);
    if (!held) continue;
    if (payload.is_read()) payload.get_data_ptr()[i] = *held;
    if (payload.is_write()) *held = payload.get_data_ptr()[i];
  }
  return payload.get_data_length();
}

const ModuleRegistration<IMemoryModel, Cached, MemoryParameters<CachedParameters>> cached_entry{
    "cached", "L2 cache in slices over memory channels with latency and bandwidth"};

}  // namespace
}  // namespace heddle
