#pragma once

// Parameters of power gating for each unit class (INT, FP, SFU, load/store).

#include <string>

#include "models/ports/power_domains.h"

namespace heddle {

struct UnitGatingParameters : DomainGroupParameters {
  std::string wake_on = "demand";
  bool issue_wakes() const { return wake_on == "issue"; }
  void fields(FieldVisitor& v) {
    DomainGroupParameters::fields(v);
    v.field("wake_on", wake_on, {"demand", "issue"},
            "event that wakes a gated unit: an instruction waits for the unit and cannot issue before it is "
            "on; or an instruction issues to it and waits in its collector until it is on (Abdel-Majeed "
            "2016, 3.4). No instruction issues to a unit that may not wake yet");
    v.off("policy", "none", {"wake_on"});
  }
};

/// Parameters of power gating for INT and FP pipelines, which can be gated as a whole or by groups of lanes.
struct PipelineGatingParameters : UnitGatingParameters {
  std::string granularity = "unit";
  std::string idle_from = "end";
  void fields(FieldVisitor& v) {
    UnitGatingParameters::fields(v);
    v.field("granularity", granularity, {"unit", "half", "quad-half", "lane"},
            "hardware of a domain: a pipeline; its lanes 0-15 or 16-31; the lower or the upper two lanes of "
            "all its quads; a lane (Abdel-Majeed 2016, 4.3.4). A part of a pipeline sleeps when no "
            "instruction needs it");
    v.field("idle_from", idle_from, {"end", "own-time"},
            "start of the idle-detect count: the cycle in which the last instruction has left the pipeline; "
            "or the cycle of its issue plus the cycles for which the pipeline works on it (Abdel-Majeed "
            "2016, Fig. 3.3). In both cases a pipeline with an instruction in it is not gated");
    v.off("policy", "none", {"granularity", "idle_from"});
  }
};

struct GatingParameters {
  PipelineGatingParameters int_, fp;
  UnitGatingParameters sfu, ldst, matrix;
  std::string demand = "could-issue";
  void fields(FieldVisitor& v) {
    v.group("int", int_, "INT pipelines: one domain a cluster, siblings within a partition");
    v.group("fp", fp, "FP pipelines: one domain a cluster, siblings within a partition");
    v.group("sfu", sfu, "special function units: one domain each, siblings within a partition");
    v.group("ldst", ldst, "load/store unit: one domain an SM");
    v.group("matrix", matrix, "matrix units: one domain each, siblings within a partition");
    v.field("demand", demand, {"could-issue", "would-issue"},
            "warps for which gated units wake: every active warp that could issue if the units were awake; "
            "or only warps that the scheduler would then have issued, in its order");
    for (const char* policy : {"int.policy", "fp.policy", "sfu.policy", "ldst.policy", "matrix.policy"})
      v.off(policy, "none", {"demand"});
  }
};

}  // namespace heddle
