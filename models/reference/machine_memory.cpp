#include <bit>

#include "models/isa/narrow_space.h"
#include "models/reference/machine.h"

// Loads, stores and atomics of the reference.

namespace heddle::reference {
const ResolvedAccess& Machine::resolve_access(WarpState& warp, const DecodedInstruction& d, AccessKind kind,
                                              LaneMask executing) {
  const isa::MemoryAccess& form = d.instruction->memory;
  const Words address = words_of(warp, d.src[0], counters_[0]);
  if (!address.low) fail(warp, d, FaultError::Kind::other, -1, "a memory access without an address");
  const AddressWords words{address.low, isa::is_narrow(form.space) ? nullptr : address.high};
  access_.near = &near_[d.access];
  if (!resolve(memory_of_turn_, form, kind, executing, words, access_))
    refuse(warp, d, kind, executing, words);
  result_.shared_accesses += access_.touches_shared;
  result_.local_accesses += access_.touches_local;
  if (access_.touches_global) {
    ++result_.global_accesses;
    result_.global_segments += access_.global_segments;
    if (options_.global_accesses)
      options_.global_accesses->accessed(access_.touched, kind != AccessKind::load);
  }
  if (options_.observer) {
    make_addresses(words, form.offset, executing, access_.addresses);
    options_.observer->accessed(*current_view_, access_.addresses);
  }
  return access_;
}

void Machine::refuse(const WarpState& warp, const DecodedInstruction& d, AccessKind kind, LaneMask executing,
                     const AddressWords& words) const {
  const AccessFault fault = find_fault(memory_of_turn_, d.instruction->memory, kind, executing, words);
  fail(warp, d, fault.misaligned ? FaultError::Kind::misaligned : FaultError::Kind::address, fault.lane,
       fault.what);
}

void Machine::load(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  const ResolvedAccess& access = resolve_access(warp, d, AccessKind::load, executing);
  if (d.word) return gather_words(access, 0, executing, warp.values[d.dst[0].index]);
  const isa::MemoryAccess& form = d.instruction->memory;
  const bool is_signed = isa::is_signed(d.instruction->type);
  const int bytes = form.element_bytes;
  for (int e = 0; e < d.num_dst; ++e) {
    const Destination& to = d.dst[e];
    if (to.kind != Destination::Kind::reg) continue;
    LaneVec* const into = warp.values.data() + to.index;
    if (to.bits == 8 * bytes && to.bits >= 32) {
      gather_words(access, e * bytes, executing, into[0]);
      if (to.wide) gather_words(access, e * bytes + 4, executing, into[1]);
    } else if (executing == kAllLanes) {
      gather(access, form, e, is_signed, to.bits, into[0], to.wide ? into + 1 : nullptr);
    } else {
      LaneVec words[2];
      gather(access, form, e, is_signed, to.bits, words[0], to.wide ? &words[1] : nullptr);
      write(warp, to, words[0], &words[1], executing);
    }
  }
}

void Machine::store(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  const ResolvedAccess& access = resolve_access(warp, d, AccessKind::store, executing);
  const int bytes = d.instruction->memory.element_bytes;
  Words data[isa::kMaxSources];
  for (int s = 1; s < d.num_src; ++s) {
    data[s] = words_of(warp, d.src[s], counters_[s]);
    if (!data[s].low) fail(warp, d, FaultError::Kind::other, -1, "a store without a value");
  }
  const bool look = !progress_ && !access.touches_local;
  if (bytes == sizeof(std::uint32_t) && d.num_src == 2) {
    const LaneVec& words = *data[1].low;
    if (look) {
      LaneVec before = words;
      gather_words(access, 0, executing, before);
      progress_ = !(before == words);
    }
    return scatter_words(access, executing, words);
  }
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* pointer = access.at(lane);
    for (int s = 1; s < d.num_src; ++s, pointer += bytes) {
      const std::uint32_t low = (*data[s].low)[lane], high = data[s].high ? (*data[s].high)[lane] : 0;
      const std::uint64_t before = look ? read_element(pointer, bytes) : 0;
      scatter(pointer, bytes, low, high);
      if (look) progress_ = progress_ || before != read_element(pointer, bytes);
    }
  }
}

void Machine::atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  const ResolvedAccess& access = resolve_access(warp, d, AccessKind::atomic, executing);
  const isa::Instruction& instruction = *d.instruction;
  const int bytes = instruction.memory.element_bytes;
  Words data[2];
  for (int s = 0; s < 2 && s + 1 < d.num_src; ++s) data[s] = words_of(warp, d.src[s + 1], counters_[s]);
  LaneVec old[2];
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto value = [&](const Words& words) {
      if (!words.low) return std::uint64_t{0};
      return (*words.low)[lane] | (words.high ? std::uint64_t{(*words.high)[lane]} << 32 : 0);
    };
    std::uint8_t* const pointer = access.at(lane);
    const std::uint64_t before = read_element(pointer, bytes);
    const std::uint64_t after = isa::apply_atomic(instruction.modifiers.atomic, instruction.type, before,
                                                  value(data[0]), value(data[1]));
    scatter(pointer, bytes, static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(after >> 32));
    progress_ = progress_ || read_element(pointer, bytes) != before;
    old[0][lane] = static_cast<std::uint32_t>(before);
    old[1][lane] = static_cast<std::uint32_t>(before >> 32);
    ++result_.atomics;
  }
  if (d.num_dst > 0) write(warp, d.dst[0], old[0], &old[1], executing);
}

}  // namespace heddle::reference
