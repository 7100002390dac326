// Puts the RTL beside every instance of the model that it matches, in all SMs of a GPU.

#include "testbench/run/co_simulation.h"

#include <filesystem>
#include <map>

#include "models/core/registry.h"
#include "models/gpu/gpu.h"
#include "testbench/cosim/lockstep_gates.h"
#include "testbench/cosim/lockstep_gating.h"

namespace heddle::cosim {
namespace {

struct GatingInstance {
  std::size_t sm = 0;
  std::string name;  ///< "sm0.partition0.int"
  const DomainGroup* group = nullptr;
  LockstepGating* lockstep = nullptr;
};
struct GatesInstance {
  std::size_t sm = 0;
  std::string name;  ///< "sm0.scheduler0"
  LockstepGates* lockstep = nullptr;
};

class RtlBeside : public run::CoSimulation {
 public:
  RtlBeside(Gpu& gpu, const run::CoSimulationParameters& parameters)
      : parameters_(parameters), mode_(parameters.mode == "drive" ? Mode::drive : Mode::lockstep) {
    create_record_folder();
    for (std::size_t s = 0; s < gpu.sms().size(); ++s) {
      attach_gating(gpu.sm(s), s);
      attach_gates(gpu.sm(s), s);
    }
  }

  std::vector<std::string> notes() const override;
  std::vector<run::CoSimulationSignal> signals() const override;
  void finish() override {
    for (const GatingInstance& instance : gating_) instance.lockstep->finish_record();
    for (const GatesInstance& instance : gates_) instance.lockstep->finish_record();
  }

 private:
  void create_record_folder() const;
  void attach_gating(Sm& sm, std::size_t s);
  void attach(DomainGroup& group, const std::string& name, std::size_t s);
  void attach_gates(Sm& sm, std::size_t s);
  std::string record_path(const std::string& instance) const {
    return parameters_.record + "/" + instance + ".stimuli";
  }
  /// Said once for all instances of a kind.
  void leave_out(const std::string& kind, const std::string& reason) { left_out_.emplace(kind, reason); }

  run::CoSimulationParameters parameters_;
  Mode mode_;
  std::vector<GatingInstance> gating_;
  std::vector<GatesInstance> gates_;
  std::map<std::string, std::string> left_out_;
};

void RtlBeside::create_record_folder() const {
  if (parameters_.record.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(parameters_.record, error);
  if (error) throw Error(parameters_.record, "cannot create this folder: " + error.message());
}

void RtlBeside::attach_gating(Sm& sm, std::size_t s) {
  SmPowerDomains& power = sm.power_domains();
  attach(*power.of(0, isa::UnitClass::ldst).groups().front(), fmt::format("sm{}.ldst", s), s);
  for (int p = 0; p < sm.partitions(); ++p)
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu}) {
      UnitDomains& units = power.of(static_cast<std::size_t>(p), unit);
      for (const auto& group : units.groups())
        attach(*group, fmt::format("sm{}.partition{}.{}", s, p, units.name()), s);
    }
}

void RtlBeside::attach(DomainGroup& group, const std::string& name, std::size_t s) {
  const std::string policy = choice_name(group.parameters().policy);
  if (group.policy().never_gates())
    return leave_out(fmt::format("{} domains (gating policy {})", group.name(), policy), "it never gates");
  if (group.kind() == DomainKind::parts)
    return leave_out(fmt::format("{} domains (gating policy {})", group.name(), policy),
                     "they are parts of a unit, the block is for alternatives");
  LockstepGating::Wiring wiring{name, mode_, {}, rtl_makers().gating(group.size()), group.size()};
  if (!wiring.rtl)
    return leave_out(
        fmt::format("{} domains (gating policy {})", group.name(), policy),
        fmt::format("there is no block for {} domains, only for {}", group.size(), rtl_gating_sizes()));
  try {
    wiring.settings = rtl_settings_of(group.parameters());
  } catch (const Error&) {
    return leave_out(fmt::format("{} domains (gating policy {})", group.name(), policy),
                     "there is no RTL of this policy");
  }
  auto lockstep = std::make_unique<LockstepGating>(std::move(wiring));
  LockstepGating* instance = lockstep.get();
  instance->set_model(group.exchange_policy(std::move(lockstep)));
  if (!parameters_.record.empty()) instance->record(record_path(name), parameters_.record_cycles);
  gating_.push_back({s, name, &group, instance});
}

void RtlBeside::attach_gates(Sm& sm, std::size_t s) {
  for (int i = 0; i < sm.issue().schedulers(); ++i) {
    const std::string name = fmt::format("sm{}.scheduler{}", s, i);
    auto* gates = dynamic_cast<HasGatesPriority*>(&sm.issue().policy_of(i));
    if (!gates) {
      leave_out(fmt::format("schedulers (policy {})", choice_name(sm.parameters().scheduler)),
                "there is no RTL of this policy");
      continue;
    }
    auto lockstep = std::make_unique<LockstepGates>(
        LockstepGates::Wiring{name, mode_, gates->gates_parameters(), rtl_makers().gates()});
    LockstepGates* instance = lockstep.get();
    instance->set_model(gates->exchange_priority(std::move(lockstep)));
    if (!parameters_.record.empty()) instance->record(record_path(name), parameters_.record_cycles);
    gates_.push_back({s, name, instance});
  }
}

std::vector<std::string> RtlBeside::notes() const {
  std::uint64_t cycles = 0;
  for (const GatingInstance& instance : gating_) cycles += instance.lockstep->compared();
  for (const GatesInstance& instance : gates_) cycles += instance.lockstep->compared();
  std::vector<std::string> notes{fmt::format(
      "co-simulation ({}): {} groups of power domains, {} GATES priority logics, {} block cycles {}",
      mode_ == Mode::drive ? "drive" : "lockstep", gating_.size(), gates_.size(), cycles,
      mode_ == Mode::drive ? "decided by the RTL" : "compared")};
  for (const auto& [kind, reason] : left_out_)
    notes.push_back(fmt::format("not co-simulated: {}: {}", kind, reason));
  return notes;
}

std::vector<run::CoSimulationSignal> RtlBeside::signals() const {
  std::vector<run::CoSimulationSignal> list;
  const auto scope = [](const std::string& name) {  // sm0.ldst -> sm0.rtl.ldst.
    const std::size_t dot = name.find('.');
    return name.substr(0, dot) + ".rtl" + name.substr(dot) + ".";
  };
  const auto add = [&list](std::size_t sm, std::string name, int width, auto read, bool state = false) {
    list.push_back(
        {sm, std::move(name), width, state, [read] { return static_cast<std::uint64_t>(read()); }});
  };
  for (const GatingInstance& instance : gating_) {
    const RtlGating* rtl = &instance.lockstep->rtl();
    const std::string place = scope(instance.name);
    for (int i = 0; i < instance.group->size(); ++i) {
      const std::string cluster = fmt::format("{}cluster{}.", place, i);
      add(
          instance.sm, cluster + "power", 2, [rtl, i] { return rtl->state(i); }, true);
      add(instance.sm, cluster + "timer", 10, [rtl, i] { return rtl->timer(i); });
      add(instance.sm, cluster + "idle_count", 10, [rtl, i] { return rtl->idle_count(i); });
    }
    add(instance.sm, place + "idle_detect", 10, [rtl] { return rtl->idle_detect(); });
    add(instance.sm, place + "epoch_count", 20, [rtl] { return rtl->epoch_count(); });
    add(instance.sm, place + "critical_count", 17, [rtl] { return rtl->critical_count(); });
  }
  static constexpr const char* kTypes[] = {"int", "fp", "sfu", "ldst"};
  for (const GatesInstance& instance : gates_) {
    const RtlGates* rtl = &instance.lockstep->rtl();
    const std::string place = scope(instance.name);
    add(instance.sm, place + "fp_highest", 1, [rtl] { return rtl->fp_highest(); });
    for (int t = 0; t < 4; ++t) {
      if (t < 2)
        add(instance.sm, fmt::format("{}{}_actv", place, kTypes[t]), 7, [rtl, t] { return rtl->active(t); });
      add(instance.sm, fmt::format("{}{}_rdy", place, kTypes[t]), 7, [rtl, t] { return rtl->ready(t); });
    }
  }
  return list;
}

std::unique_ptr<run::CoSimulation> put_rtl_beside(Gpu& gpu, const run::CoSimulationParameters& parameters) {
  return std::make_unique<RtlBeside>(gpu, parameters);
}

[[maybe_unused]] const bool registered = (run::CoSimulation::factory() = put_rtl_beside) != nullptr;

}  // namespace
}  // namespace heddle::cosim
