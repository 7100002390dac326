#pragma once

// Asynchronous copies (cp.async) whose bytes have arrived from global memory and must be written to shared
// memory. A copy reads global memory as a load does (global_pipe.h). One segment (bytes of one 128-byte line)
// is written per cycle. The write waits while the banks are busy. When the banks are free, the write has
// priority over waiting accesses of warps. Lanes that read no bytes write zeros in the cycle after dispatch.

#include <array>

#include "models/core/object_pool.h"
#include "models/isa/async_copy.h"
#include "models/memory/address_patterns.h"
#include "models/memory/memory_operation.h"
#include "models/memory/ring.h"
#include "models/memory/shared_pipe.h"

namespace heddle {

struct CopyLanes {
  LaneMask whole = 0, partial = 0, none = 0;
};

/// Checks each lane of an asynchronous copy: its sizes (bytes read and bytes copied), its global address and
/// its shared address. Throws Error if a lane reads more bytes than it copies, or if an address is not
/// allowed.
CopyLanes check_copy(const AccessSite& site, const InFlight& copy, const MemoryImage* image);

class CopyLandings {
 public:
  CopyLandings(AddressPatterns& patterns, SharedPipe& shared) : patterns_(patterns), shared_(shared) {}

  bool empty() const { return queue_.empty(); }
  /// Queues the bytes that the lanes `lanes` of a copy have read. These bytes are written to shared memory in
  /// cycle `due` or later. The bytes of a lane begin at bytes + (global address of the lane - origin).
  /// `bytes` nullptr: the lanes write zeros.
  void add(MemoryOperation& copy, LaneMask lanes, const std::uint8_t* bytes, std::uint64_t origin, Cycle due);
  /// Writes the bytes that are due, unless the banks are busy. Returns the copy whose bytes were written, or nullptr.
  MemoryOperation* step(Cycle now);
  Cycle next(Cycle now) const { return std::max({queue_.next(), shared_.free_from(), now + 1}); }

 private:
  struct Landing {
    MemoryOperation* copy = nullptr;
    LaneMask lanes = 0;
    std::array<std::uint8_t, kLanes * isa::kMostCopyBytes> bytes;
  };

  AddressPatterns& patterns_;
  SharedPipe& shared_;
  ObjectPool<Landing> landings_;
  DelayQueue<Landing*> queue_;
};

}  // namespace heddle
