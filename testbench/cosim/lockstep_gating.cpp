#include "testbench/cosim/lockstep_gating.h"

#include <algorithm>
#include <charconv>

#include "models/core/registry.h"

namespace heddle::cosim {
namespace {

// A policy that rtl/gating_controller.v does too: one line.
constexpr std::pair<const char*, RtlGating::Mode> kModes[] = {
    {"conventional", RtlGating::Mode::conventional},
    {"naive-blackout", RtlGating::Mode::naive},
    {"coordinated-blackout", RtlGating::Mode::coordinated},
};

// A parameter of a registered policy as it was chosen, or its default.
ConfigNode parameter_of(const ConfigNode& choice, const std::string& name) {
  const ConfigNode parameters = choice_parameters(choice);
  if (const ConfigNode* chosen = parameters.find(name)) return chosen->unwrapped();
  for (const FieldInfo& field : Registry<GatingPolicy>::instance().find(choice).describe()) {
    if (field.path != name) continue;
    std::int64_t number = 0;
    const std::string& text = field.default_value;
    const auto end = text.data() + text.size();
    return std::from_chars(text.data(), end, number).ptr == end ? ConfigNode::make_integer(number)
                                                                : ConfigNode::make_string(text);
  }
  throw InternalError(fmt::format("gating policy {} has no parameter {}", choice_name(choice), name));
}

int integer_of(const ConfigNode& choice, const char* name) {
  return static_cast<int>(parameter_of(choice, name).integer);
}

}  // namespace

RtlGating::Settings rtl_settings_of(const DomainGroupParameters& parameters) {
  RtlGating::Settings settings;
  settings.idle_detect = parameters.idle_detect_cycles;
  settings.break_even = parameters.break_even_cycles;
  settings.wake_up = parameters.wake_up_cycles;
  ConfigNode policy = parameters.policy;
  if (choice_name(policy) == "adaptive") {
    settings.adaptive = true;
    settings.epoch_cycles = integer_of(policy, "epoch_cycles");
    settings.threshold = integer_of(policy, "threshold");
    settings.calm_epochs = integer_of(policy, "calm_epochs");
    settings.idle_detect_low = integer_of(policy, "lowest");
    settings.idle_detect_high = integer_of(policy, "highest");
    policy = parameter_of(parameters.policy, "base");
  }
  const std::string name = choice_name(policy);
  for (const auto& [known, mode] : kModes)
    if (name == known) {
      settings.mode = mode;
      return settings;
    }
  throw Error(policy.where(), fmt::format("no RTL does what the gating policy \"{}\" does", name));
}

LockstepGating::LockstepGating(Wiring wiring) : w_(std::move(wiring)) { w_.rtl->reset(w_.settings); }

void LockstepGating::record(const std::string& path, std::uint64_t max_cycles) {
  const RtlGating::Settings& s = w_.settings;
  const std::string heading = fmt::format(
      "gating_unit CLUSTERS={} mode={} adaptive={} idle_detect_initial={} idle_detect_low={} "
      "idle_detect_high={} break_even={} wake_up_time={} epoch_cycles={} threshold={} calm_epochs={} :",
      w_.domains, static_cast<int>(s.mode), static_cast<int>(s.adaptive), s.idle_detect, s.idle_detect_low,
      s.idle_detect_high, s.break_even, s.wake_up, s.epoch_cycles, s.threshold, s.calm_epochs);
  record_ = std::make_unique<StimulusFile>(path, heading,
                                           std::vector<Column>{{"begin_kernel"},
                                                               {"in_use"},
                                                               {"waiting"},
                                                               {"demand"},
                                                               {"sleep", true},
                                                               {"wake", true},
                                                               {"state", true},
                                                               {"idle_detect", true}},
                                           max_cycles);
}

void LockstepGating::edge(const RtlGating::Inputs& inputs, bool begins) {
  if (record_) {
    std::uint64_t states = 0;
    for (int i = 0; i < w_.domains; ++i) states |= static_cast<std::uint64_t>(w_.rtl->state(i)) << (2 * i);
    const std::uint64_t values[] = {begins,
                                    inputs.in_use,
                                    static_cast<std::uint64_t>(inputs.waiting),
                                    static_cast<std::uint64_t>(inputs.demand),
                                    w_.rtl->sleep(),
                                    w_.rtl->wake(),
                                    states,
                                    static_cast<std::uint64_t>(w_.rtl->idle_detect())};
    record_->line(values);
  }
  w_.rtl->clock();
}

// The cycles between two kernels pass in the RTL too: epochs go on in them. The edge that ends the last of
// them begins the kernel.
void LockstepGating::begin(Cycle now) {
  if (begun_ && next_ >= now)
    throw InternalError(
        fmt::format("co-simulation: {}: a kernel begins in cycle {}, not after {}", w_.instance, now, next_));
  for (; begun_ && next_ + 1 < now; ++next_) {
    w_.rtl->eval({}, false);
    edge({}, false);
  }
  w_.rtl->eval({}, true);
  edge({}, true);
  model_->begin(now);
  begun_ = true;
  next_ = now;
}

GatingDecision LockstepGating::decide(const DomainGroupView& view) {
  if (view.now != next_)
    throw InternalError(
        fmt::format("co-simulation: {}: asked in cycle {} instead of {}", w_.instance, view.now, next_));
  RtlGating::Inputs inputs;
  for (std::size_t i = 0; i < view.domains.size(); ++i)
    if (view.domains[i].in_use()) inputs.in_use |= DomainSet{1} << i;
  inputs.waiting = view.waiting;
  inputs.demand = view.demand;
  RtlGating& rtl = *w_.rtl;
  rtl.eval(inputs, false);
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    const PowerState model = view.domains[i].state, state = rtl.state(static_cast<int>(i));
    if (model != state) [[unlikely]]
      differ(w_.instance, view.now, fmt::format("state of domain {}", i), name_of(model), name_of(state));
  }
  GatingDecision decision;
  if (w_.mode == Mode::lockstep) {
    decision = model_->decide(view);
    compare(w_.instance, view.now, "idle_detect", model_->idle_detect_cycles(), rtl.idle_detect());
    compare(w_.instance, view.now, "sleep (a bit a domain)", decision.sleep, rtl.sleep());
    compare(w_.instance, view.now, "wake (a bit a domain)", decision.wake, rtl.wake());
  } else {
    decision.sleep = rtl.sleep();
    decision.wake = rtl.wake();
  }
  ++compared_;
  edge(inputs, false);
  ++next_;
  return decision;
}

}  // namespace heddle::cosim
