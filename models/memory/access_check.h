#pragma once

// Checks the memory accesses of a warp. Errors are misaligned addresses, addresses outside all allocations,
// writes to constants, and addresses of the wrong state space.

#include <string>

#include "models/core/memory_image.h"
#include "models/isa/address_map.h"
#include "models/memory/constant_memory.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/warp_context.h"
#include "models/reference/reference.h"

namespace heddle {

struct RoutedLanes {
  LaneMask shared = 0, local = 0, constant = 0, global = 0;
};

struct AccessSite {
  const isa::Instruction* instruction = nullptr;
  const isa::KernelLaunch* launch = nullptr;
  std::uint32_t cta = 0;
  std::uint32_t warp_in_cta = 0;
};

[[noreturn]] void fail_access(const AccessSite& site, int lane, const std::string& what,
                              reference::FaultError::Kind kind = reference::FaultError::Kind::address);

/// Determines the state space that each lane addresses, and checks the access. Throws FaultError if an access
/// is not allowed. If `image` is nullptr, global addresses are not checked.
RoutedLanes route_and_check(const AccessSite& site, const WarpAddresses& addresses, const MemoryImage* image,
                            const ConstantMemory& constants);

}  // namespace heddle
