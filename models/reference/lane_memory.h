#pragma once

// Memory accesses of one warp: resolves the addresses of all lanes to host memory and moves data.

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

/// The memory that a warp can access.
struct MemoryView {
  MemoryImage* device = nullptr;
  std::span<std::uint8_t> shared;
  std::span<std::uint8_t> local;  ///< local memory of the warp: local_bytes per lane, lane 0 first
  std::uint32_t local_bytes = 0;
  std::span<std::uint8_t> parameters;
  const char* shared_hint = "";  ///< appended to the error for an access outside of shared memory
};

using isa::AccessKind;

/// Host addresses of the active lanes' data.
struct ResolvedAccess {
  /// If all lanes are in one allocation or in shared memory: host address of the lowest address, with lane i
  /// at base + near->distance[i]. Otherwise nullptr; then `pointer` has the address of each lane, and
  /// inactive lanes have that of an active lane.
  std::uint8_t* base = nullptr;
  /// Set by the caller; contains earlier addresses of the same instruction, afterwards those of this access.
  NearAddresses* near = nullptr;
  std::array<std::uint8_t*, kLanes> pointer;
  std::uint8_t* at(int lane) const { return base ? base + near->distance[lane] : pointer[lane]; }

  bool touches_global, touches_shared, touches_local;
  std::uint32_t global_segments;
  /// Global addresses in the order of lanes, in the form of AccessSink.
  std::span<const std::uint64_t> touched;
  std::array<std::uint64_t, kLanes> addresses;
};

/// Registers with the lanes' addresses; the instruction's offset is added. `high` is nullptr for 32-bit
/// registers.
struct AddressWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
};
/// Computes the address of each lane. Inactive lanes get the address of the first active lane.
void make_addresses(const AddressWords& words, std::int64_t offset, LaneMask active,
                    std::array<std::uint64_t, kLanes>& addresses);

/// Resolves lanes that are near each other (*out.near), if a single allocation or the CTA's shared memory
/// contains all of them. Returns false if not, or if the access of a lane may be invalid.
bool resolve_together(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                      ResolvedAccess& out);
/// Resolves lane by lane. Returns false if an access is refused.
bool resolve_apart(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                   const AddressWords& words, ResolvedAccess& out);
/// Resolves the addresses of the active lanes (at least one). Returns false if the access of a lane is
/// refused.
inline bool resolve(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                    const AddressWords& words, ResolvedAccess& out) {
  out.touches_global = out.touches_shared = out.touches_local = false;
  return (find_near(*words.low, words.high, access.offset, active, *out.near) &&
          resolve_together(view, access, kind, out)) ||
         resolve_apart(view, access, kind, active, words, out);
}

/// Why the access of a lane is refused.
struct AccessFault {
  int lane = -1;  ///< first such lane; -1 = none
  std::string what;
  bool misaligned = false;  ///< false: no such memory, or the access is not allowed there
};
AccessFault find_fault(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                       LaneMask active, const AddressWords& words);

/// Reads element `element` of every lane and extends it to a register of `bits` bits.
void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high);

/// Each active lane loads the 32-bit word at `offset` bytes after its address.
void gather_words(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into);
/// Each active lane stores its word at its address, in lane order.
void scatter_words(const ResolvedAccess& access, LaneMask active, const LaneVec& from);

/// Reads one lane's element of 1, 2, 4 or 8 bytes.
std::uint64_t read_element(const std::uint8_t* pointer, int element_bytes);
/// Writes one lane's element from its register words.
void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high);

}  // namespace heddle::reference
