#pragma once

// Memory accesses of one warp in the reference: translates the addresses of all lanes to host addresses, and
// copies data.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/lanes.h"
#include "models/core/memory_image.h"
#include "models/isa/access_rules.h"
#include "models/isa/instruction.h"
#include "models/reference/near_addresses.h"

namespace heddle::reference {

struct MemoryView {
  MemoryImage* device = nullptr;
  std::span<std::uint8_t> shared;
  /// Local memory of the warp: local_bytes bytes for each lane, starting with lane 0.
  std::span<std::uint8_t> local;
  std::uint32_t local_bytes = 0;
  std::span<std::uint8_t> parameters;
  const char* shared_hint = "";
};

using isa::AccessKind;

struct ResolvedAccess {
  /// Host address of the lowest device address of the lanes, if all lanes access shared memory or one
  /// allocation. The data of lane i are then at base + near->distance[i]. In all other cases nullptr, and
  /// pointer[i] is the host address for lane i; for an inactive lane, it is that of an active lane.
  std::uint8_t* base = nullptr;
  /// Addresses of the lanes. On input: addresses of the instruction's previous execution, which the access
  /// replaces by its own addresses.
  NearAddresses* near = nullptr;
  std::array<std::uint8_t*, kLanes> pointer;
  std::uint8_t* at(int lane) const { return base ? base + near->distance[lane] : pointer[lane]; }

  bool touches_global, touches_shared, touches_local;
  std::uint32_t global_segments;
  std::span<const std::uint64_t> touched;
  std::array<std::uint64_t, kLanes> addresses;
};

struct AddressWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
};
void make_all_addresses(const AddressWords& words, std::int64_t offset,
                        std::array<std::uint64_t, kLanes>& addresses);
/// Computes the 64-bit address of each lane. Inactive lanes get the address of the first active lane.
void make_addresses(const AddressWords& words, std::int64_t offset, LaneMask active,
                    std::array<std::uint64_t, kLanes>& addresses);

/// Translates all addresses in *out.near at once. Returns true only if every lane's access is allowed, and all
/// addresses are in the CTA's shared memory or all are in one allocation.
bool resolve_together(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                      ResolvedAccess& out);
bool resolve_apart(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                   const AddressWords& words, ResolvedAccess& out);
/// Translates the addresses of the active lanes (at least one) to host addresses. Returns false if the access
/// of a lane is not allowed.
inline bool resolve(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                    const AddressWords& words, ResolvedAccess& out) {
  out.touches_global = out.touches_shared = out.touches_local = false;
  return (find_near(*words.low, words.high, access.offset, active, *out.near) &&
          resolve_together(view, access, kind, out)) ||
         resolve_apart(view, access, kind, active, words, out);
}

struct AccessFault {
  int lane = -1;
  std::string what;
  /// True: the address is misaligned. False: there is no memory at the address, or the instruction must not
  /// access it.
  bool misaligned = false;
};
AccessFault find_fault(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                       LaneMask active, const AddressWords& words);

/// Loads element `element` of every lane, and extends it to a register of `bits` bits.
void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high);

void gather_words(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into);
void scatter_words(const ResolvedAccess& access, LaneMask active, const LaneVec& from);

std::uint64_t read_element(const std::uint8_t* pointer, int element_bytes);
void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high);

}  // namespace heddle::reference
