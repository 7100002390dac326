#pragma once

// Executes one warp's memory instruction: resolves the addresses of all lanes to host memory at once and
// moves data.

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

/// The memory that a warp sees.
struct MemoryView {
  MemoryImage* device = nullptr;
  std::span<std::uint8_t> shared;
  std::span<std::uint8_t> local;  ///< of the warp: lane l owns local_bytes from l * local_bytes
  std::uint32_t local_bytes = 0;
  std::span<std::uint8_t> parameters;
  const char* shared_hint = "";  ///< added where an access leaves shared memory
};

using isa::AccessKind;

/// Where the data of the active lanes lie.
struct ResolvedAccess {
  /// The lowest address's, if all lie in one allocation, or in shared memory: lane i at base + near->distance[i]. Else nullptr:
  /// each has a pointer of its own, those of inactive lanes equal one of an active lane.
  std::uint8_t* base = nullptr;
  NearAddresses* near = nullptr;  ///< to be set: of the instruction's accesses before, then of this one
  std::array<std::uint8_t*, kLanes> pointer;
  std::uint8_t* at(int lane) const { return base ? base + near->distance[lane] : pointer[lane]; }

  bool touches_global, touches_shared, touches_local;
  std::uint32_t global_segments;
  /// Accessed addresses of global memory in the order of lanes, in the form of AccessSink.
  std::span<const std::uint64_t> touched;
  std::array<std::uint64_t, kLanes> addresses;
};

/// Register words that lanes' addresses are made of: plus the instruction's offset. `high` of a narrow one is nullptr.
struct AddressWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
};
/// The addresses, one by one; a lane that is not active has that of the first that is.
void make_addresses(const AddressWords& words, std::int64_t offset, LaneMask active,
                    std::array<std::uint64_t, kLanes>& addresses);

/// Resolves lanes whose addresses are near each other (*out.near), if one allocation, or the CTA's shared memory, covers them all.
/// False where it does not, or where a lane may be at fault.
bool resolve_together(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                      ResolvedAccess& out);
/// Lane by lane. False if an access is refused.
bool resolve_apart(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                   const AddressWords& words, ResolvedAccess& out);
/// Resolves the addresses of the active lanes (`active` not 0). False if a lane's access is refused.
inline bool resolve(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                    const AddressWords& words, ResolvedAccess& out) {
  out.touches_global = out.touches_shared = out.touches_local = false;
  return (find_near(*words.low, words.high, access.offset, active, *out.near) &&
          resolve_together(view, access, kind, out)) ||
         resolve_apart(view, access, kind, active, words, out);
}

/// Why a lane's access is refused.
struct AccessFault {
  int lane = -1;  ///< the first; -1: none
  std::string what;
  bool misaligned = false;  ///< else no such memory, or none that allows it
};
AccessFault find_fault(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind,
                       LaneMask active, const AddressWords& words);

/// Reads element `element` of every lane and extends it to a register of `bits` bits.
void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high);

/// Active lanes take the 32-bit word that lies `offset` bytes behind where theirs begin.
void gather_words(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into);
/// Active lanes write the word that begins where theirs does, in their order.
void scatter_words(const ResolvedAccess& access, LaneMask active, const LaneVec& from);

/// One lane's element, of 1, 2, 4 or 8 bytes.
std::uint64_t read_element(const std::uint8_t* pointer, int element_bytes);
/// Writes one lane's element from its register words.
void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high);

}  // namespace heddle::reference
