#include "testbench/output/power_signals.h"

#include <fmt/format.h>

namespace heddle::output {

std::vector<PowerSignal> power_signals(const UnitDomains& domains, std::size_t unit,
                                       const std::string& name) {
  if (domains.never_gates()) return {};
  if (!domains.in_parts()) return {{name + ".power", domains.groups().front().get(), static_cast<int>(unit)}};
  const DomainGroup& group = *domains.groups()[unit];
  std::vector<PowerSignal> signals;
  for (int part = 0; part < group.wiring().domains; ++part)
    signals.push_back({fmt::format("{}.power_{}_{}", name, group.wiring().name, part), &group, part});
  return signals;
}

SmPowerDomains* power_domains_of(Sm& sm) {
  auto* const power = dynamic_cast<IssuePower*>(&sm.availability());
  return power ? &power->domains() : nullptr;
}

std::vector<PowerSignal> power_signals(Sm& sm) {
  std::vector<PowerSignal> signals;
  SmPowerDomains* const power = power_domains_of(sm);
  if (!power) return signals;
  const auto add = [&](const UnitDomains& domains, std::size_t unit, const std::string& name) {
    for (PowerSignal& signal : power_signals(domains, unit, name)) signals.push_back(std::move(signal));
  };
  for (int p = 0; p < sm.partitions(); ++p)
    for (const isa::UnitClass unit :
         {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu, isa::UnitClass::matrix}) {
      if (!power->has(static_cast<std::size_t>(p), unit)) continue;
      const UnitDomains& domains = power->of(static_cast<std::size_t>(p), unit);
      for (std::size_t u = 0; u < static_cast<std::size_t>(domains.units()); ++u)
        add(domains, u, fmt::format("partition{}.{}{}", p, domains.name(), u));
    }
  add(power->of(0, isa::UnitClass::ldst), 0, "load_store");
  return signals;
}

}  // namespace heddle::output
