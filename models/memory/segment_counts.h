#pragma once

// Counts the 128-byte segments of global and local accesses.

#include <bit>

#include "models/core/stats.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class SegmentCounts {
 public:
  explicit SegmentCounts(const StatsScope& s)
      : all_(s.add("segments", "segments", "128-byte segments: loads + stores + atomics")),
        excess_(s.add("excess_segments", "segments",
                      "beyond those that the bytes of an access's lanes would fill side by side")) {}

  void add_segment() { ++all_; }
  void add_access(unsigned segments, const WarpAddresses& addresses) {
    const auto lanes = static_cast<unsigned>(std::popcount(addresses.mask));
    const unsigned fewest = (lanes * addresses.bytes + kSegmentBytes - 1) / kSegmentBytes;
    if (segments > fewest) excess_ += segments - fewest;
  }

 private:
  Counter &all_, &excess_;
};

}  // namespace heddle
