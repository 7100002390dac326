#pragma once

// A warp-instruction on its way through the coalescer, and how it falls into segments.

#include <deque>
#include <vector>

#include "models/memory/access_check.h"
#include "models/memory/lane_transfer.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

/// One 128-byte line, the lanes that touch it, and the part of their blocks that lies there.
struct Segment {
  std::uint64_t line = 0;
  LaneMask lanes = 0;
  BlockPart part;
  std::uint64_t shift = 0;  ///< added to a lane's address
  bool local = false;
};

struct MemoryOperation {
  enum class Kind : std::uint8_t { load, store, atomic };

  InFlight* item = nullptr;
  AccessSite site{};
  int partition = 0;
  Kind kind = Kind::load;
  bool returns = false;  ///< comes out when its answers are there, not when it was sent
  bool cached_global = false, cached_local = false;
  bool acquires = false;    ///< orders what follows it, beyond its CTA
  WarpAddresses addresses;  ///< local lanes: their place in device memory
  bool whole_line = false;  ///< all lanes in one line, in order, 4 bytes each
  LaneMask global_pending = 0;
  LaneMask local_lanes = 0, local_pending = 0;
  unsigned row = 0, rows = 0;  ///< 32-bit words of a lane's local block
  unsigned waiting = 0;        ///< segments sent and not answered
  bool all_sent = false;
  Cycle not_before = 0;  ///< earliest cycle of leaving, from hits and other windows

  void begin(LaneMask global, LaneMask local) {
    global_pending = global;
    local_lanes = local_pending = local;
    row = 0;
    rows = addresses.bytes <= 4 ? 1 : addresses.bytes / 4;
    waiting = 0;
    all_sent = false;
    whole_line = (global == kAllLanes || (local == kAllLanes && rows == 1)) && addresses.consecutive &&
                 addresses.bytes == 4 && addresses.at(0) % kSegmentBytes == 0;
  }

  bool pending() const { return (global_pending | local_pending) != 0; }

  /// The segment of the lowest lane that is still pending. Local memory goes word by word (rows): word w + 1
  /// of every lane lies one line after word w (isa::local_backing_address).
  Segment next_segment() const {
    Segment s;
    if (global_pending) {
      const std::uint64_t some = addresses.at(std::countr_zero(global_pending));
      s.line = some / kSegmentBytes * kSegmentBytes;
      s.lanes = whole_line ? kAllLanes : lanes_of_line(addresses, global_pending, s.line);
      s.part = {0, addresses.bytes};
      return s;
    }
    s.local = true;
    s.shift = std::uint64_t{row} * kSegmentBytes;
    const std::uint64_t some = addresses.at(std::countr_zero(local_pending)) + s.shift;
    s.line = some / kSegmentBytes * kSegmentBytes;
    s.lanes = whole_line ? kAllLanes : lanes_of_line(addresses, local_pending, s.line, s.shift);
    s.part = {4 * row, std::min(addresses.bytes, 4u)};
    return s;
  }

  void advance(const Segment& s) {
    if (!s.local) {
      global_pending &= ~s.lanes;
      return;
    }
    local_pending &= ~s.lanes;
    if (local_pending == 0 && ++row < rows) local_pending = local_lanes;
  }
};

class OperationPool {
 public:
  MemoryOperation* take() {
    if (free_.empty()) free_.push_back(&all_.emplace_back());
    MemoryOperation* o = free_.back();
    free_.pop_back();
    return o;
  }
  void give_back(MemoryOperation* o) { free_.push_back(o); }

 private:
  std::deque<MemoryOperation> all_;
  std::vector<MemoryOperation*> free_;
};

}  // namespace heddle
