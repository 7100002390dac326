#pragma once

// Provides settings of a machine that uses all parts of the register file that have RTL.

#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {

inline std::vector<std::string> register_parts(const std::string& table) {
  const std::string banks = "gpu.sm.register_file.banks.";
  return {R"(gpu.sm.register_file.stages=[{"type":"swapping","table":")" + table + R"("},"banks"])",
          banks + R"(power={"type":"tri-modal"})",
          banks + "lane_gating=active-mask",
          banks + "partition.kind=fast-slow",
          banks + "partition.mode=adaptive",
          banks + "partition.epoch_cycles=20",
          banks + "partition.low_below_issues=2"};
}

}  // namespace heddle::cosim
