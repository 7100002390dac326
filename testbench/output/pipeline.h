#pragma once

// Records how every issued instruction passes through an SM, from fetch to write-back, with the instruction's
// operands and the waits of its warp. The recorder subscribes to life events. It also observes which
// register-file stage supplies the value of each read (PassPoint). A run without a recorder spends no host
// time on observation.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/pipeline_record.h"
#include "testbench/run/output_parameters.h"

namespace heddle::output {

/// Data that is recorded for each instruction. `issue`: the cycle of its issue, and its warp's waits.
/// `operands` adds the cycles of all further steps, and the operands with their values. `addresses` adds the
/// addresses of memory instructions.
enum class PipelineDetail : std::uint8_t { issue, operands, addresses };

class PipelineRecorder {
 public:
  /// Observes the chosen SMs from construction on. The recorder must outlive the simulation. Throws Error if
  /// a chosen SM does not exist.
  PipelineRecorder(const PipelineParameters& parameters, Gpu& gpu,
                   PipelineDetail detail = PipelineDetail::operands);
  ~PipelineRecorder();

  /// Removes all recorded instructions. Call only while no instruction is in flight, for example at the
  /// beginning of a launch.
  void forget();
  /// Returns everything that was recorded. Call once, at the end of the run.
  PipelineLog take();

 private:
  class SmObserver;
  bool with_operands() const { return detail_ != PipelineDetail::issue; }
  std::size_t text_of(const isa::Instruction& instruction, const isa::Program& program);
  /// Returns false if it is certain that the log will not contain the instruction.
  bool admits(const PipelineInstruction& instruction);
  void leave_out(const PipelineInstruction& instruction);
  /// If very many instructions are recorded, removes those that the log certainly will not contain.
  void trim();

  PipelineParameters parameters_;
  std::vector<std::unique_ptr<SmObserver>> observers_;
  PipelineLog log_;
  PipelineDetail detail_;
  /// for each instruction of the current kernel, index of its text in log_.texts
  std::unordered_map<const isa::Instruction*, std::size_t> text_numbers_;
  std::size_t recorded_ = 0;
  bool cut_ = false;
  PipelineInstruction first_out_;  ///< earliest instruction that the log leaves out; valid if cut_ is true
};

}  // namespace heddle::output
