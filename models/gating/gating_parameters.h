#pragma once

// Parameters of power gating, by unit class.

#include <string>

#include "models/core/power_domains.h"

namespace heddle {

/// Of pipelines, which can be gated as a whole or by groups of their lanes.
struct PipelineGatingParameters : DomainGroupParameters {
  std::string granularity = "unit";
  void fields(FieldVisitor& v) {
    DomainGroupParameters::fields(v);
    v.field(
        "granularity", granularity, {"unit", "half"},
        "what a domain is: a pipeline, or its lanes 0-15 and 16-31, each of which sleeps when no instruction "
        "needs it");
  }
};

struct GatingParameters {
  PipelineGatingParameters int_, fp;
  DomainGroupParameters sfu, ldst;
  void fields(FieldVisitor& v) {
    v.group("int", int_, "INT pipelines: one domain a cluster, siblings within a partition");
    v.group("fp", fp, "FP pipelines: one domain a cluster, siblings within a partition");
    v.group("sfu", sfu, "special function units: one domain each, siblings within a partition");
    v.group("ldst", ldst, "load/store unit: one domain an SM");
  }
};

}  // namespace heddle
