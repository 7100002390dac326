#include "models/operands/fixed_first_bus.h"

#include <algorithm>
#include <bit>

namespace heddle {

FixedFirstBus::FixedFirstBus(const sc_core::sc_module_name& name, ClockedModule& port, int width_words,
                             const std::vector<ResultSource>& sources, LifeChannel& life, RegisterPath& path,
                             const StatsScope& stats, int banks)
    : ResultBus(name, port, width_words, sources, life, path, stats),
      next_free_write_(static_cast<std::size_t>(banks)),
      waits_(
          stats.add("port_waits", "cycles",
                    "cycles in which a result of variable latency waited for the write port of its bank")) {
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (sources[s].fixed) fixed_ |= std::uint64_t{1} << s;
}

int FixedFirstBus::take_results(int budget) {
  for (std::uint64_t rest = filled() & fixed_; rest; rest &= rest - 1) {
    const auto source = static_cast<std::size_t>(std::countr_zero(rest));
    while (const InFlight* const item = front(source)) take(source, *item, budget);
  }
  for (std::uint64_t rest = std::rotr(filled() & ~fixed_, static_cast<int>(first())); rest;
       rest &= rest - 1) {
    const std::size_t source = (first() + static_cast<std::size_t>(std::countr_zero(rest))) % 64;
    while (budget > 0) {
      const InFlight* const item = front(source);
      if (!item) break;
      if (!has_ports(*item)) {
        ++waits_;
        break;
      }
      budget = take(source, *item, budget);
    }
  }
  return budget;
}

bool FixedFirstBus::has_ports(const InFlight& item) const {
  const auto words = item.footprint->writes_in_order();
  return item.writes_left == 0 || std::all_of(words.begin(), words.end(), [&](const OperandWord& word) {
           return next_free_write_[bank_of(item, word)] <= now();
         });
}

int FixedFirstBus::take(std::size_t number, const InFlight& item, int budget) {
  if (item.writes_left != 0)
    for (const OperandWord& word : item.footprint->writes_in_order()) {
      Cycle& next = next_free_write_[bank_of(item, word)];
      next = std::max(next, now()) + 1;
    }
  return take_one(number, budget);
}

}  // namespace heddle
