#include "models/reference/lane_accesses.h"

#include <fmt/format.h>

#include <cstring>

#include "models/isa/address_map.h"
#include "models/isa/async_copy.h"
#include "models/isa/narrow_space.h"

namespace heddle::reference {

LaneAccesses::LaneAccesses(const isa::KernelLaunch& launch, const DecodedProgram& decoded,
                           MemoryImage& memory, const ReferenceOptions& options, Progress& progress,
                           ReferenceResult& counts, const Sight& sight)
    : decoded_(decoded),
      options_(options),
      faults_(launch),
      parameters_(launch.parameters),
      near_(decoded.accesses),
      progress_(progress),
      counts_(counts),
      sight_(sight) {
  view_.device = &memory;
  view_.local_bytes = launch.program->local_bytes;
  view_.parameters = parameters_;
  if (launch.dynamic_shared_bytes == 0)
    view_.shared_hint = " (the launch gives no \"shared_bytes\" of dynamic shared memory)";
}

void LaneAccesses::enter(WarpState& warp) {
  view_.shared = warp.cta->shared;
  view_.local = warp.local;
}

void LaneAccesses::resolve(const WarpState& warp, const DecodedInstruction& d, const Part& part,
                           const isa::MemoryAccess& form, LaneMask executing, ResolvedAccess& access) {
  const AccessKind kind = part.kind;
  LaneVec counter[2];
  const SourceWords address = source(warp, d, part.slot, executing, counter);
  if (!address.low) faults_.fail(warp, d, FaultError::Kind::other, -1, "a memory access without an address");
  const AddressWords words{address.low, isa::is_narrow(part.as.memory.space) ? nullptr : address.high};
  access.near = &near_[part.access];
  if (!reference::resolve(view_, form, kind, executing, words, access)) {
    const AccessFault fault = find_fault(view_, form, kind, executing, words);
    faults_.fail(warp, d, fault.misaligned ? FaultError::Kind::misaligned : FaultError::Kind::address,
                 fault.lane, fault.what);
  }
  counts_.shared_accesses += access.touches_shared;
  counts_.local_accesses += access.touches_local;
  if (access.touches_global) {
    ++counts_.global_accesses;
    counts_.global_segments += access.global_segments;
    if (options_.global_accesses)
      options_.global_accesses->accessed(access.touched, kind != AccessKind::load);
  }
  if (options_.observer) {
    make_all_addresses(words, form.offset, access.addresses);
    ExecutedInstruction view = Sight::as(sight_.view(warp, d, executing), part.as);
    if (access.base) view.near = access.near;
    options_.observer->accessed(view, access.addresses);
  }
}

void LaneAccesses::read_part(const WarpState& warp, const DecodedInstruction& d, int lane,
                             std::uint64_t address, unsigned bytes, std::uint8_t* into) {
  const unsigned size = d.instruction->memory.element_bytes;
  const std::string what = fmt::format("load of {} bytes at {:#x}", bytes, address);
  if (address % size != 0)
    faults_.fail(warp, d, FaultError::Kind::misaligned, lane,
                 fmt::format("{} is misaligned for a copy of {} bytes", what, size));
  const bool global = isa::window_of(address) == isa::Window::global;
  const std::uint8_t* const from = global ? view_.device->find(address, bytes) : nullptr;
  if (!from)
    faults_.fail(warp, d, FaultError::Kind::address, lane,
                 fmt::format("{} is out of bounds: {}", what,
                             global ? view_.device->explain(address, bytes) : "no address of global memory"));
  std::memcpy(into, from, bytes);
  ++counts_.global_accesses;
  ++counts_.global_segments;
  std::array<std::uint64_t, kLanes> addresses;
  addresses.fill(address);
  if (options_.global_accesses) options_.global_accesses->accessed(std::span(addresses).first(1), false);
  if (!options_.observer) return;
  isa::Instruction load = isa::load_of_copy(*d.instruction);
  load.memory.element_bytes = static_cast<std::uint8_t>(bytes);
  options_.observer->accessed(Sight::as(sight_.view(warp, d, LaneMask{1} << lane), load), addresses);
}

}  // namespace heddle::reference
