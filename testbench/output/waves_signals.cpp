#include "testbench/output/waves_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/exec/partition_units.h"
#include "models/memory/load_store_unit.h"
#include "models/operands/register_port.h"
#include "models/sm/cta_table.h"
#include "models/sm/issue_stage.h"

namespace heddle::output {
namespace {

constexpr std::uint64_t kIssued = 15;  // a scheduler's signal `stall` if it issued an instruction

int bits_for(std::uint64_t highest) { return std::max(1, static_cast<int>(std::bit_width(highest))); }

int warp_bits(const IssueStage& issue) { return bits_for(static_cast<std::uint64_t>(issue.max_warps() - 1)); }

Level warp_of(const InFlight* item) { return item ? Level::of(item->warp().value) : Level::none(); }

Level number_or_none(int number) {
  return number < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(number));
}

Level idle_detect_of(const DomainGroup& group) {
  return Level::of(static_cast<std::uint64_t>(group.policy().idle_detect_cycles()));
}

}  // namespace

void WavePrograms::add(std::shared_ptr<const isa::Program> program) {
  if (std::find(all_.begin(), all_.end(), program) == all_.end()) all_.push_back(std::move(program));
}

SmSignals::SmSignals(Sm& sm, std::string name, const WavePrograms& programs)
    : sm_(&sm),
      issue_(&sm.issue()),
      name_(std::move(name)),
      programs_(&programs),
      places_(static_cast<std::size_t>(sm.issue().max_warps())) {
  name_units();
  add_warps();
  add_schedulers();
  for (int p = 0; p < sm.partitions(); ++p) add_partition(p);
  add_load_store();
  add_ctas();
  std::size_t end = all_.size();
  const std::vector<Group*> groups = this->groups();
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    (*group)->end = end;
    end = (*group)->first;
  }
}

std::vector<SmSignals::Group*> SmSignals::groups() {
  std::vector<Group*> groups{&warps_, &schedulers_};
  for (Partition& partition : partitions_)
    groups.insert(groups.end(), {&partition.collectors, &partition.banks, &partition.units});
  groups.insert(groups.end(), {&load_store_, &idle_detect_, &ctas_});
  return groups;
}

bool SmSignals::choose(const std::vector<bool>& selected) {
  const auto any = [&](std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t place) { return selected.begin() + static_cast<std::ptrdiff_t>(place); };
    return std::find(at(begin), at(end), true) != at(end);
  };
  for (Group* const group : groups()) group->wanted = any(group->first, group->end);
  for (std::size_t first = 1; first < warps_.end; first += Warps::kSignals)
    warps_.places |= any(first + Warps::kCollector, first + Warps::kSignals);
  return any(0, selected.size());
}

// Gives each unit of a partition a number, in this order: INT, FP, SFU and matrix units, then the load/store
// unit.
void SmSignals::name_units() {
  const PartitionUnits& units = sm_->units(0);
  for (const auto* of_class :
       {&units.int_units(), &units.fp_units(), &units.sfu_units(), &units.matrix_units()})
    for (std::size_t u = 0; u < of_class->size(); ++u)
      unit_names_.push_back(fmt::format("{}{}", isa::name_of((*of_class)[u]->unit_class()), u));
  unit_names_.emplace_back("load_store");
}

void SmSignals::add(const std::string& name, int width, WaveStyle style, bool pulse) {
  all_.push_back({name_ + "." + name, width, style, pulse});
}

void SmSignals::add_warps() {
  add("cycle", 48, WaveStyle::number);
  for (int w = 0; w < issue_->max_warps(); ++w) {
    const std::string scope = fmt::format("warp{:02}.", w);
    add(scope + "state", 4, WaveStyle::warp_state);
    add(scope + "pc", WavePrograms::kPcBits + WavePrograms::kNumberBits, WaveStyle::instruction);
    add(scope + "mask", kLanes, WaveStyle::mask);
    const auto collectors = static_cast<std::uint64_t>(sm_->register_port(0).operands().count());
    add(scope + "collector", bits_for(collectors - 1), WaveStyle::number);
    add(scope + "unit", bits_for(unit_names_.size() - 1), WaveStyle::unit);
    warps_.all.add(WarpId(static_cast<std::uint32_t>(w)));
  }
}

// Reads the signals of warps. A warp's pc and mask change only when the warp issues or starts with its CTA.
inline void SmSignals::read_warps(VcdWriter::Lines& lines, Cycle cycle) {
  lines.set(0, Level::of(cycle));
  const WarpActivities now = issue_->activities();
  const std::uint64_t starts = sm_->ctas().changes();
  const WarpSet moved = std::exchange(warps_.ctas_seen, starts) == starts ? issue_->issued_now() : warps_.all;
  for (const WarpId id : now.changed_since(warps_.before) | moved) {
    const std::size_t first = Warps::kSignals * id.value + 1;
    lines.set(first, Level::of(static_cast<std::uint64_t>(now.of(id))));
    if (moved.contains(id)) read_path(lines, id, first + 1);
  }
  warps_.before = now;
}

inline void SmSignals::read_path(VcdWriter::Lines& lines, WarpId warp, std::size_t first) const {
  const SimtStack& simt = issue_->warp(warp).simt;
  if (issue_->resident(warp) && !simt.finished()) {
    const LaneMask active = simt.active();
    lines.set(first, programs_->level(issue_->warp(warp).kernel->program(), simt.pc()));
    lines.set(first + 1, Level::of(active));
  } else {
    lines.set(first, Level::none());
    lines.set(first + 1, Level::none());
  }
}

void SmSignals::add_schedulers() {
  schedulers_.first = all_.size();
  for (int s = 0; s < issue_->schedulers().count(); ++s) {
    const std::string scope = fmt::format("scheduler{}.", s);
    add(scope + "pick", warp_bits(*issue_), WaveStyle::number);
    add(scope + "stall", 4, WaveStyle::stall);
    add(scope + "active", issue_->max_warps(), WaveStyle::mask);
  }
}

inline void SmSignals::read_schedulers(VcdWriter::Lines& lines) const {
  const SchedulerTurns& schedulers = issue_->schedulers();
  const WarpSet issued = issue_->issued_now();
  std::size_t at = schedulers_.first;
  for (int s = 0; at < schedulers_.end; ++s, at += 3) {
    const int pick = schedulers.last_pick(s, issued);
    if (pick < 0) {
      lines.set(at, Level::none());
      lines.set(at + 1, Level::of(schedulers.stall_of(s)));
    } else {
      lines.set(at, Level::of(static_cast<std::uint64_t>(pick)));
      lines.set(at + 1, Level::of(kIssued));
    }
    lines.set(at + 2, Level::of(schedulers.active_of(s).bits()));
  }
}

void SmSignals::add_partition(int number) {
  const std::string scope = fmt::format("partition{}.", number);
  Partition& partition = partitions_.emplace_back();
  partition.port = &sm_->register_port(number);
  for (std::uint32_t w = 0; w < places_.size(); ++w)
    if (issue_->partition_of(WarpId(w)) == number) partition.warps.emplace_back(w);
  for (const WarpId warp : partition.warps) partition.in_unit.add(warp);
  const int collectors = partition.port->operands().count();
  partition.occupied.resize(static_cast<std::size_t>(collectors));
  partition.collectors.first = all_.size();
  add(scope + "collectors.used", bits_for(static_cast<std::uint64_t>(collectors)), WaveStyle::number);
  for (int c = 0; c < collectors; ++c)
    add(fmt::format("{}collectors.warp_in_{:02}", scope, c), warp_bits(*issue_), WaveStyle::number);
  const int banks = sm_->parameters().register_file.banks.count;
  partition.banks.first = all_.size();
  add(scope + "banks.served", banks, WaveStyle::mask, true);
  add(scope + "banks.waiting", banks, WaveStyle::mask);
  partition.units.first = all_.size();
  add_units(scope, number, partition.units);
}

inline void SmSignals::read_collectors(VcdWriter::Lines& lines, const Group& group, OperandStage& collectors,
                                       std::uint64_t changed) {
  if (changed == 0) return;
  lines.set(group.first, Level::of(collectors.used()));
  const std::size_t first = group.first + 1, count = group.end - first;
  for (; changed; changed &= changed - 1)
    for (auto c = static_cast<std::size_t>(std::countr_zero(changed)); c < count; c += 64)
      lines.set(first + c, warp_of(collectors.occupant(static_cast<int>(c))));
}

// Finds the collector that holds the newest instruction of each warp. To save time, examines only the
// collectors in the mask `changed`.
void SmSignals::follow_collectors(VcdWriter::Lines& lines, Partition& partition, std::uint64_t changed) {
  const OperandStage& operands = partition.port->operands();
  const std::size_t count = partition.occupied.size();
  WarpSet moved;
  if (!std::exchange(partition.sampled, true))
    for (const WarpId warp : partition.warps) moved.add(warp);
  for (std::uint64_t rest = changed; rest; rest &= rest - 1)
    for (auto c = static_cast<std::size_t>(std::countr_zero(rest)); c < count; c += 64) {
      Occupied& before = partition.occupied[c];
      if (before.warp >= 0) {
        const WarpId warp(static_cast<std::uint32_t>(before.warp));
        places_[warp.value].memory_in_collectors -= before.memory;
        if (before.memory) partition.loads.add(warp);
        moved.add(warp);
      }
      const InFlight* const item = operands.occupant(static_cast<int>(c));
      before = {};
      if (!item) continue;
      before = {static_cast<int>(item->warp().value), item->footprint->memory};
      places_[item->warp().value].memory_in_collectors += item->footprint->memory;
      moved.add(item->warp());
    }
  for (const WarpId warp : moved) {
    Place& place = places_[warp.value];
    place.collector = -1;
    for (std::size_t c = 0; c < count; ++c) {
      if (partition.occupied[c].warp != static_cast<int>(warp.value)) continue;
      const std::uint64_t uid = operands.occupant(static_cast<int>(c))->uid;
      if (place.collector >= 0 && uid < place.in_collector) continue;
      place.collector = static_cast<int>(c);
      place.in_collector = uid;
    }
    lines.set(Warps::kSignals * warp.value + 1 + Warps::kCollector, number_or_none(place.collector));
  }
}

// Finds the unit that holds the newest instruction of each warp. For this purpose, the load/store unit holds
// a memory instruction from the cycle in which the instruction leaves its collector until it completes.
void SmSignals::read_units_of_warps(VcdWriter::Lines& lines, Partition& partition) {
  const auto signal = [](WarpId warp) { return Warps::kSignals * warp.value + 1 + Warps::kUnit; };
  WarpSet now, loads;
  int number = 0;
  for (const Unit& unit : partition.units.all) {
    unit.unit->for_each_inside([&](const InFlight& item) {
      Place& place = places_[item.warp().value];
      if (now.contains(item.warp()) && item.uid < place.in_unit) return;
      place.unit = number;
      place.in_unit = item.uid;
      now.add(item.warp());
    });
    ++number;
  }
  for (const WarpId warp : partition.loads)
    if (issue_->memory_in_flight(warp) > places_[warp.value].memory_in_collectors) loads.add(warp);
  for (const WarpId warp : loads & ~now) places_[warp.value].unit = number;
  now |= loads;
  for (const WarpId warp : now) lines.set(signal(warp), number_or_none(places_[warp.value].unit));
  for (const WarpId warp : partition.in_unit & ~now) lines.set(signal(warp), Level::none());
  partition.in_unit = now;
  partition.loads = loads;
}

void SmSignals::add_units(const std::string& scope, int partition, Units& units) {
  const PartitionUnits& of_partition = sm_->units(partition);
  const auto add = [&](const std::vector<std::unique_ptr<ExecutionUnit>>& of_class, isa::UnitClass unit) {
    SmPowerDomains* const power = power_domains_of(*sm_);
    const auto p = static_cast<std::size_t>(partition);
    add_class(scope, of_class, unit, power && power->has(p, unit) ? &power->of(p, unit) : nullptr, units);
  };
  add(of_partition.int_units(), isa::UnitClass::int_);
  add(of_partition.fp_units(), isa::UnitClass::fp);
  add(of_partition.sfu_units(), isa::UnitClass::sfu);
  add(of_partition.matrix_units(), isa::UnitClass::matrix);
  const auto any = [](const Gated& waves) { return waves.idle_detect || !waves.power.empty(); };
  if (std::none_of(units.gated.begin(), units.gated.end(), any)) units.gated.clear();
}

// Adds the signals of all units of one class. A unit that is never gated has no power signal.
void SmSignals::add_class(const std::string& scope,
                          const std::vector<std::unique_ptr<ExecutionUnit>>& of_class, isa::UnitClass unit,
                          const UnitDomains* domains, Units& units) {
  const std::string name = scope + std::string(isa::name_of(unit));
  for (std::size_t u = 0; u < of_class.size(); ++u) {
    const std::string unit_name = fmt::format("{}{}", name, u);
    units.all.push_back({of_class[u].get(), all_.size()});
    add(unit_name + ".busy", 1, WaveStyle::number);
    add(unit_name + ".warp", warp_bits(*issue_), WaveStyle::number);
    const std::size_t first = all_.size();
    if (!domains) {
      units.gated.push_back({{}, nullptr, first});
      continue;
    }
    std::vector<PowerSignal> power = power_signals(*domains, u, unit_name);
    add_power(power);
    const bool own = domains->in_parts();
    const DomainGroup* group =
        own || u + 1 == of_class.size() ? &domains->group_of(static_cast<int>(u)) : nullptr;
    if (group && group->policy().never_gates()) group = nullptr;
    if (group) add((own ? unit_name : name) + ".idle_detect", 10, WaveStyle::number);
    units.gated.push_back({std::move(power), group, first});
  }
}

inline void SmSignals::read_unit(VcdWriter::Lines& lines, Unit& unit) {
  const InFlight* const newest = unit.unit->newest();
  const bool busy = newest || unit.unit->busy();
  if (!busy && !unit.busy) return;
  unit.busy = busy;
  lines.set(unit.first, Level::of(busy));
  lines.set(unit.first + 1, warp_of(newest));
}

inline void SmSignals::read_units(VcdWriter::Lines& lines, Units& units) {
  if (units.gated.empty()) {
    for (Unit& unit : units.all) read_unit(lines, unit);
    return;
  }
  const Gated* gated = units.gated.data();
  for (Unit& unit : units.all) {
    read_unit(lines, unit);
    std::size_t at = gated->first;
    for (const PowerSignal& power : gated->power) lines.set(at++, Level::of(power.state()));
    if (gated->idle_detect) lines.set(at, idle_detect_of(*gated->idle_detect));
    ++gated;
  }
}

void SmSignals::add_power(const std::vector<PowerSignal>& power) {
  for (const PowerSignal& domain : power) add(domain.name, 2, WaveStyle::power_state);
}

void SmSignals::add_load_store() {
  SmPowerDomains* const power = power_domains_of(*sm_);
  const UnitDomains* const domains = power ? &power->of(0, isa::UnitClass::ldst) : nullptr;
  load_store_.first = all_.size();
  if (domains) load_store_.power = power_signals(*domains, 0, "load_store");
  add("load_store.instructions", 12, WaveStyle::number);
  add("load_store.outstanding", 12, WaveStyle::number);
  add_power(load_store_.power);
  idle_detect_.first = all_.size();
  if (!domains || domains->never_gates()) return;
  const DomainGroup& group = *domains->groups().front();
  idle_detect_.group = &group;
  add("load_store.idle_detect", 10, WaveStyle::number);
}

inline void SmSignals::read_load_store(VcdWriter::Lines& lines) const {
  const LoadStoreUnit& unit = sm_->load_store();
  std::size_t at = load_store_.first;
  lines.set(at++, Level::of(unit.instructions_inside()));
  lines.set(at++, Level::of(static_cast<std::uint64_t>(unit.requests_outstanding())));
  for (const PowerSignal& power : load_store_.power) lines.set(at++, Level::of(power.state()));
}

void SmSignals::add_ctas() {
  ctas_.first = all_.size();
  for (int c = 0; c < sm_->parameters().max_ctas; ++c)
    add(fmt::format("cta{}.index", c), 32, WaveStyle::number);
}

inline void SmSignals::read_ctas(VcdWriter::Lines& lines) {
  const std::uint64_t changes = sm_->ctas().changes();
  if (std::exchange(ctas_.seen, changes) == changes) return;
  for (std::size_t at = ctas_.first; at < ctas_.end; ++at) {
    const std::int64_t cta = sm_->ctas().cta_in(CtaSlot(static_cast<std::uint32_t>(at - ctas_.first)));
    lines.set(at, cta < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(cta)));
  }
}

void SmSignals::read(VcdWriter& file, std::size_t number, Cycle cycle) {
  VcdWriter::Lines lines = file.begin_lines();
  lines.count_from(number);
  if (warps_.wanted) read_warps(lines, cycle);
  if (schedulers_.wanted) read_schedulers(lines);
  for (Partition& partition : partitions_) {
    OperandStage& operands = partition.port->operands();
    const bool follows = partition.collectors.wanted || warps_.places;
    const std::uint64_t changed = follows ? operands.take_changed() : 0;
    if (partition.collectors.wanted) read_collectors(lines, partition.collectors, operands, changed);
    if (warps_.places) {
      if (changed || !partition.sampled) follow_collectors(lines, partition, changed);
      read_units_of_warps(lines, partition);
    }
    if (partition.banks.wanted) {
      lines.set(partition.banks.first, Level::of(partition.port->banks_served(cycle)));
      lines.set(partition.banks.first + 1, Level::of(partition.port->banks_waiting()));
    }
    if (partition.units.wanted) read_units(lines, partition.units);
  }
  if (load_store_.wanted) read_load_store(lines);
  if (idle_detect_.wanted && idle_detect_.group)
    lines.set(idle_detect_.first, idle_detect_of(*idle_detect_.group));
  if (ctas_.wanted) read_ctas(lines);
  file.end_lines(lines);
}

}  // namespace heddle::output
