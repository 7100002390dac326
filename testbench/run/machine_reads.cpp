#include "testbench/run/machine_reads.h"

#include <fmt/format.h>

#include "models/ptx/kernel_name.h"
#include "testbench/estimate/order_dependence.h"

namespace heddle::run {

std::shared_ptr<isa::MachineReads> record_for(const isa::Program& timed, const GpuParameters& gpu) {
  if (!timed.reads_time() && !timed.reads_placement()) return nullptr;
  return std::make_shared<isa::MachineReads>(timed, static_cast<std::uint32_t>(gpu.sms),
                                             static_cast<std::uint32_t>(gpu.sm.max_warps));
}

std::string why_incomparable(const isa::KernelLaunch& launch) {
  if (!launch.reads) return {};
  const isa::MachineReads::Mismatch mismatch = launch.reads->mismatch();
  if (mismatch.lanes == 0 ||
      estimate::order_dependence(*launch.program, true) == estimate::OrderDependence::none)
    return {};
  return fmt::format(
      "threads of kernel {} wait for each other and read the clock at line {} more often in one run than in "
      "the other "
      "({} reads)",
      ptx::plain_name(launch.program->kernel), mismatch.line, mismatch.lanes);
}

}  // namespace heddle::run
