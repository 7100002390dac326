#pragma once

// A warp-instruction that accesses global or local memory, divided into segments. A segment is the access of
// some lanes to one 128-byte line.

#include <algorithm>
#include <bit>

#include "models/memory/access_check.h"
#include "models/memory/lane_transfer.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

struct Segment {
  std::uint64_t line = 0;
  LaneMask lanes = 0;
  BlockPart part;
  /// Offset that is added to each lane's address: for local memory, the position of the current word.
  std::uint64_t shift = 0;
  bool local = false;
};

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
  bool whole_line() const { return whole_line_; }
  /// Returns the next segment: the access to the 128-byte line of the lowest pending lane. Local memory is
  /// processed word by word, because word w + 1 of all lanes is in the line after word w.
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
  unsigned row_ = 0, rows_ = 0;
  bool whole_line_ = false;
};

struct MemoryOperation {
  enum class Kind : std::uint8_t { load, store, atomic, copy };

  InFlight* item = nullptr;
  AccessSite site{};
  int partition = 0;
  Kind kind = Kind::load;
  /// True: the operation is complete when its responses have arrived. False: when its requests are sent.
  bool returns = false;
  bool cached_global = false, cached_local = false;
  bool acquires = false;
  WarpAddresses addresses;
  SegmentedLanes lanes;
  unsigned waiting = 0;
  bool all_sent = false;
  /// Earliest cycle of completion: the cycle in which the L1 and shared memory have served their parts of the
  /// access.
  Cycle not_before = 0;

  void begin(LaneMask global, LaneMask local) {
    lanes.begin(addresses, global, local);
    waiting = 0;
    all_sent = false;
  }
};

}  // namespace heddle
