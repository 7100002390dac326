#pragma once

// Parameters of power gating, by unit class.

#include "models/core/fields.h"

namespace heddle {

struct UnitGatingParameters {
  ConfigNode policy = ConfigNode::make_string("none");
  int idle_detect_cycles = 5;
  int break_even_cycles = 14;
  int wake_up_cycles = 3;

  void fields(FieldVisitor& v) {
    v.choice("policy", policy, "gating policy", "when domains of the class go to sleep and wake up");
    v.field("idle_detect_cycles", idle_detect_cycles, {0, 1023},
            "idle cycles after which a domain may go to sleep (0: at once)");
    v.field("break_even_cycles", break_even_cycles, {1, 1023},
            "gated cycles whose leakage pays for switching the sleep transistor off and on");
    v.field("wake_up_cycles", wake_up_cycles, {1, 255}, "cycles from the wake-up signal to a usable domain");
  }
};

struct GatingParameters {
  UnitGatingParameters int_, fp, sfu, ldst;
  void fields(FieldVisitor& v) {
    v.group("int", int_, "INT pipelines: one domain a cluster, siblings within a partition");
    v.group("fp", fp, "FP pipelines: one domain a cluster, siblings within a partition");
    v.group("sfu", sfu, "special function units: one domain each, siblings within a partition");
    v.group("ldst", ldst, "load/store unit: one domain an SM");
  }
};

}  // namespace heddle
