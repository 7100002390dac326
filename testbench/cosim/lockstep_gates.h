#pragma once

// The RTL of the GATES priority logic beside the model's.

#include <memory>
#include <string>

#include "models/scheduler/gates_priority.h"
#include "testbench/cosim/difference.h"
#include "testbench/cosim/rtl_blocks.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

class LockstepGates : public GatesPriority {
 public:
  struct Wiring {
    std::string instance;  ///< "sm0.scheduler0"
    Mode mode = Mode::lockstep;
    GatesPriorityParameters parameters;
    std::unique_ptr<RtlGates> rtl;
  };
  explicit LockstepGates(Wiring wiring);
  /// The logic whose place this one has taken.
  void set_model(std::unique_ptr<GatesPriority> model) { model_ = std::move(model); }
  void record(const std::string& path, std::uint64_t max_cycles);
  void finish_record() {
    if (record_) record_->finish();
  }

  GatesOutputs step(const GatesInputs& inputs) override;

  const RtlGates& rtl() const { return *w_.rtl; }
  std::uint64_t compared() const { return compared_; }

 private:
  void enter_cycle(const GatesInputs& inputs);
  void edge(const RtlGates::Counts& enter, const RtlGates::Counts& leave);
  GatesOutputs outputs() const;

  Wiring w_;
  std::unique_ptr<GatesPriority> model_;
  std::unique_ptr<StimulusFile> record_;
  RtlGates::Counts counts_;  ///< in the RTL
  RtlGates::Inputs inputs_;  ///< of its present cycle
  bool begun_ = false;
  Cycle now_ = 0;  ///< its present cycle
  std::uint64_t compared_ = 0;
};

}  // namespace heddle::cosim
