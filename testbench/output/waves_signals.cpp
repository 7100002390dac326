// The signals of an SM: what they are called and where their values come from.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "testbench/output/power_signals.h"
#include "testbench/output/waves.h"

namespace heddle::output {
namespace {

constexpr std::uint64_t kIssued = 15;                  // of a scheduler's `stall`: every slot issued
constexpr std::uint64_t kNotSeen = ~std::uint64_t{0};  // of a number of changes

int bits_for(std::uint64_t highest) { return std::max(1, static_cast<int>(std::bit_width(highest))); }

class SignalList {
 public:
  SignalList(Sm& sm, std::string name) : sm_(&sm), issue_(&sm.issue()), name_(std::move(name)) {}

  std::vector<WaveGroup> make() {
    add_warps();
    add_schedulers();
    for (int p = 0; p < sm_->partitions(); ++p) add_partition(p);
    add_load_store();
    add_ctas();
    return std::move(groups_);
  }

 private:
  // A group of one signal.
  template <class Read>
  void add(const std::string& name, int width, WaveStyle style, Read read) {
    begin();
    signal(name, width, style);
    read_by([read](const WaveLevels& levels) { levels.set(0, read(levels.cycle)); });
  }

  // A group of several: begin, signals, how all are read.
  void begin() { groups_.emplace_back(); }
  void signal(const std::string& name, int width, WaveStyle style, bool pulse = false) {
    groups_.back().signals.push_back({name_ + "." + name, width, style, pulse});
  }
  void read_by(std::function<void(const WaveLevels&)> read) { groups_.back().read = std::move(read); }

  int warp_bits() const { return bits_for(static_cast<std::uint64_t>(issue_->max_warps() - 1)); }
  static Level warp_of(const InFlight* item) { return item ? Level::of(item->warp().value) : Level::none(); }

  // The cycle comes first.
  void add_warps() {
    begin();
    signal("cycle", 48, WaveStyle::number);
    for (int w = 0; w < issue_->max_warps(); ++w) {
      const std::string scope = fmt::format("warp{:02}.", w);
      signal(scope + "state", 4, WaveStyle::warp_state);
      signal(scope + "pc", 20, WaveStyle::number);
      signal(scope + "mask", kLanes, WaveStyle::mask);
    }
    // A warp's path moves when the warp issues, or starts with its CTA.
    WarpSet all;
    for (int w = 0; w < issue_->max_warps(); ++w) all.add(WarpId(static_cast<std::uint32_t>(w)));
    read_by([issue = issue_, sm = sm_, before = WarpActivities(), all,
             seen = kNotSeen](const WaveLevels& levels) mutable {
      levels.set(0, Level::of(levels.cycle));
      const WarpActivities now = issue->activities();
      const std::uint64_t starts = sm->cta_changes();
      const WarpSet moved = std::exchange(seen, starts) == starts ? issue->issued_now() : all;
      for (const WarpId id : now.changed_since(before) | moved) {
        const std::size_t first = std::size_t{3} * id.value + 1;
        levels.set(first, Level::of(static_cast<std::uint64_t>(now.of(id))));
        if (!moved.contains(id)) continue;
        const bool runs = issue->resident(id) && !issue->warp(id).simt.finished();
        const SimtStack& simt = issue->warp(id).simt;
        levels.set(first + 1, runs ? Level::of(simt.pc()) : Level::none());
        levels.set(first + 2, runs ? Level::of(simt.active()) : Level::none());
      }
      before = now;
    });
  }

  void add_schedulers() {
    begin();
    for (int s = 0; s < issue_->schedulers().count(); ++s) {
      const std::string scope = fmt::format("scheduler{}.", s);
      signal(scope + "pick", warp_bits(), WaveStyle::number);
      signal(scope + "stall", 4, WaveStyle::stall);
      signal(scope + "active", issue_->max_warps(), WaveStyle::mask);
    }
    read_by([&schedulers = std::as_const(*issue_).schedulers(), issue = issue_,
             count = issue_->schedulers().count()](const WaveLevels& levels) {
      const WarpSet issued = issue->issued_now();
      for (int s = 0; s < count; ++s) {
        const std::size_t first = std::size_t{3} * static_cast<std::size_t>(s);
        const int pick = schedulers.last_pick(s, issued);
        levels.set(first, pick < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(pick)));
        levels.set(first + 1,
                   Level::of(pick >= 0 ? kIssued : static_cast<std::uint64_t>(schedulers.stall_of(s))));
        levels.set(first + 2, Level::of(schedulers.active_of(s).bits()));
      }
    });
  }

  void add_partition(int p) {
    const std::string scope = fmt::format("partition{}.", p);
    RegisterPort* port = &sm_->register_port(p);
    add_collectors(scope, port->collectors());
    const int banks = sm_->parameters().register_file.banks.count;
    begin();
    signal(scope + "banks.served", banks, WaveStyle::mask, true);
    signal(scope + "banks.waiting", banks, WaveStyle::mask);
    read_by([port](const WaveLevels& levels) {
      levels.set(0, Level::of(port->banks_served(levels.cycle)));
      levels.set(1, Level::of(port->banks_waiting()));
    });
    add_units(scope, p);
  }

  void add_collectors(const std::string& scope, OperandCollectors& collectors) {
    begin();
    signal(scope + "collectors.used", bits_for(static_cast<std::uint64_t>(collectors.count())),
           WaveStyle::number);
    for (int c = 0; c < collectors.count(); ++c)
      signal(fmt::format("{}collectors.warp_in_{:02}", scope, c), warp_bits(), WaveStyle::number);
    read_by([&collectors](const WaveLevels& levels) {
      std::uint64_t changed = collectors.take_changed();
      if (changed == 0) return;
      levels.set(0, Level::of(collectors.used()));
      const auto count = static_cast<std::size_t>(collectors.count());
      for (; changed; changed &= changed - 1)
        for (auto c = static_cast<std::size_t>(std::countr_zero(changed)); c < count; c += 64)
          levels.set(c + 1, warp_of(collectors.occupant(static_cast<int>(c))));
    });
  }

  /// A unit, and where its signals begin.
  struct UnitWaves {
    const ExecutionUnit* unit;
    std::size_t first;
    bool busy = true;  ///< when last looked at: one that stays empty has nothing new
  };
  /// Beside each: what is gated has signals of its power after those of the unit, and after the last unit of a group of
  /// domains the group's idle-detect time.
  struct GatedWaves {
    std::vector<PowerSignal> power;
    const DomainGroup* idle_detect;  ///< nullptr: another one's, or never any
    std::size_t first;
  };

  void add_units(const std::string& scope, int p) {
    begin();
    std::vector<UnitWaves> all;
    std::vector<GatedWaves> gated;
    PartitionUnits& units = sm_->units(p);
    const auto partition = static_cast<std::size_t>(p);
    const auto add = [&](const std::vector<std::unique_ptr<ExecutionUnit>>& of_class, isa::UnitClass unit) {
      add_class(scope, of_class, sm_->power_domains().of(partition, unit), all, gated);
    };
    add(units.int_units(), isa::UnitClass::int_);
    add(units.fp_units(), isa::UnitClass::fp);
    add(units.sfu_units(), isa::UnitClass::sfu);
    const auto any = [](const GatedWaves& waves) { return waves.idle_detect || !waves.power.empty(); };
    if (std::none_of(gated.begin(), gated.end(), any))
      return read_by([all = std::move(all)](const WaveLevels& levels) mutable {
        for (UnitWaves& waves : all) read_unit(waves, levels);
      });
    read_by([all = std::move(all), gated = std::move(gated)](const WaveLevels& levels) mutable {
      for (std::size_t u = 0; u < all.size(); ++u) {
        read_unit(all[u], levels);
        std::size_t at = gated[u].first;
        for (const PowerSignal& power : gated[u].power) levels.set(at++, Level::of(power.state()));
        if (gated[u].idle_detect) levels.set(at, idle_detect_of(*gated[u].idle_detect));
      }
    });
  }

  static void read_unit(UnitWaves& waves, const WaveLevels& levels) {
    const bool busy = waves.unit->busy();
    if (!busy && !waves.busy) return;
    waves.busy = busy;
    levels.set(waves.first, Level::of(busy));
    levels.set(waves.first + 1, warp_of(waves.unit->newest()));
  }

  // What is never gated needs no signal of its power.
  void add_class(const std::string& scope, const std::vector<std::unique_ptr<ExecutionUnit>>& units,
                 const UnitDomains& domains, std::vector<UnitWaves>& all, std::vector<GatedWaves>& gated) {
    const std::string name = scope + domains.name();
    for (std::size_t u = 0; u < units.size(); ++u) {
      const std::string unit_name = fmt::format("{}{}", name, u);
      all.push_back({units[u].get(), groups_.back().signals.size()});
      signal(unit_name + ".busy", 1, WaveStyle::number);
      signal(unit_name + ".warp", warp_bits(), WaveStyle::number);
      const std::size_t first = groups_.back().signals.size();
      std::vector<PowerSignal> power = power_signals(domains, u, unit_name);
      signal_power(power);
      const bool own = domains.in_parts();
      const DomainGroup* group =
          own || u + 1 == units.size() ? &domains.group_of(static_cast<int>(u)) : nullptr;
      if (group && group->policy().never_gates()) group = nullptr;
      if (group) signal((own ? unit_name : name) + ".idle_detect", 10, WaveStyle::number);
      gated.push_back({std::move(power), group, first});
    }
  }

  void signal_power(const std::vector<PowerSignal>& power) {
    for (const PowerSignal& domain : power) signal(domain.name, 2, WaveStyle::power_state);
  }

  void add_idle_detect(const std::string& name, const DomainGroup& group) {
    if (group.policy().never_gates()) return;
    add(name, 10, WaveStyle::number, [&group](Cycle) { return idle_detect_of(group); });
  }
  static Level idle_detect_of(const DomainGroup& group) {
    return Level::of(static_cast<std::uint64_t>(group.policy().idle_detect_cycles()));
  }

  void add_load_store() {
    const LoadStoreUnit* unit = &sm_->load_store();
    const UnitDomains& domains = sm_->power_domains().of(0, isa::UnitClass::ldst);
    std::vector<PowerSignal> power = power_signals(domains, 0, "load_store");
    begin();
    signal("load_store.instructions", 12, WaveStyle::number);
    signal("load_store.outstanding", 12, WaveStyle::number);
    signal_power(power);
    read_by([unit, power = std::move(power)](const WaveLevels& levels) {
      levels.set(0, Level::of(unit->instructions_inside()));
      levels.set(1, Level::of(static_cast<std::uint64_t>(unit->requests_outstanding())));
      for (std::size_t i = 0; i < power.size(); ++i) levels.set(2 + i, Level::of(power[i].state()));
    });
    add_idle_detect("load_store.idle_detect", *domains.groups().front());
  }

  void add_ctas() {
    begin();
    const int ctas = sm_->parameters().max_ctas;
    for (int c = 0; c < ctas; ++c) signal(fmt::format("cta{}.index", c), 32, WaveStyle::number);
    read_by([sm = sm_, ctas, seen = kNotSeen](const WaveLevels& levels) mutable {
      if (std::exchange(seen, sm->cta_changes()) == sm->cta_changes()) return;
      for (int c = 0; c < ctas; ++c) {
        const std::int64_t cta = sm->cta_in(CtaSlot(static_cast<std::uint32_t>(c)));
        levels.set(static_cast<std::size_t>(c),
                   cta < 0 ? Level::none() : Level::of(static_cast<std::uint64_t>(cta)));
      }
    });
  }

  Sm* sm_;
  const IssueStage* issue_;
  std::string name_;
  std::vector<WaveGroup> groups_;
};

}  // namespace

std::vector<WaveGroup> make_wave_signals(Sm& sm, const std::string& name) {
  return SignalList(sm, name).make();
}

}  // namespace heddle::output
