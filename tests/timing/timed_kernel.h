#pragma once

// Runs a few lines of PTX on one SM of a preset and records the cycle of each issue.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/program.h"

namespace heddle::timing {

/// One machine and one launch. The PTX may use %r0 to %r63 (32 bits), %rd0 to %rd31, %f0 to %f31, %d0 to
/// %d15, %p0 to %p7, the shared array `tile`, the constant array `table` (1024 words) and the parameter
/// `buffer`, which points to `buffer_words` words.
struct Machine {
  std::string preset = "fermi-gtx480";
  /// settings, such as "sm.units.int_add.latency_cycles=20". If none of them sets `sms`, the GPU has one SM.
  std::vector<std::string> set;
  std::uint32_t threads = 32;
  std::uint32_t ctas = 1;
  std::uint32_t shared_bytes = 4096;
  std::vector<std::uint32_t> buffer = std::vector<std::uint32_t>(1024);
  std::vector<std::uint32_t> table = {0};
  /// true: run all compiler passes; false: keep the PTX as written, with registers numbered in the order of
  /// first use
  bool clean_up = false;
  bool observe = true;
  bool every_cycle = false;
  Cycle max_cycles = 1'000'000;
  /// Changes the compiled program before it runs, for example its control bits.
  std::function<void(isa::Program&)> edit;

  Machine with(const std::string& assignment) const {
    Machine other = *this;
    other.set.push_back(assignment);
    return other;
  }
};

struct Issue {
  Cycle cycle = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;
  LaneMask mask = 0;
};

struct Measured {
  Cycle cycles = 0;
  std::vector<Issue> issues;
  std::map<std::string, std::uint64_t> counters;
  std::vector<std::uint32_t> buffer;

  std::vector<Cycle> of_warp(std::uint32_t warp) const;
  Cycle first_at(std::uint32_t pc) const;
  Cycle last_at(std::uint32_t pc) const;
  std::uint64_t count(const std::string& name) const;
};

inline Machine on(const std::string& preset, int threads = 32) {
  Machine machine;
  machine.preset = preset;
  machine.threads = static_cast<std::uint32_t>(threads);
  return machine;
}

/// Returns the preset merged with the presets that it inherits from (`like`).
ConfigNode preset_tree(const std::string& preset);

Measured measure(const Machine& machine, const std::string& body);

/// Returns `line` n times. In copy i, "@" is replaced by the number i.
std::string repeated(int n, const std::string& line);

}  // namespace heddle::timing
