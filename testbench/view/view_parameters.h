#pragma once

// Parameters of a recording for `heddle view`.

#include <cstdint>
#include <string>

#include "models/core/fields.h"

namespace heddle::view {

/// Length of the window in cycles if the user does not state it.
inline constexpr std::uint64_t kWindowCycles = 2000;

struct ViewParameters {
  std::string file;
  int sm = 0;
  std::uint64_t launch = 0;
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 0;
  std::uint64_t max_bytes = 20000000;

  void fields(FieldVisitor& v) {
    v.field("file", file, {}, "path of the page (empty: nothing is recorded)");
    v.field("sm", sm, {0, 65535}, "the SM that is recorded");
    v.field("launch", launch, {0, 1LL << 32},
            "launch with whose first issue a window without from_cycle begins");
    v.field("from_cycle", from_cycle, {0, 1LL << 60},
            "first cycle of the window (0: the first issue of the launch)");
    v.field("to_cycle", to_cycle, {0, 1LL << 60}, "last cycle of the window (0: 2,000 cycles)");
    v.field("max_bytes", max_bytes, {1, 1LL << 32},
            "most bytes of the recording; the page says where it was cut");
  }
};

}  // namespace heddle::view
