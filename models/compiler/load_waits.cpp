// Counts the waits of a compiled program for long-latency loads. A warp waits at an instruction that reads or
// writes the destination register of an outstanding load. Assumed: the wait lasts until all outstanding loads
// have arrived. If loads are still outstanding at the end of their block, one wait is counted there.

#include "models/compiler/load_waits.h"

#include <algorithm>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/core/error.h"
#include "models/isa/instruction_footprint.h"

namespace heddle::compiler {
namespace {

constexpr const char* kSchedule = "schedule-loads";
constexpr double kLoopWeight = 10;
constexpr int kDeepest = 6;

struct Waits {
  unsigned places = 0;
  double weight = 0;
};

Waits waits_of(const isa::Program& program) {
  const std::vector<InstructionFootprint> footprints = footprints_of(program);
  const ControlFlow flow(program);
  Waits waits;
  for (const BasicBlock& block : flow.blocks()) {
    if (!block.reachable) continue;
    double weight = 1;
    for (int depth = 0; depth < std::min(block.loop_depth, kDeepest); ++depth) weight *= kLoopWeight;
    RegisterSet outstanding;
    for (std::uint32_t n = block.first; n < block.end; ++n) {
      const InstructionFootprint& f = footprints[n];
      if (f.reads.intersects(outstanding) || f.writes.intersects(outstanding)) {
        ++waits.places;
        waits.weight += weight;
        outstanding = {};
      }
      if (f.long_latency) outstanding.merge(f.writes);
    }
    if (!outstanding.any()) continue;
    ++waits.places;
    waits.weight += weight;
  }
  return waits;
}

// Returns the configured passes, with the pass schedule-loads added before register allocation.
std::vector<ConfigNode> with_scheduled_loads(const CompilerParameters& parameters) {
  const PassContext context{parameters.max_registers, parameters.predicates, parameters.resident_warps,
                            parameters.latencies};
  std::vector<ConfigNode> passes = parameters.passes;
  const auto later = std::find_if(passes.begin(), passes.end(), [&](const ConfigNode& choice) {
    return Registry<ICompilerPass>::instance().make(choice, context)->stage() != PassStage::before_allocation;
  });
  passes.insert(later, ConfigNode::make_string(kSchedule));
  return passes;
}

}  // namespace

LoadWaits load_waits(const isa::Program& parsed, const isa::Program& compiled,
                     CompilerParameters parameters) {
  const Waits listed = waits_of(compiled);
  LoadWaits result{listed.places, listed.places, 0};
  if (listed.places < 2) return result;
  parameters.passes = with_scheduled_loads(parameters);
  parameters.verify = false;
  try {
    const Waits scheduled = waits_of(compile(parsed, parameters));
    result.scheduled = scheduled.places;
    result.share = std::max(0.0, 1 - scheduled.weight / listed.weight);
  } catch (const Error&) {
  }
  return result;
}

}  // namespace heddle::compiler
