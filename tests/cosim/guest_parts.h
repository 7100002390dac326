#pragma once

// Provides configuration settings for runs with base-delta rows, operand windows or interval files.

#include <string>
#include <vector>

#include "tests/cosim/storage_parts.h"

namespace heddle::cosim {

/// Returns settings of base-delta rows: eight sub-banks that are power-gated, or four that are not gated.
/// With four sub-banks, a write of some lanes computes the compression code of the whole row again.
inline std::vector<std::string> delta_parts(int sub_banks) {
  const std::string format = "gpu.sm.register_file.banks.format=";
  if (sub_banks == 4) return {format + R"({"type":"base-delta","partial_writes":"again","sub_banks":4})"};
  return {format + R"({"type":"base-delta","gating":{"policy":"conventional","idle_detect_cycles":0,)"
                   R"("wake_up_cycles":10}})"};
}

/// Returns settings of an operand window of three instructions, with hints of the compiler.
inline std::vector<std::string> window_parts(int entries) {
  return {R"(gpu.sm.register_file.stages=[{"type":"operand-window","hints":"window","entries":)" +
              std::to_string(entries) + R"(},"banks"])",
          "compiler.passes=[" + kCleaned + R"({"type":"window-hints","instructions":3}])"};
}

/// Returns settings for register intervals of eight registers, with four active warps.
inline std::vector<std::string> interval_parts() {
  return {kFourActive, R"(gpu.sm.register_file.stages=[{"type":"interval-file","registers":8},"banks"])",
          "compiler.passes=[" + kCleaned + R"({"type":"register-intervals","registers":8}])"};
}

}  // namespace heddle::cosim
