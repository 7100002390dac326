#pragma once

// A block beside one probe point of the model: takes each view and answer that pass there, has the Verilated
// block do the same, and compares (lockstep), or puts the block's answer in the model's place (drive).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "testbench/cosim/block_table.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

enum class Mode : std::uint8_t {
  lockstep,  ///< the model decides, the RTL must agree
  drive      ///< the RTL decides
};

/// When the clock of a block ticks.
enum class Clocking : std::uint8_t {
  none,       ///< combinational: the block has no clk
  per_cycle,  ///< once a cycle of the model, cycles without a view included
  per_event   ///< once a view
};

/// What does not depend on the point.
class BlockInstance {
 public:
  BlockInstance(std::string name, Mode mode, std::unique_ptr<RtlModel> model, RtlParameters parameters)
      : name_(std::move(name)), mode_(mode), model_(std::move(model)), parameters_(std::move(parameters)) {}
  virtual ~BlockInstance() = default;

  const std::string& name() const { return name_; }
  const std::string& module() const { return model_->module(); }
  Port& port(const std::string& port_name) { return model_->port(port_name); }
  /// Views so far: cycles of a clocked block, events of a combinational one.
  std::uint64_t compared() const { return compared_; }
  /// What waveforms show.
  const std::vector<WaveEntry>& waves() const { return waves_; }

  /// From here on, writes inputs and outputs to a file.
  void record(const std::string& path, std::uint64_t max_lines) {
    record_path_ = path;
    record_lines_ = max_lines;
  }
  void finish_record() {
    if (!record_ && !record_path_.empty()) start_record();
    if (record_) record_->finish();
  }

 protected:
  /// Binds clock and reset, and powers on: settings are in place, everything else is 0.
  void power_on(Clocking clocking, std::vector<BoundPort*> inputs, std::vector<BoundPort*> outputs,
                std::vector<WaveEntry> waves, std::vector<std::pair<std::string, std::uint64_t>> settings);
  RtlModel& model() { return *model_; }
  void eval() { model_->eval(); }
  /// The edge at the end of the present cycle.
  void edge();
  /// A line of the recording, if there is one.
  void line() {
    if (!record_path_.empty()) [[unlikely]]
      write_line();
  }
  void write_line();
  /// Cycles pass in which nobody asks, up to the one before `now`. `at_once`: the edge of the last view is
  /// over.
  void pass_until(Cycle now, bool at_once);
  [[noreturn]] void differ(Cycle cycle, const BoundPort& port, int element, std::uint64_t model) const;
  bool driven() const { return mode_ == Mode::drive; }

  bool begun_ = false;
  Cycle next_ = 0;  ///< the cycle whose view comes next
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
  std::string record_path_;  ///< of a recording whose first line is to come
  std::uint64_t record_lines_ = 0;
  std::vector<std::uint64_t> values_;  ///< of a line
};

/// Whether views of a point show a cycle that is over: the edge then follows the view at once. Else it comes
/// with the next view.
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

  /// `fill` writes the table.
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

  /// Probe<Point>::Observer.
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
        for (auto* in : present_) {  // so that a recording knows its elements
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
