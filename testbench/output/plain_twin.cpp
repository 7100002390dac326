#include "testbench/output/plain_twin.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "models/core/wildcard.h"
#include "power/storage.h"

namespace heddle::output {
namespace {

constexpr std::uint64_t kSubBanks = 4;

// Patterns of counters that only techniques change, in units that Heddle itself declares
// (power::is_own_unit). The machine without techniques does not have these counters, except for those in
// kReplacements. Nor does it have counters of other units, because only techniques and plug-ins add other
// units.
constexpr const char* kAdditions[] = {"sm*.partition*.banks.*",
                                      "sm*.partition*.gating.**",
                                      "sm*.gating.**",
                                      "sm*.partition*.register_cache**",
                                      "sm*.partition*.operand_file.*",
                                      "sm*.partition*.renaming**",
                                      "sm*.partition*.rename_table.*",
                                      "sm*.partition*.swapping.*",
                                      "sm*.partition*.folding.*",
                                      "sm*.front_end.release-flag-cache.*",
                                      "sm*.front_end.metadata_*",
                                      "sm*.issue.spiller.*",
                                      "sm*.partition*.units.*.passes"};

// Computes the counter `name` of the machine without techniques: (`port` - `spilled`) * `times`. `port`:
// counter of words at the register port. `spilled`: counter of words that the SM's spiller moved to or from
// memory. `times`: events per word, such as opened sub-banks.
struct Replacement {
  const char *name, *port, *spilled;
  std::uint64_t times;
};
constexpr Replacement kReplacements[] = {
    {"banks.reads", "register_port.reads", "registers_spilled", 1},
    {"banks.writes", "register_port.writes", "registers_restored", 1},
    {"banks.read_sub_banks", "register_port.reads", "registers_spilled", kSubBanks},
    {"banks.write_sub_banks", "register_port.writes", "registers_restored", kSubBanks},
    {"register_port.reads", "register_port.reads", "registers_spilled", 1},
    {"register_port.writes", "register_port.writes", "registers_restored", 1}};

}  // namespace

PlainTwin::PlainTwin(const StatsRegistry& counters) {
  const auto& infos = counters.counters();
  std::map<std::string, std::size_t> all;
  for (std::size_t i = 0; i < infos.size(); ++i) all.emplace(infos[i].full_name(), i);
  const auto place_of = [&](const std::string& name) {
    const auto at = all.find(name);
    return at == all.end() ? kNone : at->second;
  };
  const auto source_of = [&](const std::string& name) -> Source {
    const std::size_t part = name.find(".partition");
    const std::size_t dot = part == std::string::npos ? part : name.find('.', part + 1);
    if (dot != std::string::npos)
      for (const Replacement& replacement : kReplacements)
        if (name.substr(dot + 1) == replacement.name) {
          // The SM's spiller counts words of all partitions together. Subtract these words from the counter
          // of the first partition only; this is enough, because only sums over partitions are used.
          const bool first = name.substr(part, dot - part) == ".partition0";
          const std::string spilled = name.substr(0, part) + ".issue.spiller." + replacement.spilled;
          return {place_of(name.substr(0, dot + 1) + replacement.port), first ? place_of(spilled) : kNone,
                  replacement.times};
        }
    const bool added = !power::is_own_unit(name.substr(0, name.rfind('.'))) ||
                       std::any_of(std::begin(kAdditions), std::end(kAdditions),
                                   [&](const char* pattern) { return fits(pattern, name); });
    return {added ? kNone : place_of(name), kNone, 1};
  };
  for (const CounterInfo& info : infos) {
    const Source source = source_of(info.full_name());
    if (source.of == kNone) continue;
    stats_.add(info.owner, info.name, "", "");
    sources_.push_back(source);
  }
}

std::vector<std::uint64_t> PlainTwin::values(const std::vector<std::uint64_t>& counted) const {
  std::vector<std::uint64_t> values;
  values.reserve(sources_.size());
  for (const Source& source : sources_)
    values.push_back(source.times * (counted[source.of] - (source.less == kNone ? 0 : counted[source.less])));
  return values;
}

}  // namespace heddle::output
