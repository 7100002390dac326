#pragma once

// What one warp's memory instruction touches: resolves addresses of all lanes to host memory at once, moves
// data.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/lanes.h"
#include "models/core/memory_image.h"
#include "models/isa/access_rules.h"
#include "models/isa/instruction.h"
#include "models/reference/even_addresses.h"

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

/// Host pointers of all lanes; those of inactive lanes equal one of an active lane.
struct ResolvedAccess {
  /// 32-bit words of neighbouring lanes that lie side by side in memory, too; or one that all of them load.
  struct Run {
    int lane, lanes;  ///< the first one, and how many
    std::uint8_t* pointer;
  };
  /// All active lanes are in these; `pointer` then says nothing until spread(). None: it says everything.
  std::array<Run, 2> run;
  int runs = 0;
  bool same = false;  ///< a run is one word
  void spread();

  std::array<std::uint8_t*, kLanes> pointer;
  bool consecutive = false;  ///< lane i reads the i-th of 32 adjacent 32-bit words
  bool touches_global = false, touches_shared = false, touches_local = false;
  std::uint32_t global_segments = 0;
};

/// As resolve below, but false where an active lane may be at fault, or active lanes do not lie in one allocation, or leave others
/// out between them: ask resolve then. 32-bit words side by side that are loaded or stored come as runs.
bool resolve_even(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                  const EvenAddresses& addresses, ResolvedAccess& out);

/// Why a lane's access is refused.
struct AccessFault {
  int lane = -1;  ///< -1: no fault
  std::string what;
  bool misaligned = false;  ///< else no such memory, or none that allows it
};

/// Resolves the addresses of the active lanes (`active` not 0). Entries of inactive lanes are overwritten
/// with an address of an active lane.
AccessFault resolve(const MemoryView& view, const isa::MemoryAccess& access, AccessKind kind, LaneMask active,
                    std::array<std::uint64_t, kLanes>& addresses, ResolvedAccess& out);

/// Reads element `element` of every lane and extends it to a register of `bits` bits.
void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high);

/// Copies the words of all runs into their lanes, or from there.
void load_runs(const ResolvedAccess& access, LaneVec& into);
void store_runs(const ResolvedAccess& access, const LaneVec& from);
/// Whether these lanes hold what memory does.
bool equal_runs(const ResolvedAccess& access, const LaneVec& words);

/// Writes one lane's element from its register words.
void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high);

}  // namespace heddle::reference
