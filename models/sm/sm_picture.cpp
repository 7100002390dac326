#include "models/sm/sm_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/registry.h"
#include "models/exec/partition_units.h"
#include "models/memory/load_store_unit.h"
#include "models/operands/register_port.h"
#include "models/sm/issue_stage.h"

namespace heddle {
namespace {

using Form = Gauge::Form;
using Tone = Gauge::Tone;
using Values = std::vector<std::uint64_t>;

constexpr std::uint32_t kMostRegisters = 256;  // limit on the registers of a warp

const std::vector<Gauge::State>& warp_states() {
  static const std::vector<Gauge::State> states = {{"empty", Tone::off},       {"issues", Tone::active},
                                                   {"ready", Tone::idle},      {"dependence", Tone::waiting},
                                                   {"memory", Tone::waiting},  {"fetch", Tone::waiting},
                                                   {"barrier", Tone::waiting}, {"fence", Tone::waiting},
                                                   {"drains", Tone::changing}, {"async", Tone::waiting}};
  return states;
}

void describe_warps(const IssueStage& issue, const ProbeScope& scope) {
  Gauge warps{"warps", "what each resident warp does", Form::states,
              static_cast<std::uint64_t>(issue.max_warps()), warp_states()};
  warps.read = [&issue](Cycle, Values& values) {
    const WarpActivities now = issue.activities();
    for (int w = 0; w < issue.max_warps(); ++w)
      values.push_back(static_cast<std::uint64_t>(now.of(WarpId(static_cast<std::uint32_t>(w)))));
  };
  scope.show(std::move(warps));
}

void describe_scheduler(const IssueStage& issue, int s, const ProbeScope& scope, const std::string& owner) {
  const SchedulerTurns& schedulers = issue.schedulers();
  WarpSet mine;
  for (std::uint32_t w = static_cast<std::uint32_t>(s); w < static_cast<std::uint32_t>(issue.max_warps());
       w += static_cast<std::uint32_t>(schedulers.count()))
    mine.add(WarpId(w));
  scope.serves(mine.bits()).counts(owner);
  Gauge pick{"issues", "warp whose instruction issues", Form::warps, 1};
  pick.momentary = true;
  pick.read = [&issue, &schedulers, s](Cycle, Values& values) {
    values.push_back(static_cast<std::uint64_t>(schedulers.last_pick(s, issue.issued_now()) + 1));
  };
  Gauge slot{"slot", "use of the last issue slot, or the reason why it is idle", Form::states, 1};
  slot.states.push_back({"issues", Tone::active});
  for (const std::string& reason : schedulers.stall_reasons()) slot.states.push_back({reason, Tone::waiting});
  slot.read = [&issue, &schedulers, s](Cycle, Values& values) {
    values.push_back(schedulers.last_pick(s, issue.issued_now()) >= 0 ? 0 : schedulers.stall_of(s) + 1);
  };
  Gauge active{"active warps", "warps among which the policy chooses", Form::cells,
               static_cast<std::uint64_t>(issue.max_warps())};
  active.read = [&schedulers, s](Cycle, Values& values) { values.push_back(schedulers.active_of(s).bits()); };
  scope.show(std::move(pick)).show(std::move(slot)).show(std::move(active));
}

void describe_collectors(const OperandStage& operands, const ProbeScope& scope) {
  Gauge inside{"instructions", "instruction in each collector", Form::instructions,
               static_cast<std::uint64_t>(operands.count())};
  inside.read = [&operands](Cycle, Values& values) {
    for (int c = 0; c < operands.count(); ++c) {
      const InFlight* const item = operands.occupant(c);
      values.push_back(item ? item->uid + 1 : 0);
    }
  };
  scope.show(std::move(inside));
}

// Adds two gauges (values that observers draw for each cycle): the register that each entry of the banks
// holds, and the banks that serve accesses.
void describe_banks(RegisterPort& port, WarpSet homes, const ProbeScope& scope) {
  RegisterBudget budget;
  port.path().budget(budget);
  const auto banks = static_cast<std::uint64_t>(budget.capacity.size());
  const auto depth =
      static_cast<std::uint64_t>(*std::max_element(budget.capacity.begin(), budget.capacity.end()));
  Gauge rows{"registers", "register in each entry, a row a bank", Form::registers, banks * depth};
  rows.row = depth;
  rows.read = [&mapping = port.path().mapping(), homes, size = rows.most, depth](Cycle, Values& values) {
    values.resize(size);
    for (const WarpId warp : homes)
      for (std::uint32_t r = 0; r < kMostRegisters; ++r)
        if (const RegisterPlace place = mapping.place_of(warp, RegId(r)); place.set)
          values[place.bank.value * depth + place.entry] = Gauge::register_number(warp, RegId(r));
  };
  Gauge served{"served", "banks that serve an access", Form::cells, banks};
  served.momentary = true;
  served.read = [&port](Cycle cycle, Values& values) { values.push_back(port.banks_served(cycle)); };
  Gauge waiting{"waiting", "banks at which accesses wait", Form::cells, banks};
  waiting.read = [&port](Cycle, Values& values) { values.push_back(port.banks_waiting()); };
  scope.show(std::move(served)).show(std::move(waiting)).show(std::move(rows));
}

void describe_registers(RegisterPort& port, WarpSet homes, const RegisterFileParameters& parameters,
                        const ProbeScope& scope, const std::string& owner) {
  const ProbeScope collectors = scope.part("collectors");
  collectors.draw("instructions wait here for their operands", {"prepared", "reads_held"})
      .counts(owner + ".collectors")
      .counts(owner + ".register_port");
  describe_collectors(port.operands(), collectors);
  const auto& stages = port.path().stages();
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const ProbeScope stage = scope.part(stages[s]->basename());
    stage.draw(stages[s]->is_last() ? "the register file" : "a stage between collectors and banks")
        .counts(owner + "." + owner_of_stage(parameters.stages, s));
    if (Probe<PassPoint>* passes = stages[s]->passes()) stage.add(*passes);
    if (stages[s]->is_last()) describe_banks(port, homes, stage);
  }
}

void describe_units(PartitionUnits& units, const ProbeScope& scope, const std::string& owner) {
  for (const PartitionUnits::Way& way : units.ways()) {
    const std::string name = way.unit->basename();
    Gauge inside{"instructions", "instructions in the pipeline", Form::instructions};
    inside.read = [unit = way.unit](Cycle, Values& values) {
      unit->for_each_inside([&values](const InFlight& item) { values.push_back(item.uid + 1); });
    };
    scope.part(name)
        .draw("execution unit")
        .counts(fmt::format("{}.units.{}", owner, name))
        .counts(fmt::format("{}.gating.{}", owner, name))
        .show(std::move(inside));
  }
}

void describe_memory(const LoadStoreUnit& unit, const LoadStoreParameters& parameters,
                     const ProbeScope& scope, const std::string& owner) {
  Gauge inside{"instructions", "memory instructions inside", Form::amount};
  inside.read = [&unit](Cycle, Values& values) { values.push_back(unit.instructions_inside()); };
  Gauge requests{"requests", "requests that memory has not answered", Form::amount};
  requests.read = [&unit](Cycle, Values& values) {
    values.push_back(static_cast<std::uint64_t>(unit.requests_outstanding()));
  };
  scope.draw("memory instructions, their addresses and segments", {"accessed"}).counts(owner + ".load_store");
  scope.show(std::move(inside)).show(std::move(requests));
  scope.part("shared_memory").draw("shared memory").counts(owner + ".load_store.shared_");
  if (parameters.l1.enabled) scope.part("l1").draw("L1 cache").counts(owner + ".load_store.l1_");
  scope.part("memory").draw("edge to L2 and DRAM, which all SMs share").counts(owner + ".load_store.memory_");
}

}  // namespace

void describe_parts(const PartsOfSm& sm, const ProbeScope& scope, const std::string& owner) {
  scope.part("front_end")
      .draw("fetches and decodes into the instruction buffers of the warps", {"fetched"})
      .counts(owner + ".front_end");
  const ProbeScope issue = scope.part("issue");
  issue.draw("instruction buffers and scoreboard", {"ready"}).counts(owner + ".issue");
  describe_warps(sm.issue, issue);
  const std::string policy = choice_name(sm.parameters.scheduler);
  for (int s = 0; s < sm.issue.schedulers().count(); ++s) {
    const ProbeScope scheduler = scope.part(fmt::format("scheduler{}", s));
    scheduler.draw(fmt::format("warp scheduler (policy {})", policy), {"issued"});
    describe_scheduler(sm.issue, s, scheduler, fmt::format("{}.issue.scheduler{}", owner, s));
  }
  for (std::size_t p = 0; p < sm.partitions.size(); ++p) {
    const PartsOfSm::Partition& of = sm.partitions[p];
    const std::string name = fmt::format("partition{}", p), counters = owner + "." + name;
    const ProbeScope partition = scope.part(name);
    partition.draw("collectors, register path and units of some warps")
        .serves(of.warps.bits())
        .counts(counters);
    describe_registers(*of.port, of.warps, sm.parameters.register_file, partition, counters);
    describe_units(*of.units, partition, counters);
    partition.part("result_bus")
        .draw("writes results into the register path", {"left"})
        .counts(counters + ".result_bus");
  }
  describe_memory(sm.load_store, sm.parameters.load_store, scope.part("load_store"), owner);
}

}  // namespace heddle
