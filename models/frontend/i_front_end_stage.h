#pragma once

// Family "front-end stage": sees every fetch before it happens, may hold it back, and may attach what later
// stages need. Plain C++.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/stats.h"
#include "models/isa/program.h"

namespace heddle {

struct Fetch {
  Cycle now = 0;
  WarpId warp{};
  std::uint64_t address = 0;  ///< isa::Program::address_of the first instruction
  unsigned bytes = 0;
  const isa::Program* program = nullptr;
};

class FrontEndStage {
 public:
  struct Context {
    StatsScope stats;
    int max_warps = 48;
  };
  static constexpr const char* kFamily = "front-end stage";
  static constexpr const char* kPlace = "gpu.sm.front_end.stages";
  virtual ~FrontEndStage() = default;

  /// The first cycle in which the fetch can be made: fetch.now to let it pass, a later cycle to hold this
  /// warp back until then (it is asked again).
  virtual Cycle allow(const Fetch& fetch) = 0;
  virtual void on_kernel_begin() {}
};

}  // namespace heddle
