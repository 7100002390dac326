#pragma once

// A warp-instruction in the coalescer, and its division into segments.

#include <algorithm>
#include <bit>

#include "models/memory/access_check.h"
#include "models/memory/lane_transfer.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

/// One 128-byte line, the lanes that access it, and the part of their blocks in this line.
struct Segment {
  std::uint64_t line = 0;
  LaneMask lanes = 0;
  BlockPart part;
  std::uint64_t shift = 0;  ///< added to each lane's address
  bool local = false;
};

/// Lanes of an access that are not yet assigned to a segment.
class SegmentedLanes {
 public:
  void begin(const WarpAddresses& addresses, LaneMask global, LaneMask local) {
    global_ = global;
    local_lanes_ = local_ = local;
    row_ = 0;
    rows_ = addresses.bytes <= 4 ? 1 : addresses.bytes / 4;
    whole_line_ = (global == kAllLanes || (local == kAllLanes && rows_ == 1)) && addresses.consecutive &&
                  addresses.bytes == 4 && addresses.at(0) % kSegmentBytes == 0;
  }

  bool any() const { return (global_ | local_) != 0; }
  /// True if all 32 lanes access one line, in order, 4 bytes each.
  bool whole_line() const { return whole_line_; }
  /// Returns the segment of the lowest pending lane. Local memory is processed word by word (rows): word w +
  /// 1 of every lane is one line after word w (isa::local_backing_address).
  Segment next(const WarpAddresses& addresses) const {
    const LaneMask pending = global_ ? global_ : local_;
    Segment s;
    s.local = !global_;
    s.shift = s.local ? std::uint64_t{row_} * kSegmentBytes : 0;
    const std::uint64_t some = addresses.at(std::countr_zero(pending)) + s.shift;
    s.line = some / kSegmentBytes * kSegmentBytes;
    s.lanes = whole_line_ ? kAllLanes : lanes_of_line(addresses, pending, s.line, s.shift);
    s.part = s.local ? BlockPart{4 * row_, std::min(addresses.bytes, 4u)} : BlockPart{0, addresses.bytes};
    return s;
  }
  void advance(const Segment& s) {
    if (!s.local) {
      global_ &= ~s.lanes;
      return;
    }
    local_ &= ~s.lanes;
    if (local_ == 0 && ++row_ < rows_) local_ = local_lanes_;
  }

 private:
  LaneMask global_ = 0, local_ = 0, local_lanes_ = 0;
  unsigned row_ = 0, rows_ = 0;  ///< 32-bit words of a lane's local block
  bool whole_line_ = false;
};

struct MemoryOperation {
  enum class Kind : std::uint8_t { load, store, atomic };

  InFlight* item = nullptr;
  AccessSite site{};
  int partition = 0;
  Kind kind = Kind::load;
  bool returns = false;  ///< completes with its responses, not when it was sent
  bool cached_global = false, cached_local = false;
  bool acquires = false;    ///< acquire with a scope wider than the CTA
  WarpAddresses addresses;  ///< for local lanes: addresses in device memory
  SegmentedLanes lanes;
  unsigned waiting = 0;  ///< segments sent without a response
  bool all_sent = false;
  Cycle not_before = 0;  ///< earliest cycle of completion, from hits and other windows

  void begin(LaneMask global, LaneMask local) {
    lanes.begin(addresses, global, local);
    waiting = 0;
    all_sent = false;
  }
};

}  // namespace heddle
