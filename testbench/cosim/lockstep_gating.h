#pragma once

// A gating policy's RTL beside it: takes the policy's place in its group of power domains, hands every
// question to both, and compares the answers. Needs decide() in every cycle.

#include <memory>
#include <string>

#include "models/gating/domain_group.h"
#include "testbench/cosim/difference.h"
#include "testbench/cosim/rtl_blocks.h"
#include "testbench/cosim/stimuli.h"

namespace heddle::cosim {

class LockstepGating : public GatingPolicy {
 public:
  struct Wiring {
    std::string instance;  ///< "sm0.partition0.int"
    Mode mode = Mode::lockstep;
    RtlGating::Settings settings;
    std::unique_ptr<RtlGating> rtl;
    int domains = 1;
  };
  explicit LockstepGating(Wiring wiring);
  /// The policy whose place this one has taken.
  void set_model(std::unique_ptr<GatingPolicy> model) { model_ = std::move(model); }
  void record(const std::string& path, std::uint64_t max_cycles);
  void finish_record() {
    if (record_) record_->finish();
  }

  GatingDecision decide(const DomainGroupView& view) override;
  void begin(Cycle now) override;
  int idle_detect_cycles() const override { return w_.rtl->idle_detect(); }
  Cycle least_gated_cycles() const override { return model_->least_gated_cycles(); }
  Cycle longest_wait_cycles() const override { return model_->longest_wait_cycles(); }

  const RtlGating& rtl() const { return *w_.rtl; }
  std::uint64_t compared() const { return compared_; }

 private:
  void edge(const RtlGating::Inputs& inputs, bool begins);

  Wiring w_;
  std::unique_ptr<GatingPolicy> model_;
  std::unique_ptr<StimulusFile> record_;
  bool begun_ = false;
  Cycle next_ = 0;  ///< the cycle whose inputs the RTL takes next
  std::uint64_t compared_ = 0;
};

/// The settings of the RTL that does what a policy of the registry does; throws Error if there is none, which
/// says why.
RtlGating::Settings rtl_settings_of(const DomainGroupParameters& parameters);

}  // namespace heddle::cosim
