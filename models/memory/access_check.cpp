#include "models/memory/access_check.h"

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/isa/access_rules.h"
#include "models/isa/matrix_rows.h"

namespace heddle {
namespace {

using isa::Space;
using isa::Window;
using Fault = reference::FaultError::Kind;

isa::AccessKind kind_of(const isa::Instruction& i) {
  if (i.op == isa::Opcode::ld || i.op == isa::Opcode::copy) return isa::AccessKind::load;
  return i.op == isa::Opcode::st ? isa::AccessKind::store : isa::AccessKind::atomic;
}

bool fits(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && size - offset >= bytes;
}

std::string fault_of(const AccessSite& site, std::uint64_t address, unsigned bytes, const MemoryImage* image,
                     const ConstantMemory& constants, Fault& kind) {
  const Window window = isa::window_of(address);
  const Space space = isa::reached_space(*site.instruction);
  const auto outside = [&](std::uint64_t base, std::uint64_t size, const char* memory) {
    return fmt::format("out of bounds: {} bytes at {:#x}, offset {} of {} bytes of {} memory", bytes, address,
                       static_cast<std::int64_t>(address - base), size, memory);
  };
  if (space == Space::shared && window != Window::shared)
    return outside(isa::kSharedWindow, site.launch->shared_bytes(), "shared");
  if (space == Space::local && window != Window::local)
    return outside(isa::kLocalWindow, site.launch->program->local_bytes, "local");
  if (!isa::reaches(space, window))
    return fmt::format("an address of {} memory, {:#x}, through .{}", isa::name_of(window), address,
                       isa::name_of(space));
  if (!isa::allows(window, kind_of(*site.instruction)))
    return fmt::format("a write of {} memory at {:#x}", isa::name_of(window), address);
  kind = address % bytes != 0 ? Fault::misaligned : Fault::address;
  if (kind == Fault::misaligned)
    return fmt::format("misaligned: {} bytes at {:#x}, which is no multiple of {}", bytes, address, bytes);
  const auto beyond = [&](std::uint64_t offset, std::uint64_t size) {
    return fmt::format("out of bounds: {} bytes at {:#x}, offset {} of {} bytes of {} memory", bytes, address,
                       offset, size, isa::name_of(window));
  };
  switch (window) {
    case Window::shared:
      if (!fits(address - isa::kSharedWindow, bytes, site.launch->shared_bytes()))
        return beyond(address - isa::kSharedWindow, site.launch->shared_bytes());
      return {};
    case Window::local:
      if (!fits(address - isa::kLocalWindow, bytes, site.launch->program->local_bytes))
        return beyond(address - isa::kLocalWindow, site.launch->program->local_bytes);
      return {};
    case Window::param:
      if (!constants.find(address, bytes, *site.launch))
        return beyond(address - isa::kParamWindow, site.launch->parameters.size());
      return {};
    case Window::constant:
      if (!constants.find(address, bytes, *site.launch))
        return "out of bounds: " + constants.explain(address, bytes);
      return {};
    case Window::global:
      if (image && !image->find(address, bytes)) return "out of bounds: " + image->explain(address, bytes);
      return {};
  }
  return {};
}

/// Checks all lanes at once if they access one allocation in one address window (global, shared, local or
/// constant). Returns false if the lanes must be checked one by one.
bool check_together(const AccessSite& site, const WarpAddresses& a, const MemoryImage* image,
                    RoutedLanes& lanes) {
  const Window window = isa::window_of(a.low);
  if (!a.aligned || window != isa::window_of(a.high) ||
      !isa::reaches(isa::reached_space(*site.instruction), window) ||
      !isa::allows(window, kind_of(*site.instruction)))
    return false;
  const std::uint64_t span = a.high - a.low + a.bytes;
  switch (window) {
    case Window::global:
      lanes.global = a.mask;
      return !image || image->find(a.low, span);
    case Window::shared:
      lanes.shared = a.mask;
      return fits(a.low - isa::kSharedWindow, span, site.launch->shared_bytes());
    case Window::local:
      lanes.local = a.mask;
      return fits(a.low - isa::kLocalWindow, span, site.launch->program->local_bytes);
    case Window::param:
      lanes.constant = a.mask;
      return fits(a.low - isa::kParamWindow, span, site.launch->parameters.size());
    case Window::constant:
      return false;
  }
  return false;
}

LaneMask& lanes_for(RoutedLanes& lanes, Window window) {
  switch (window) {
    case Window::shared:
      return lanes.shared;
    case Window::local:
      return lanes.local;
    case Window::param:
    case Window::constant:
      return lanes.constant;
    case Window::global:
      break;
  }
  return lanes.global;
}

}  // namespace

void fail_access(const AccessSite& site, int lane, const std::string& what, Fault kind) {
  const isa::Program& program = *site.launch->program;
  const isa::Dim3& grid = site.launch->grid;
  const isa::Dim3& block = site.launch->block;
  const std::uint32_t thread = site.warp_in_cta * kLanes + static_cast<std::uint32_t>(lane);
  throw reference::FaultError(
      kind, fmt::format("{}:{}", program.file, site.instruction->location.ptx_line),
      fmt::format("kernel \"{}\", CTA ({},{},{}), thread ({},{},{}): {}: {}", program.kernel,
                  site.cta % grid.x, site.cta / grid.x % grid.y, site.cta / grid.x / grid.y, thread % block.x,
                  thread / block.x % block.y, thread / block.x / block.y, isa::to_string(*site.instruction),
                  what));
}

RoutedLanes route_and_check(const AccessSite& site, const WarpAddresses& addresses, const MemoryImage* image,
                            const ConstantMemory& constants) {
  RoutedLanes lanes;
  if (check_together(site, addresses, image, lanes)) return lanes;
  lanes = {};
  for (LaneMask left = addresses.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = addresses.at(lane);
    Fault kind = Fault::address;
    if (const std::string fault = fault_of(site, address, addresses.bytes, image, constants, kind);
        !fault.empty())
      fail_access(site, lane, fault, kind);
    lanes_for(lanes, isa::window_of(address)) |= 1u << lane;
  }
  return lanes;
}

}  // namespace heddle
