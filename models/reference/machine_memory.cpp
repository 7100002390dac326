#include <bit>
#include <cstring>

#include "models/isa/narrow_space.h"
#include "models/reference/machine.h"

// Loads, stores and atomics of the reference.

namespace heddle::reference {
namespace {

/// Address operand plus offset of every lane. A 32-bit address wraps modulo 2^32 (`high` is nullptr).
void make_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                    std::array<std::uint64_t, kLanes>& addresses) {
  if (high) {
    for (int i = 0; i < kLanes; ++i)
      addresses[i] = (low[i] | std::uint64_t{(*high)[i]} << 32) + static_cast<std::uint64_t>(offset);
  } else {
    for (int i = 0; i < kLanes; ++i) addresses[i] = low[i] + static_cast<std::uint32_t>(offset);
  }
}

/// In the order of the lanes, as all addresses would be told: lanes that do not take part have the address of the first that
/// does.
void tell(AccessSink& sink, const EvenAddresses& even, LaneMask active, bool writes) {
  constexpr int kHalf = EvenAddresses::kHalf;
  if (active == kAllLanes && even.joined())
    return sink.accessed_evenly(even.first[0], even.step, kLanes, writes);
  const std::uint64_t some = even.at(std::countr_zero(active));
  for (int half = 0; half < 2; ++half) {
    const LaneMask lanes = active >> half * kHalf & ((LaneMask{1} << kHalf) - 1);
    const int first = lanes ? std::countr_zero(lanes) : kHalf, count = count_lanes(lanes);
    if (first > 0) sink.accessed_evenly(some, 0, 1, writes);
    if (count > 0) sink.accessed_evenly(even.at(half * kHalf + first), even.step, count, writes);
    if (first < kHalf && first + count < kHalf) sink.accessed_evenly(some, 0, 1, writes);
  }
}

void count(const ResolvedAccess& access, ReferenceResult& result) {
  result.global_accesses += access.touches_global;
  result.global_segments += access.global_segments;
  result.shared_accesses += access.touches_shared;
  result.local_accesses += access.touches_local;
}

}  // namespace

void Machine::resolve_access(WarpState& warp, const DecodedInstruction& d, AccessKind kind,
                             LaneMask executing, ResolvedAccess& access) {
  // In most accesses lanes are evenly spaced, and nobody asks for every address.
  const Source& source = d.src[0];
  if (options_.observer || (source.kind != Source::Kind::warp && source.kind != Source::Kind::pool))
    return resolve_lane_by_lane(warp, d, kind, executing, access);
  const isa::MemoryAccess& form = d.instruction->memory;
  const LaneVec* const low =
      (source.kind == Source::Kind::warp ? warp.values.data() : decoded_.pool.data()) + source.index;
  const LaneVec* const high = source.wide && !isa::is_narrow(form.space) ? low + 1 : nullptr;
  const auto even = even_addresses(*low, high, form.offset, executing);
  if (!even || !resolve_even(memory_of_turn_, form, kind, executing, *even, access))
    return resolve_lane_by_lane(warp, d, kind, executing, access);
  count(access, result_);
  if (options_.global_accesses && access.touches_global)
    tell(*options_.global_accesses, *even, executing, kind != AccessKind::load);
}

void Machine::resolve_lane_by_lane(WarpState& warp, const DecodedInstruction& d, AccessKind kind,
                                   LaneMask executing, ResolvedAccess& access) {
  const isa::MemoryAccess& form = d.instruction->memory;
  LaneVec counter[2];
  const Words address = words_of(warp, d.src[0], counter);
  if (!address.low) fail(warp, d, FaultError::Kind::other, -1, "a memory access without an address");
  std::array<std::uint64_t, kLanes> addresses;
  make_addresses(*address.low, isa::is_narrow(form.space) ? nullptr : address.high, form.offset, addresses);
  const AccessFault fault = resolve(memory_of_turn_, form, kind, executing, addresses, access);
  if (fault.lane >= 0)
    fail(warp, d, fault.misaligned ? FaultError::Kind::misaligned : FaultError::Kind::address, fault.lane,
         fault.what);
  count(access, result_);
  if (options_.observer) options_.observer->accessed(*current_view_, addresses);
  if (options_.global_accesses && access.touches_global)
    options_.global_accesses->accessed(addresses, kind != AccessKind::load);
}

void Machine::load(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  ResolvedAccess access;
  resolve_access(warp, d, AccessKind::load, executing, access);
  const isa::MemoryAccess& form = d.instruction->memory;
  const bool is_signed = isa::is_signed(d.instruction->type);
  if (access.runs != 0) {
    const Destination& to = d.dst[0];
    if (to.kind == Destination::Kind::reg && to.bits == 32) return load_runs(access, warp.values[to.index]);
    access.spread();
  }
  LaneVec words[2];
  for (int e = 0; e < d.num_dst; ++e) {
    const Destination& to = d.dst[e];
    if (to.kind != Destination::Kind::reg) continue;
    if (executing == kAllLanes) {
      LaneVec* into = warp.values.data() + to.index;
      gather(access, form, e, is_signed, to.bits, *into, to.wide ? into + 1 : nullptr);
    } else {
      gather(access, form, e, is_signed, to.bits, words[0], to.wide ? &words[1] : nullptr);
      write(warp, to, words[0], &words[1], executing);
    }
  }
}

void Machine::store(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  ResolvedAccess access;
  resolve_access(warp, d, AccessKind::store, executing, access);
  const int bytes = d.instruction->memory.element_bytes;
  LaneVec counter[isa::kMaxSources][2];
  Words data[isa::kMaxSources];
  for (int s = 1; s < d.num_src; ++s) {
    data[s] = words_of(warp, d.src[s], counter[s]);
    if (!data[s].low) fail(warp, d, FaultError::Kind::other, -1, "a store without a value");
  }
  const bool look = !progress_ && !access.touches_local;
  if (access.runs != 0) {
    if (look) progress_ = !equal_runs(access, *data[1].low);
    return store_runs(access, *data[1].low);
  }
  if (bytes == sizeof(std::uint32_t) && d.num_src == 2 && !look) {
    for (LaneMask left = executing; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      std::memcpy(access.pointer[lane], &data[1].low->lane[lane], sizeof(std::uint32_t));
    }
    return;
  }
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* pointer = access.pointer[lane];
    std::array<std::uint8_t, 32> before;
    const auto size = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(d.num_src - 1);
    if (look) std::memcpy(before.data(), pointer, size);
    for (int s = 1; s < d.num_src; ++s, pointer += bytes)
      scatter(pointer, bytes, (*data[s].low)[lane], data[s].high ? (*data[s].high)[lane] : 0);
    if (look) progress_ = progress_ || std::memcmp(before.data(), access.pointer[lane], size) != 0;
  }
}

void Machine::atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  ResolvedAccess access;
  resolve_access(warp, d, AccessKind::atomic, executing, access);
  const isa::Instruction& instruction = *d.instruction;
  const std::size_t bytes = instruction.memory.element_bytes;
  LaneVec counter[2][2];
  Words data[2];
  for (int s = 0; s < 2 && s + 1 < d.num_src; ++s) data[s] = words_of(warp, d.src[s + 1], counter[s]);
  LaneVec old[2];
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto value = [&](const Words& words) {
      if (!words.low) return std::uint64_t{0};
      return (*words.low)[lane] | (words.high ? std::uint64_t{(*words.high)[lane]} << 32 : 0);
    };
    std::uint64_t before = 0;
    std::memcpy(&before, access.pointer[lane], bytes);
    const std::uint64_t after = isa::apply_atomic(instruction.modifiers.atomic, instruction.type, before,
                                                  value(data[0]), value(data[1]));
    progress_ = progress_ || std::memcmp(&before, &after, bytes) != 0;
    std::memcpy(access.pointer[lane], &after, bytes);
    old[0][lane] = static_cast<std::uint32_t>(before);
    old[1][lane] = static_cast<std::uint32_t>(before >> 32);
    ++result_.atomics;
  }
  if (d.num_dst > 0) write(warp, d.dst[0], old[0], &old[1], executing);
}

}  // namespace heddle::reference
