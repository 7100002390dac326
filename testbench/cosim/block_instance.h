#pragma once

// A Verilated block that is connected to one probe point of the model. At each event the probe point passes a
// view (the block's inputs) and an answer (the decision that the model made). The block computes its own
// outputs from the view. In lockstep, the outputs are compared with the answer. In the mode `drive`, the
// outputs replace the answer.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "testbench/cosim/block_table.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

enum class Mode : std::uint8_t {
  lockstep,  ///< The model decides, and the RTL must compute the same decision (lockstep).
  drive      ///< The RTL's decision replaces the model's (drive).
};

/// Events that give a block a clock edge.
enum class Clocking : std::uint8_t {
  none,       ///< The block is combinational and has no clk.
  per_cycle,  ///< The block gets one edge in each cycle of the model, also in cycles without a view.
  per_event   ///< The block gets one clock edge for each view (set of inputs from the model).
};

/// The view (inputs) and the answer (decision of the model) that a probe point passes, as addresses.
struct ProbedView {
  const void* view = nullptr;
  void* answer = nullptr;  ///< nullptr if the model makes no decision that can be compared
  /// Cycle in which the model made the decision; empty for probe points without a cycle.
  std::optional<Cycle> now;
};

class BlockInstance {
 public:
  /// `at_once`: a view shows a completed cycle, so the clock edge follows the view directly. Otherwise the
  /// edge comes with the next view. Binds clock and reset and applies the power-on reset, so the table must
  /// be complete.
  BlockInstance(std::string name, Mode mode, std::unique_ptr<RtlModel> model, RtlParameters parameters,
                Clocking clocking, bool at_once, PortTable table);

  const std::string& name() const { return name_; }
  const std::string& module() const { return model_->module(); }
  Port& port(const std::string& port_name) { return model_->port(port_name); }
  /// Returns how many views the block has received: cycles of a clocked block, or events of a combinational
  /// one.
  std::uint64_t compared() const { return compared_; }
  /// Returns the names and values of the block's signals for waveforms.
  const std::vector<WaveEntry>& waves() const { return waves_; }

  /// Applies a view to the block's inputs, then compares the model's answer with the block's outputs or
  /// replaces the answer. Throws Error at the first difference.
  void observe(const ProbedView& probed);

  /// Starts recording inputs and outputs to a file.
  void record(const std::string& path, std::uint64_t max_lines) {
    record_path_ = path;
    record_lines_ = max_lines;
  }
  void finish_record() {
    if (!record_ && !record_path_.empty()) start_record();
    if (record_) record_->finish();
  }

 private:
  void power_on();
  void arrive(const ProbedView& probed);
  void judge(const ProbedView& probed);
  void put(InputRow& in, const void* view);
  /// Gives the block the clock edge at the end of the current cycle.
  void edge();
  /// Writes a line to the recording, if there is one.
  void line() {
    if (!record_path_.empty()) [[unlikely]]
      write_line();
  }
  void write_line();
  /// Gives the block a clock edge for each cycle without a view, up to the cycle before `now`.
  void pass_until(Cycle now);
  [[noreturn]] void differ(Cycle cycle, const OutputRow& row, const Elements& model, int element) const;
  void start_record();

  std::string name_;
  Mode mode_;
  std::unique_ptr<RtlModel> model_;
  RtlParameters parameters_;
  Clocking clocking_;
  bool at_once_;
  PortTable table_;
  /// inputs that take effect with a view, and inputs that the clock edge before the view samples
  std::vector<InputRow*> present_, entering_;
  std::vector<WaveEntry> waves_;
  Port *clock_ = nullptr, *reset_ = nullptr;
  bool begun_ = false;
  Cycle next_ = 0;  ///< cycle for which the block gets its next clock edge
  std::uint64_t compared_ = 0;
  std::unique_ptr<StimulusFile> record_;
  std::string record_path_;  ///< path of the recording; empty if nothing is recorded
  std::uint64_t record_lines_ = 0;
  std::vector<std::uint64_t> values_;  ///< values of all columns of a recorded line
};

}  // namespace heddle::cosim
