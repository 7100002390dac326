#pragma once

// Models a result bus that never delays results of fixed latency (Huerta 2025, section 5.3). The bus sends
// these results to the register file in the cycle in which they arrive. If several fixed-latency results go to
// one bank, they wait in the bank's write queue, and the bypass forwards their values. All other results wait
// while the write port of their bank is busy.

#include <vector>

#include "models/operands/result_bus.h"

namespace heddle {

class FixedFirstBus final : public ResultBus {
 public:
  FixedFirstBus(const sc_core::sc_module_name& name, ClockedModule& port, int width_words,
                const std::vector<ResultSource>& sources, LifeChannel& life, RegisterPath& path,
                const StatsScope& stats, int banks);

 protected:
  int take_results(int budget) override;

 private:
  std::size_t bank_of(const InFlight& item, const OperandWord& word) const {
    return path().mapping().place_of(item.warp(), RegId(word.reg)).bank.value;
  }
  bool has_ports(const InFlight& item) const;
  int take(std::size_t number, const InFlight& item, int budget);

  std::uint64_t fixed_ = 0;             ///< bit mask of the units that deliver fixed-latency results
  std::vector<Cycle> next_free_write_;  ///< for each bank: first cycle in which its write port is free
  Counter& waits_;
};

}  // namespace heddle
