#include "tests/power/power_rig.h"

namespace heddle::power {

PowerRig& PowerRig::count(const std::string& name, std::uint64_t value) {
  const std::size_t dot = name.rfind('.');
  stats_.add(name.substr(0, dot), name.substr(dot + 1), "events", "made up");
  values_.push_back(value);
  return *this;
}

EnergyAccount PowerRig::account(const std::string& members) const {
  return account({technology_of(members)});
}

EnergyAccount PowerRig::account(const std::vector<Technology>& technologies) const {
  return {technologies, parse_config_text(configuration, "configuration"), stats_};
}

EnergyReport PowerRig::report(const std::string& members, Cycle cycles) const {
  const EnergyAccount bound = account(members);
  EnergyReport report = bound.report(values_, cycles);
  // Entries and shares point into the account, which is destroyed on return. Therefore remove them from the
  // report.
  report.entries.clear();
  report.shares.clear();
  return report;
}

Technology technology_of(const std::string& members, const std::string& file) {
  return read_technology(
      parse_config_text(R"({"name": "test", "description": "made up", )" + members + "}", file));
}

}  // namespace heddle::power
