// The signals of an SM: what they are called and where their values come from.

#include <fmt/format.h>

#include <bit>

#include "testbench/output/waves.h"

namespace heddle::output {
namespace {

constexpr std::uint64_t kIssued = 15;  // of a scheduler's `stall`: every slot issued

int bits_for(std::uint64_t highest) { return std::max(1, static_cast<int>(std::bit_width(highest))); }

class SignalList {
 public:
  SignalList(Sm& sm, std::string name) : sm_(&sm), issue_(&sm.issue()), name_(std::move(name)) {}

  std::vector<WaveSignal> make() {
    add("cycle", 48, WaveStyle::number, [](Cycle cycle) { return Level::of(cycle); });
    for (int w = 0; w < issue_->max_warps(); ++w) add_warp(WarpId(static_cast<std::uint32_t>(w)));
    for (int s = 0; s < issue_->schedulers(); ++s) add_scheduler(s);
    for (int p = 0; p < sm_->partitions(); ++p) add_partition(p);
    add_load_store();
    for (int c = 0; c < sm_->parameters().max_ctas; ++c) add_cta(CtaSlot(static_cast<std::uint32_t>(c)));
    return std::move(signals_);
  }

 private:
  using Read = std::function<Level(Cycle)>;
  void add(const std::string& name, int width, WaveStyle style, Read read, bool pulse = false) {
    signals_.push_back({name_ + "." + name, width, style, pulse, std::move(read)});
  }

  int warp_bits() const { return bits_for(static_cast<std::uint64_t>(issue_->max_warps() - 1)); }
  static Level warp_of(const InFlight* item) { return item ? Level::of(item->warp().value) : Level::none(); }

  void add_warp(WarpId id) {
    const std::string scope = fmt::format("warp{:02}.", id.value);
    const IssueStage* issue = issue_;
    const auto runs = [issue, id] { return issue->runs(id); };
    add(scope + "state", 4, WaveStyle::warp_state,
        [issue, id](Cycle) { return Level::of(static_cast<std::uint64_t>(issue->activity(id))); });
    add(scope + "pc", 20, WaveStyle::number,
        [issue, id, runs](Cycle) { return runs() ? Level::of(issue->warp(id).simt.pc()) : Level::none(); });
    add(scope + "mask", kLanes, WaveStyle::mask, [issue, id, runs](Cycle) {
      return runs() ? Level::of(issue->warp(id).simt.active()) : Level::none();
    });
  }

  void add_scheduler(int s) {
    const std::string scope = fmt::format("scheduler{}.", s);
    const IssueStage* issue = issue_;
    add(scope + "pick", warp_bits(), WaveStyle::number, [issue, s](Cycle) {
      const int pick = issue->last_pick(s);
      return pick < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(pick));
    });
    add(scope + "stall", 4, WaveStyle::stall, [issue, s](Cycle) {
      return Level::of(issue->last_pick(s) >= 0 ? kIssued : static_cast<std::uint64_t>(issue->stall_of(s)));
    });
    add(scope + "active", issue_->max_warps(), WaveStyle::mask,
        [issue, s](Cycle) { return Level::of(issue->active_of(s).bits()); });
  }

  void add_partition(int p) {
    const std::string scope = fmt::format("partition{}.", p);
    RegisterPort* port = &sm_->register_port(p);
    const auto collectors = static_cast<std::uint64_t>(port->collectors().count());
    add(scope + "collectors.used", bits_for(collectors), WaveStyle::number, [port](Cycle) {
      std::uint64_t used = 0;
      for (int c = 0; c < port->collectors().count(); ++c) used += port->collectors().occupant(c) != nullptr;
      return Level::of(used);
    });
    for (int c = 0; c < port->collectors().count(); ++c)
      add(fmt::format("{}collectors.warp_in_{:02}", scope, c), warp_bits(), WaveStyle::number,
          [port, c](Cycle) { return warp_of(port->collectors().occupant(c)); });
    const int banks = sm_->parameters().register_file.banks.count;
    add(
        scope + "banks.served", banks, WaveStyle::mask,
        [port](Cycle cycle) { return Level::of(port->banks_served(cycle)); }, true);
    add(scope + "banks.waiting", banks, WaveStyle::mask,
        [port](Cycle) { return Level::of(port->banks_waiting()); });
    PartitionUnits& units = sm_->units(p);
    SmPowerDomains& power = sm_->power_domains();
    const auto partition = static_cast<std::size_t>(p);
    add_units(scope, units.int_units(), power.of(partition, isa::UnitClass::int_));
    add_units(scope, units.fp_units(), power.of(partition, isa::UnitClass::fp));
    add_units(scope, units.sfu_units(), power.of(partition, isa::UnitClass::sfu));
  }

  // What is never gated needs no signal.
  void add_units(const std::string& scope, const std::vector<std::unique_ptr<ExecutionUnit>>& units,
                 const UnitDomains& domains) {
    const std::string name = scope + domains.name();
    for (std::size_t u = 0; u < units.size(); ++u) {
      const ExecutionUnit* unit = units[u].get();
      add(fmt::format("{}{}.busy", name, u), 1, WaveStyle::number,
          [unit](Cycle) { return Level::of(unit->busy()); });
      add(fmt::format("{}{}.warp", name, u), warp_bits(), WaveStyle::number,
          [unit](Cycle) { return warp_of(unit->newest()); });
      if (domains.in_parts())
        add_parts(fmt::format("{}{}", name, u), *domains.groups()[u]);
      else
        add_domain(fmt::format("{}{}.power", name, u), *domains.groups().front(), static_cast<int>(u));
    }
    if (!domains.in_parts()) add_idle_detect(name + ".idle_detect", *domains.groups().front());
  }

  // Every unit has a group of its own, with an idle-detect of its own.
  void add_parts(const std::string& name, const DomainGroup& group) {
    for (int i = 0; i < group.size(); ++i)
      add_domain(fmt::format("{}.power_{}_{}", name, group.name(), i), group, i);
    add_idle_detect(name + ".idle_detect", group);
  }

  void add_domain(const std::string& name, const DomainGroup& group, int domain) {
    if (group.policy().never_gates()) return;
    add(name, 2, WaveStyle::power_state, [&group, domain](Cycle) {
      return Level::of(static_cast<std::uint64_t>(group.domain(domain).state));
    });
  }

  void add_idle_detect(const std::string& name, const DomainGroup& group) {
    if (group.policy().never_gates()) return;
    add(name, 10, WaveStyle::number, [&group](Cycle) {
      return Level::of(static_cast<std::uint64_t>(group.policy().idle_detect_cycles()));
    });
  }

  void add_load_store() {
    const LoadStoreUnit* unit = &sm_->load_store();
    add("load_store.instructions", 12, WaveStyle::number,
        [unit](Cycle) { return Level::of(unit->instructions_inside()); });
    add("load_store.outstanding", 12, WaveStyle::number,
        [unit](Cycle) { return Level::of(static_cast<std::uint64_t>(unit->requests_outstanding())); });
    const DomainGroup& group = *sm_->power_domains().of(0, isa::UnitClass::ldst).groups().front();
    add_domain("load_store.power", group, 0);
    add_idle_detect("load_store.idle_detect", group);
  }

  void add_cta(CtaSlot slot) {
    const Sm* sm = sm_;
    add(fmt::format("cta{}.index", slot.value), 32, WaveStyle::number, [sm, slot](Cycle) {
      const std::int64_t cta = sm->cta_in(slot);
      return cta < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(cta));
    });
  }

  Sm* sm_;
  const IssueStage* issue_;
  std::string name_;
  std::vector<WaveSignal> signals_;
};

}  // namespace

std::vector<WaveSignal> make_wave_signals(Sm& sm, const std::string& name) {
  return SignalList(sm, name).make();
}

}  // namespace heddle::output
