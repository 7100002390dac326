#include "testbench/run/reference_options.h"

namespace heddle::run {

reference::ReferenceOptions reference_options(const RunParameters& parameters) {
  reference::ReferenceOptions options;
  const SmParameters& sm = parameters.gpu.sm;
  options.resident_ctas = sm.max_ctas * parameters.gpu.sms;
  options.endless_after = parameters.watch.endless_steps;
  options.thread_progress = isa::thread_progress_of(sm.thread_progress);
  options.matrix = sm.units.matrix.rules();
  // A launch with more instructions than the GPU can issue in max_cycles cannot end in the timed run. The
  // reference therefore stops at this number of instructions.
  options.max_warp_instructions =
      parameters.watch.max_cycles *
      static_cast<std::uint64_t>(parameters.gpu.sms * sm.schedulers() * sm.issue_width);
  return options;
}

reference::CheckKinds check_kinds(const WatchParameters& watch) {
  std::string joined;
  for (const std::string& kind : watch.checks) joined += (joined.empty() ? "" : ",") + kind;
  return watch.checks.empty() ? reference::CheckKinds{}
                              : reference::read_check_kinds("watch.checks", joined, {});
}

}  // namespace heddle::run
