// Connects RTL blocks to all units of the model that they implement, in all SMs of a GPU.

#include "testbench/run/co_simulation.h"

#include <filesystem>
#include <map>

#include "models/gpu/gpu.h"
#include "testbench/cosim/block.h"

namespace heddle::cosim {
namespace {

class RtlCoSimulation : public run::CoSimulation {
 public:
  RtlCoSimulation(Gpu& gpu, const run::CoSimulationParameters& parameters)
      : parameters_(parameters), mode_(parameters.mode == "drive" ? Mode::drive : Mode::lockstep) {
    create_record_folder();
    for (std::size_t s = 0; s < gpu.sms().size(); ++s) {
      ProbeList list;
      gpu.sm(s).probes(ProbeScope(list, fmt::format("sm{}", s)));
      for (const ProbeList::Part& part : list.parts) connect_part(part, s);
    }
  }

  std::vector<std::string> notes() const override;
  std::vector<run::CoSimulationSignal> signals() const override;
  void finish() override {
    for (const Placed& placed : placed_) placed.instance->finish_record();
  }

 private:
  struct Placed {
    std::size_t sm = 0;
    const BlockKind* kind = nullptr;
    std::unique_ptr<BlockInstance> instance;
  };

  void create_record_folder() const;
  void connect_part(const ProbeList::Part& part, std::size_t sm);
  void place(std::size_t sm, const BlockKind& kind, std::unique_ptr<BlockInstance> instance);

  run::CoSimulationParameters parameters_;
  Mode mode_;
  std::vector<Placed> placed_;
  /// Key: kind of a unit of the model. Value: why no block is connected to it. Each reason is printed once.
  std::map<std::string, std::string> left_out_;
};

void RtlCoSimulation::create_record_folder() const {
  if (parameters_.record.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(parameters_.record, error);
  if (error) throw Error(parameters_.record, "cannot create this folder: " + error.message());
}

// Connects all RTL blocks that implement a unit of the model. The first block gets the unit's name. The names
// of further blocks are the unit's name followed by the name of their Verilog module.
void RtlCoSimulation::connect_part(const ProbeList::Part& part, std::size_t sm) {
  bool any = false;
  std::string why = "there is no RTL of this policy";
  for (ProbePoint* point : part.points)
    for (const BlockKind* kind : BlockKind::all()) {
      std::string reason;
      auto instance = kind->attach(*point, any ? part.path + "." + kind->module() : part.path, mode_, reason);
      if (!reason.empty()) why = reason;
      if (!instance) continue;
      any = true;
      place(sm, *kind, std::move(instance));
    }
  if (!any && !part.what.empty()) left_out_.emplace(part.what, why);
}

void RtlCoSimulation::place(std::size_t sm, const BlockKind& kind, std::unique_ptr<BlockInstance> instance) {
  if (!parameters_.record.empty())
    instance->record(parameters_.record + "/" + instance->name() + ".stimuli", parameters_.record_cycles);
  placed_.push_back({sm, &kind, std::move(instance)});
}

std::vector<std::string> RtlCoSimulation::notes() const {
  std::uint64_t views = 0;
  std::map<std::string, int> counts;
  for (const Placed& placed : placed_) {
    views += placed.instance->compared();
    ++counts[placed.kind->model_parts()];
  }
  std::string blocks;
  for (const auto& [model_parts, count] : counts)
    blocks += fmt::format("{}{} {}", blocks.empty() ? "" : ", ", count, model_parts);
  const bool drives = mode_ == Mode::drive;
  std::vector<std::string> notes{
      fmt::format("co-simulation ({}): {}, {} block cycles {}", drives ? "drive" : "lockstep",
                  blocks.empty() ? "no block" : blocks, views, drives ? "decided by the RTL" : "compared")};
  for (const auto& [kind, reason] : left_out_)
    notes.push_back(fmt::format("not co-simulated: {}: {}", kind, reason));
  return notes;
}

std::vector<run::CoSimulationSignal> RtlCoSimulation::signals() const {
  std::vector<run::CoSimulationSignal> list;
  for (const Placed& placed : placed_) {
    const std::string& name = placed.instance->name();
    const std::size_t dot = name.find('.');
    for (const WaveEntry& wave : placed.instance->waves())
      list.push_back({placed.sm, fmt::format("{}.rtl{}.{}", name.substr(0, dot), name.substr(dot), wave.name),
                      wave.port->element_width(wave.elements), wave.power_state,
                      [&wave] { return wave.port->element(wave.element, wave.elements); }});
  }
  return list;
}

std::unique_ptr<run::CoSimulation> attach_rtl(Gpu& gpu, const run::CoSimulationParameters& parameters) {
  return std::make_unique<RtlCoSimulation>(gpu, parameters);
}

[[maybe_unused]] const bool registered = (run::CoSimulation::factory() = attach_rtl) != nullptr;

}  // namespace
}  // namespace heddle::cosim
