#pragma once

// Provides settings of machines that use the RTL of renaming. Also provides functions that test a single
// part with random inputs: the release flag cache, or the entry balance of the register throttle
// (RegisterBalance).

#include <algorithm>
#include <random>

#include "models/frontend/release_flag_cache.h"
#include "models/scheduler/constraints/register_balance.h"
#include "tests/cosim/attach_next_to.h"
#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {

/// Returns settings for the preset fermi-virtualization: renaming with `entries` entries per bank, subarrays
/// that are switched off while empty, a release flag cache, and the register throttle.
inline std::vector<std::string> renaming_parts(int entries) {
  const std::string file = "gpu.sm.register_file.";
  return {
      file + R"(stages=[{"type":"renaming","gating":{"policy":"conventional","wake_up_cycles":3}},"banks"])",
      file + "architected_entries=1024",
      file + "banks.entries=" + std::to_string(entries),
      R"(gpu.sm.front_end.stages=["release-flag-cache"])",
      R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","register-throttle"])",
      R"(compiler.passes=["fold-parameters","fold-conversions","propagate-copies","remove-dead-code",)"
      R"("exempt-registers","release-flags"])"};
}

/// Looks up, replaces and clears entries of a release flag cache at random. Returns the results of all
/// look-ups.
inline std::vector<std::uint64_t> drive_flag_cache(std::size_t entries, const Mode* mode) {
  ReleaseFlagCache cache(entries);
  std::unique_ptr<BlockInstance> rtl;
  if (mode) rtl = attach_next_to(cache.probe(), *mode, "sm0.release_flag_cache");
  std::mt19937_64 random(entries);
  std::vector<std::uint64_t> found;
  for (int step = 0; step < 4000; ++step) {
    if (random() % 200 == 0) cache.clear();
    const std::uint64_t address = 8 * (random() % 30 + (random() % 8 ? 0 : 1000 * entries));
    const auto flags = cache.find(address);
    found.push_back(flags ? *flags : ~std::uint64_t{0});
    if (!flags) cache.replace(address, random() & isa::kReleaseField);
  }
  return found;
}

inline std::vector<int> drive_balance(int pools, const Mode* mode, int entries = 128) {
  RegisterBalance balance(8, pools, entries);
  std::unique_ptr<BlockInstance> rtl;
  if (mode) rtl = attach_next_to(balance.probe(), *mode, "sm0.register_balance");
  std::mt19937 random(static_cast<unsigned>(pools));
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<int> answers;
  for (int round = 0; round < 4000; ++round) {
    std::vector<int> whole, free, demand;
    std::vector<std::vector<int>> charged(8);
    const int size = 1 + below(round % 2 ? 4 : entries - 8);
    for (int p = 0; p < pools; ++p) {
      whole.push_back(size + below(4));
      free.push_back(below(size + 2));
      demand.push_back(below(4) ? 0 : 1 + below(2));
      for (std::vector<int>& cta : charged) cta.push_back(below(whole.back() + 1));
    }
    balance.begin(free, whole);
    const int resident = 1 + below(255);
    for (int c = 0; c < 8; ++c)
      if (resident >> c & 1) balance.add(c, charged[static_cast<std::size_t>(c)]);
    answers.push_back(balance.safe_cta());
    answers.push_back(balance.has_headroom());
    answers.push_back(balance.may_take(below(8), demand));
  }
  return answers;
}

}  // namespace heddle::cosim
