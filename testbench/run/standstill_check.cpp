#include "testbench/run/standstill_check.h"

#include <algorithm>
#include <vector>

#include "models/isa/thread_progress.h"

namespace heddle::run {

void refuse_standstill(const isa::KernelLaunch& launch, const MemoryImage& memory,
                       reference::ReferenceOptions options) {
  // Number of warp-instructions to execute: four times the interval at which reference::Progress checks.
  constexpr std::uint64_t kMostInstructions = 20'000'000;
  const std::vector<bool> waits = isa::waiting_branches(*launch.program);
  if (launch.program->reads_time() || std::find(waits.begin(), waits.end(), true) == waits.end()) return;
  MemoryImage scratch = memory;
  options.max_warp_instructions = kMostInstructions;
  try {
    reference::run_reference(launch, scratch, options);
  } catch (const reference::EndlessError&) {
    throw;
  } catch (const Error&) {  // The timed run reports other errors of the kernel.
  }
}

}  // namespace heddle::run
