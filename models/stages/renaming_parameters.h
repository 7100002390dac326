#pragma once

#include <string>

#include "models/ports/power_domains.h"

namespace heddle {

struct RenamingParameters {
  std::string release = "flags";
  std::string allocate = "prepare";
  std::string destinations = "table-port";
  std::string packing = "subarrays";
  std::string bank_full = "wait";
  std::string exempt = "pinned";
  int subarrays = 4;
  int table_banks = 4;
  int latency_cycles = 1;
  DomainGroupParameters gating{ConfigNode::make_string("none"), 0, 1, 1};

  void fields(FieldVisitor& v);
};

}  // namespace heddle
