#pragma once

// Provides settings of machines with register caches or operand files, and with byte-masked rows.

#include <string>
#include <vector>

#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {

inline const std::string kCleaned =
    R"("fold-parameters","fold-conversions","propagate-copies","remove-dead-code",)";
inline const std::string kFourActive = R"(gpu.sm.scheduler={"type":"two-level","active_warps":4})";

/// Returns settings as in Bailey 2018: a scratchpad of two entries above a cache of 16 lines with two ways
/// and LRU replacement.
inline std::vector<std::string> hybrid_parts() {
  return {
      kFourActive,
      R"(gpu.sm.register_file.stages=[{"type":"operand-file","entries":2},{"type":"register-cache","entries":16,)"
      R"("capacity":"shared","ways":2,"replacement":"lru","bypass_long_latency":false,)"
      R"("flush_on_deschedule":false,"miss_cycles":1},"banks"])",
      "compiler.passes=[" + kCleaned +
          R"({"type":"strands","rule":"bailey"},{"type":"scratchpad","entries":2},"long-latency-marks",)"
          R"("liveness-hints"])"};
}

/// Returns settings in which each active warp has a private cache of two lines. The cache also keeps source
/// operands.
inline std::vector<std::string> private_cache_parts() {
  return {
      kFourActive,
      R"(gpu.sm.register_file.stages=[{"type":"register-cache","entries":2,"allocate":"results-and-sources"},)"
      R"("banks"])",
      "compiler.passes=[" + kCleaned + R"("long-latency-marks","liveness-hints"])"};
}

inline const std::vector<std::string> kByteMasks = {"gpu.sm.register_file.banks.format=byte-masked",
                                                    "gpu.sm.register_file.banks.arbiter=coalescing",
                                                    "gpu.sm.register_file.collector_port=sliced"};

}  // namespace heddle::cosim
