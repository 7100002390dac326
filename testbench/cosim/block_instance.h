#pragma once

// A Verilated block that is connected to one probe point of the model. At each event, the probe point passes
// the block's inputs (View) and the model's decision (Answer). In lockstep, the block's outputs are compared
// with the decision. In the mode `drive`, the outputs replace the decision.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "testbench/cosim/block_table.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

enum class Mode : std::uint8_t { lockstep, drive };

/// When a block gets a clock edge.
enum class Clocking : std::uint8_t {
  none,       ///< The block is combinational and has no clk.
  per_cycle,  ///< one edge in each cycle of the model, also in cycles without new inputs
  per_event   ///< one edge for each set of inputs
};

struct ProbedView {
  const void* view = nullptr;
  void* answer = nullptr;  ///< the model's decision; nullptr if there is none to compare
  /// Cycle of the model's decision; empty if the probe point has no cycle.
  std::optional<Cycle> now;
};

class BlockInstance {
 public:
  /// Connects clock and reset, and applies the power-on reset. The port table must be complete. With
  /// `at_once`, a clock edge directly follows each set of inputs; otherwise the edge comes when the next set
  /// arrives.
  BlockInstance(std::string name, Mode mode, std::unique_ptr<RtlModel> model, RtlParameters parameters,
                Clocking clocking, bool at_once, PortTable table);

  const std::string& name() const { return name_; }
  const std::string& module() const { return model_->module(); }
  Port& port(const std::string& port_name) { return model_->port(port_name); }
  /// Returns how many sets of inputs the block has received. For a clocked block, it is the number of cycles;
  /// for a combinational block, the number of events.
  std::uint64_t compared() const { return compared_; }
  const std::vector<WaveEntry>& waves() const { return waves_; }

  /// Applies a set of inputs to the block. In lockstep, compares the block's outputs with the model's
  /// decision, and throws Error at the first difference. In the mode `drive`, the outputs replace the
  /// decision.
  void observe(const ProbedView& probed);

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
  void edge();
  void line() {
    if (!record_path_.empty()) [[unlikely]]
      write_line();
  }
  void write_line();
  /// Gives the block one clock edge for each cycle before `now` in which the block had no inputs.
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
  /// entering_: inputs that are set before the clock edge at the beginning of a cycle, which samples them
  /// (InputTime::entering). present_: all other inputs, which are set after this edge.
  std::vector<InputRow*> present_, entering_;
  std::vector<WaveEntry> waves_;
  Port *clock_ = nullptr, *reset_ = nullptr;
  bool begun_ = false;
  Cycle next_ = 0;
  std::uint64_t compared_ = 0;
  std::unique_ptr<StimulusFile> record_;
  std::string record_path_;
  std::uint64_t record_lines_ = 0;
  std::vector<std::uint64_t> values_;
};

}  // namespace heddle::cosim
