#pragma once

// Runs a few lines of PTX on one SM of a preset and records the cycle of each issue.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle::timing {

/// One machine and one launch. The body may use %r0 to %r63 (32 bits), %rd0 to %rd31, %f0 to %f31, %d0 to
/// %d15, %p0 to %p7, the shared array `tile`, the constant array `table` (1024 words) and the kernel
/// parameter `buffer`, a pointer to `buffer_words` words.
struct Machine {
  std::string preset = "fermi-gtx480";
  std::vector<std::string> set;  ///< such as "sm.units.int_add.latency_cycles=20"; sms is 1 unless set
  std::uint32_t threads = 32;    ///< of a CTA
  std::uint32_t ctas = 1;
  std::uint32_t shared_bytes = 4096;
  std::vector<std::uint32_t> buffer = std::vector<std::uint32_t>(1024);
  std::vector<std::uint32_t> table = {0};
  bool clean_up =
      false;  ///< true: compile; false: execute the PTX as written, with registers in order of first use
  bool observe = true;  ///< collect `issues`
  bool every_cycle = false;
  Cycle max_cycles = 1'000'000;

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
  Cycle cycles = 0;                               ///< Gpu::Result
  std::vector<Issue> issues;                      ///< in order of time
  std::map<std::string, std::uint64_t> counters;  ///< by full name
  std::vector<std::uint32_t> buffer;              ///< after the run

  /// Returns the cycles in which a warp issued, in order.
  std::vector<Cycle> of_warp(std::uint32_t warp) const;
  /// Returns the cycle of the first (last) issue of the instruction at `pc` by any warp.
  Cycle first_at(std::uint32_t pc) const;
  Cycle last_at(std::uint32_t pc) const;
  std::uint64_t count(const std::string& name) const;  ///< fails the test for an unknown name
};

inline Machine on(const std::string& preset, int threads = 32) {
  Machine machine;
  machine.preset = preset;
  machine.threads = static_cast<std::uint32_t>(threads);
  return machine;
}

/// Returns the preset as a tree, including the presets that it is `like`.
ConfigNode preset_tree(const std::string& preset);

/// Throws Error as the machine does.
Measured measure(const Machine& machine, const std::string& body);

/// Returns `line` n times, with "@" replaced by 0, 1, 2, ...
std::string repeated(int n, const std::string& line);

}  // namespace heddle::timing
