#include "models/memory/texture_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/isa/address_map.h"
#include "models/memory/lane_transfer.h"

namespace heddle {

TextureUnit::TextureUnit(const TextureParameters& p, int hit_delay_cycles, GlobalPipe& memory,
                         TextureClient& client, const StatsScope& s)
    : parameters_(p),
      hit_delay_(static_cast<Cycle>(hit_delay_cycles - 1)),
      memory_(memory),
      client_(client),
      cache_("load_store.texture.bytes", p.bytes, p.ways),
      misses_(p.mshrs, p.mshr_merges),
      stall_(s, "stall_texture_", "a quad"),
      quads_(s.add("texture_quads", "quads", "quads of threads with a look-up")),
      quad_cycles_(s.add("texture_quad_cycles", "quad-cycles",
                         "cycles of these quads: more than one each if filters or many lines take longer")),
      texels_(s.add("texture_texels", "texels", "texels of these quads without border texels")),
      lines_(s.add(
          "texture_lines", "accesses",
          "lines that quads look up in the texture cache: texture_hits + texture_merges + texture_misses")),
      hits_(s.add("texture_hits", "accesses", "served from the texture cache")),
      merges_(s.add("texture_merges", "accesses", "merged with a line that was already being fetched")),
      missed_(s.add("texture_misses", "accesses", "fetched from memory")),
      fills_(s.add("texture_fills", "lines", "lines written into the texture cache")) {}

isa::TextureHeader TextureUnit::header_at(const LookUp& o, int lane, std::uint64_t handle,
                                          const ConstantMemory& constants) const {
  isa::TextureHeader header;
  const std::uint8_t* bytes = isa::window_of(handle) == isa::Window::constant
                                  ? constants.find(handle, sizeof header, *o.site.launch)
                                  : nullptr;
  if (!bytes) fail_access(o.site, lane, fmt::format("{:#x} is no handle of a texture", handle));
  std::memcpy(&header, bytes, sizeof header);
  return header;
}

void TextureUnit::set_up_lane(LookUp& o, int lane, const ConstantMemory& constants,
                              const MemoryImage* image) {
  const isa::Instruction& instruction = *o.site.instruction;
  const isa::TextureAccess& access = instruction.texture;
  const isa::LaneOperands& operands = o.item->operands;
  const auto at = static_cast<std::size_t>(lane);
  const isa::TextureHeader texture = header_at(o, lane, source_value(operands, 0, lane), constants);
  const isa::TextureHeader sampler =
      access.own_sampler ? header_at(o, lane, source_value(operands, 1, lane), constants) : texture;
  if (const std::string fault = isa::look_up_fault(access, texture, sampler); !fault.empty())
    fail_access(o.site, lane, fault);
  std::size_t known = 0;
  while (known < o.headers.size() && !(o.headers[known] == texture)) ++known;
  if (known == o.headers.size()) o.headers.push_back(texture);
  o.header_of[at] = static_cast<std::uint8_t>(known);
  std::array<std::uint32_t, 4> coordinates{};
  const int first = access.own_sampler ? 2 : 1;
  for (int s = first; s < instruction.num_src; ++s)
    coordinates[static_cast<std::size_t>(s - first)] =
        static_cast<std::uint32_t>(source_value(operands, s, lane));
  isa::Footprint& footprint = o.footprints[at];
  footprint = isa::footprint_of(access, instruction.source_type, texture, sampler, coordinates);
  unsigned pending = 0;
  for (std::size_t k = 0; k < footprint.count; ++k) {
    if (footprint.at[k] == isa::Footprint::kBorder) continue;
    pending |= 1u << k;
    if (image && !image->find(footprint.at[k], texture.texel_bytes))
      fail_access(o.site, lane,
                  fmt::format("a texel of {} bytes at {:#x} is out of bounds: {}", texture.texel_bytes,
                              footprint.at[k], image->explain(footprint.at[k], texture.texel_bytes)));
  }
  o.pending[at] = static_cast<std::uint8_t>(pending);
}

void TextureUnit::enqueue(InFlight& item, int partition, const ConstantMemory& constants,
                          const MemoryImage* image) {
  LookUp& o = pool_.take();
  o.item = &item;
  o.site = {item.instruction, item.context->launch, item.context->cta, item.context->warp_in_cta};
  o.partition = partition;
  o.headers.clear();
  o.pending.fill(0);
  o.quad = o.lines = o.waiting = 0;
  o.not_before = 0;
  o.all_requested = false;
  for (LaneMask left = item.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    set_up_lane(o, lane, constants, image);
    texels_ += static_cast<std::uint64_t>(std::popcount(o.pending[static_cast<std::size_t>(lane)]));
  }
  ++inside_;
  queue_.push(&o);
}

void TextureUnit::step(Cycle now) {
  stall_.end(now);
  const Cycle most = static_cast<Cycle>(parameters_.quads_per_cycle);
  // credit_ is the number of quads that the unit may still process. The unit gets quads_per_cycle credits per
  // cycle. A quad that takes several cycles makes credit_ negative, so the unit processes fewer quads in
  // later cycles. The unit saves unused credits of at most one cycle.
  const std::int64_t earned = static_cast<std::int64_t>((now - credited_) * most) + credit_;
  credit_ = static_cast<int>(std::min(earned, static_cast<std::int64_t>(most)));
  credited_ = now;
  while (!queue_.empty() && credit_ > 0) {
    LookUp& o = *queue_.front();
    const LaneMask lanes = o.item->mask >> (o.quad * kQuadLanes) & ((1u << kQuadLanes) - 1);
    if (lanes != 0) {
      if (stall_.begin(now, look_up_quad(o))) return;
      const unsigned time = cost(o);
      ++quads_;
      quad_cycles_ += time;
      credit_ -= static_cast<int>(time);
      o.not_before = now + hit_delay_;
    }
    o.lines = 0;
    if (++o.quad < kQuads) continue;
    queue_.pop();
    o.all_requested = true;
    if (o.waiting == 0) finish(o, now);
  }
}

TextureUnit::Stall TextureUnit::look_up_quad(LookUp& o) {
  const std::size_t first = std::size_t{o.quad} * kQuadLanes;
  for (std::size_t lane = first; lane < first + kQuadLanes; ++lane) {
    while (o.pending[lane] != 0) {
      const std::uint64_t texel =
          o.footprints[lane].at[static_cast<std::size_t>(std::countr_zero(o.pending[lane]))];
      const std::uint64_t line = texel / kSegmentBytes * kSegmentBytes;
      const Waiter waiter = take_line(o, line);
      if (const std::uint8_t* bytes = cache_.lookup(line)) {
        deliver(waiter, line, bytes);
        ++hits_;
      } else if (const Stall stall = query(waiter, line); stall != Stall::none) {
        for (std::size_t k = 0; k < kQuadLanes; ++k) o.pending[first + k] |= waiter.texels[k];
        return stall;
      }
      ++lines_;
      ++o.lines;
    }
  }
  return Stall::none;
}

TextureUnit::Waiter TextureUnit::take_line(LookUp& o, std::uint64_t line) const {
  Waiter waiter{&o, o.quad, {}};
  for (std::size_t k = 0; k < kQuadLanes; ++k) {
    const std::size_t lane = std::size_t{o.quad} * kQuadLanes + k;
    for (unsigned left = o.pending[lane]; left != 0; left &= left - 1)
      if (o.footprints[lane].at[static_cast<std::size_t>(std::countr_zero(left))] - line < kSegmentBytes)
        waiter.texels[k] |= static_cast<std::uint8_t>(left & -left);
    o.pending[lane] &= static_cast<std::uint8_t>(~waiter.texels[k]);
  }
  return waiter;
}

void TextureUnit::deliver(const Waiter& waiter, std::uint64_t line, const std::uint8_t* bytes) {
  LookUp& o = *waiter.look_up;
  for (std::size_t k = 0; k < kQuadLanes; ++k) {
    const std::size_t lane = std::size_t{waiter.quad} * kQuadLanes + k;
    const std::size_t size = o.headers.empty() ? 0 : o.headers[o.header_of[lane]].texel_bytes;
    for (unsigned left = waiter.texels[k]; left != 0; left &= left - 1) {
      const auto number = static_cast<std::size_t>(std::countr_zero(left));
      std::memcpy(o.texels[lane][number].data(), bytes + (o.footprints[lane].at[number] - line), size);
    }
  }
}

TextureUnit::Stall TextureUnit::query(const Waiter& waiter, std::uint64_t line) {
  LookUp& o = *waiter.look_up;
  int entry = misses_.find_open(line);
  if (entry >= 0) {
    if (!misses_.can_merge(entry)) return Stall::merges;
    ++merges_;
  } else {
    entry = misses_.find_free();
    if (entry < 0) return Stall::mshr;
    if (!memory_.port().ready()) return Stall::memory;
    misses_.open(entry, line);
    memory_.request_line(o.site, o.item->warp(), o.item->mask, line, &o, entry);
    ++missed_;
  }
  misses_.join(entry, waiter);
  ++o.waiting;
  return Stall::none;
}

void TextureUnit::filled(const MemoryRequest& request, Cycle now) {
  const std::uint64_t line = request.line();
  if (misses_.is_open(request.entry)) {
    cache_.install(line, request.data);
    ++fills_;
  }
  for (const Waiter& waiter : misses_.waiters(request.entry)) {
    deliver(waiter, line, request.data);
    if (--waiter.look_up->waiting == 0 && waiter.look_up->all_requested) finish(*waiter.look_up, now);
  }
  misses_.release(request.entry);
}

/// Returns the cycles that the current quad takes: the larger of the filter's cycles and the cycles to access
/// the cache lines. In one cycle, the filter reads four texels of up to 4 bytes for each thread.
unsigned TextureUnit::cost(const LookUp& o) const {
  unsigned passes = 1;
  for (std::size_t lane = std::size_t{o.quad} * kQuadLanes; lane < std::size_t{o.quad + 1} * kQuadLanes;
       ++lane) {
    if (!((o.item->mask >> lane) & 1u)) continue;
    const std::uint32_t bytes = o.headers[o.header_of[lane]].texel_bytes;
    const bool filters = o.footprints[lane].count > 1;
    const unsigned wide = filters && bytes > 4 ? bytes / 4 : 1;
    passes = std::max(passes, (o.footprints[lane].count > 4 ? 2u : 1u) * wide);
  }
  const auto lines = static_cast<unsigned>(parameters_.lines_per_quad_cycle);
  return std::max(passes, (o.lines + lines - 1) / lines);
}

void TextureUnit::finish(LookUp& o, Cycle now) {
  isa::LaneOperands& operands = o.item->operands;
  for (LaneMask left = o.item->mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto at = static_cast<std::size_t>(lane);
    const auto components = isa::filtered(o.site.instruction->texture, o.headers[o.header_of[at]],
                                          o.footprints[at], o.texels[at]);
    for (std::size_t c = 0; c < 4; ++c)
      if (LaneVec* result = operands.dst[c][0]) (*result)[lane] = components[c];
  }
  --inside_;
  client_.looked_up(*o.item, o.partition, std::max(now, o.not_before));
  pool_.give_back(o);
}

Cycle TextureUnit::next_event(Cycle now) const {
  const bool may_step =
      stall_.reason() == Stall::none || (stall_.reason() == Stall::memory && memory_.port().ready());
  return !queue_.empty() && may_step ? now + 1 : kNever;
}

void TextureUnit::empty_cache() {
  cache_.invalidate_all();
  misses_.close_all();
}

}  // namespace heddle
