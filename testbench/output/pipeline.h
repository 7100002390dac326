#pragma once

// Records the way of every issued instruction through an SM, from fetch to write-back, with the instruction's
// operands and the waits of its warp. The recorder subscribes to life events, and observes which
// register-file stage answers each read (PassPoint). A run without a recorder pays nothing.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/pipeline_record.h"
#include "testbench/run/output_parameters.h"

namespace heddle::output {

/// Recorded data of an instruction. `issue`: its issue and waits. `operands`: also its steps, and operands
/// with values. `addresses`: also the addresses of memory instructions.
enum class PipelineDetail : std::uint8_t { issue, operands, addresses };

class PipelineRecorder {
 public:
  /// Observes the chosen SMs from construction on. The recorder must outlive the simulation. Throws Error if
  /// a chosen SM does not exist.
  PipelineRecorder(const PipelineParameters& parameters, Gpu& gpu,
                   PipelineDetail detail = PipelineDetail::operands);
  ~PipelineRecorder();

  /// Forgets all recorded instructions. None may be in flight: call it at the begin of a launch.
  void forget();
  /// Returns everything recorded. Call it once, at the end of the run.
  PipelineLog take();

 private:
  class SmObserver;
  bool with_operands() const { return detail_ != PipelineDetail::issue; }
  std::size_t text_of(const isa::Instruction& instruction, const isa::Program& program);
  /// Returns false if the instruction certainly does not belong to the log.
  bool admits(const PipelineInstruction& instruction);
  void leave_out(const PipelineInstruction& instruction);
  /// Drops instructions that certainly do not belong to the log, if very many are recorded.
  void trim();

  PipelineParameters parameters_;
  std::vector<std::unique_ptr<SmObserver>> observers_;
  PipelineLog log_;
  PipelineDetail detail_;
  /// index in log_.texts of each instruction of the current kernel
  std::unordered_map<const isa::Instruction*, std::size_t> text_numbers_;
  std::size_t recorded_ = 0;
  bool cut_ = false;
  PipelineInstruction first_out_;  ///< first instruction that the log leaves out, if cut_
};

}  // namespace heddle::output
