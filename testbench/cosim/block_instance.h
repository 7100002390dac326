#pragma once

// A Verilated block that is connected to one probe point of the model. It receives each view and answer of
// the point and computes its own outputs. It then compares the outputs (lockstep) or replaces the model's
// answer (drive).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "testbench/cosim/block_table.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

enum class Mode : std::uint8_t {
  lockstep,  ///< the model decides, and the RTL must agree
  drive      ///< the RTL decides
};

/// Events that tick the clock of a block.
enum class Clocking : std::uint8_t {
  none,       ///< combinational: the block has no clk
  per_cycle,  ///< one edge per cycle of the model, also in cycles without a view
  per_event   ///< one edge per view
};

/// The part of an instance that does not depend on the type of its point.
class BlockInstance {
 public:
  BlockInstance(std::string name, Mode mode, std::unique_ptr<RtlModel> model, RtlParameters parameters)
      : name_(std::move(name)), mode_(mode), model_(std::move(model)), parameters_(std::move(parameters)) {}
  virtual ~BlockInstance() = default;

  const std::string& name() const { return name_; }
  const std::string& module() const { return model_->module(); }
  Port& port(const std::string& port_name) { return model_->port(port_name); }
  /// Returns the number of views so far: cycles of a clocked block, events of a combinational one.
  std::uint64_t compared() const { return compared_; }
  /// Returns the values that waveforms show.
  const std::vector<WaveEntry>& waves() const { return waves_; }

  /// Records inputs and outputs in a file from now on, at most `max_lines` lines.
  void record(const std::string& path, std::uint64_t max_lines) {
    record_path_ = path;
    record_lines_ = max_lines;
  }
  void finish_record() {
    if (!record_ && !record_path_.empty()) start_record();
    if (record_) record_->finish();
  }

 protected:
  /// Binds clock and reset and applies the power-on reset. Settings must already have their values. All other
  /// inputs are 0.
  void power_on(Clocking clocking, std::vector<BoundPort*> inputs, std::vector<BoundPort*> outputs,
                std::vector<WaveEntry> waves, std::vector<std::pair<std::string, std::uint64_t>> settings);
  RtlModel& model() { return *model_; }
  void eval() { model_->eval(); }
  /// Applies the clock edge at the end of the current cycle.
  void edge();
  /// Writes a line of the recording, if there is a recording.
  void line() {
    if (!record_path_.empty()) [[unlikely]]
      write_line();
  }
  void write_line();
  /// Applies the edges of the cycles without a view that come before `now`. `at_once`: the edge of the last
  /// view has already been applied.
  void pass_until(Cycle now, bool at_once);
  [[noreturn]] void differ(Cycle cycle, const BoundPort& port, int element, std::uint64_t model) const;
  bool driven() const { return mode_ == Mode::drive; }

  bool begun_ = false;
  Cycle next_ = 0;  ///< cycle of the next view
  std::uint64_t compared_ = 0;

 private:
  void start_record();

  std::string name_;
  Mode mode_;
  std::unique_ptr<RtlModel> model_;
  RtlParameters parameters_;
  std::vector<BoundPort*> inputs_, outputs_, entering_inputs_;
  std::vector<WaveEntry> waves_;
  std::vector<std::pair<std::string, std::uint64_t>> settings_;
  Port *clock_ = nullptr, *reset_ = nullptr;
  std::unique_ptr<StimulusFile> record_;
  std::string record_path_;  ///< file of the recording; empty if nothing is recorded
  std::uint64_t record_lines_ = 0;
  std::vector<std::uint64_t> values_;  ///< columns of a line
};

/// Returns true if a view of the point shows a completed cycle, so that the clock edge follows the view at
/// once. Otherwise the edge comes with the next view.
template <class Point>
constexpr bool shows_end_of_cycle() {
  if constexpr (requires { Point::kEndOfCycle; }) return Point::kEndOfCycle;
  return false;
}

template <class Point>
class InstanceOf : public BlockInstance {
 public:
  using View = typename Point::View;
  using Answer = typename Point::Answer;
  using Table = BlockTable<Point>;

  /// `fill` fills the table of ports.
  template <class Fill>
  InstanceOf(std::string name, Mode mode, std::unique_ptr<RtlModel> model, RtlParameters parameters,
             Clocking clocking, Fill fill)
      : BlockInstance(std::move(name), mode, std::move(model), std::move(parameters)),
        clocking_(clocking),
        table_(this->model()) {
    fill(table_);
    table_.check_complete();
    std::vector<BoundPort*> inputs, outputs;
    for (auto& in : table_.inputs()) {
      inputs.push_back(&in);
      (in.time == InputTime::entering ? entering_ : present_).push_back(&in);
    }
    for (auto& out : table_.outputs()) outputs.push_back(&out);
    power_on(clocking, std::move(inputs), std::move(outputs), table_.shown(), table_.settings());
  }

  /// Implements Probe<Point>::Observer.
  void observe(const View& view, Answer* answer) {
    if (!table_.concerns(view)) return;
    if (clocking_ == Clocking::per_cycle) arrive(view);
    for (auto* in : present_) in->put(view, *in);
    eval();
    if (answer) judge(view, *answer);
    ++compared_;
    if (clocking_ == Clocking::none)
      line();
    else if (kAtOnce || clocking_ == Clocking::per_event)
      edge();
  }

 private:
  static constexpr bool kAtOnce = shows_end_of_cycle<Point>();

  void arrive(const View& view) {
    if constexpr (requires { view.now; }) {
      if (!begun_)
        for (auto* in : present_) {  // sets the number of elements for the recording
          in->put(view, *in);
          in->port->clear();
        }
      pass_until(view.now, kAtOnce);
      if constexpr (!kAtOnce) {
        for (auto* in : entering_) in->put(view, *in);
        edge();
      }
    }
  }

  void judge(const View& view, Answer& answer) {
    for (auto& out : table_.outputs()) {
      if (driven() && out.replace) {
        out.replace(view, answer, out);
        continue;
      }
      std::uint64_t model = 0;
      if (const int element = out.compare(view, answer, out, model); element >= 0) [[unlikely]]
        differ(cycle_of(view), out, element, model);
    }
  }
  static Cycle cycle_of(const View& view) {
    if constexpr (requires { view.now; }) return view.now;
    return 0;
  }

  Clocking clocking_;
  Table table_;
  std::vector<typename Table::Input*> present_, entering_;
};

}  // namespace heddle::cosim
