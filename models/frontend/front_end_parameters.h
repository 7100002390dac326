#pragma once

// Parameters of instruction fetch, decode and the instruction buffers.

#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle {

struct FrontEndParameters {
  int warps_per_cycle = 2;
  int instructions_per_fetch = 2;
  int ibuffer_entries = 4;
  int latency_cycles = 2;
  std::string fetches = "with-room";
  int redirect_cycles = 0;
  std::vector<ConfigNode> stages;

  void fields(FieldVisitor& v) {
    v.field("warps_per_cycle", warps_per_cycle, {1, 64}, "warps for which the SM fetches in one cycle");
    v.field("instructions_per_fetch", instructions_per_fetch, {1, 16},
            "consecutive instructions that a fetch brings");
    v.field("ibuffer_entries", ibuffer_entries, {1, 64}, "decoded instructions that a warp can hold");
    v.field("latency_cycles", latency_cycles, {1, 64},
            "cycles from the fetch to the first cycle of possible issue");
    v.field("fetches", fetches, {"with-room", "when-empty"},
            "a warp fetches when its buffer has room, or only when its buffer is empty");
    v.field("redirect_cycles", redirect_cycles, {0, 64},
            "cycles that the fetch waits after a taken branch, in addition to its latency");
    v.off("fetches", "with-room");
    v.off("redirect_cycles", "0");
    v.choices("stages", stages, "front-end stage",
              "stages that are called for every fetch, in order (instruction cache)");
  }
};

}  // namespace heddle
