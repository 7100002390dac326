#pragma once

// Counters of opened sub-banks, and of accesses that are served together (Radaideh 2021, Table I).

#include <array>
#include <cstdint>
#include <vector>

#include "models/banks/bank_counters.h"
#include "models/banks/bank_queue.h"
#include "models/banks/i_bank_arbiter.h"
#include "models/core/cycle_set.h"
#include "models/core/stats.h"
#include "models/ports/register_stage.h"

namespace heddle {

class SubBankCounters {
 public:
  struct Shape {
    std::size_t banks = 0;
    int collectors = 0;
    bool separate_ports = false, sliced = false, limit = false;
  };

  SubBankCounters(const StatsScope& stats, const Shape& shape);

  /// Counts one access of the cycle. Returns the number of sub-banks that it opens, and sets
  /// served.sub_banks. By one port, each sub-bank opens one row in a cycle, that of the first access. Throws
  /// InternalError if a sub-bank is open already, unless the arbiter is a limit.
  int served(Cycle now, ServedAccess& served, const WaitingAccess& access, const BankQueue::Item& item);

  /// Adds the conservation rules: widths sum to words; words and first reads equal accesses and pairs;
  /// sub-banks equal width times words.
  void balance(const BankTotals& totals, StageBalance& balance) const;

 private:
  struct Open {
    std::uint8_t sub_banks = 0;  ///< 0: no access served in this cycle
    bool write = false;
    const void* owner = nullptr;
  };
  // Words that a collector's port accepts in a cycle.
  struct Taken {
    std::uint8_t slices = 0;  ///< 0: none
    BankId bank{};
    std::uint32_t row = 0;
  };
  void count_word(const WaitingAccess& access, const BankQueue::Item& item, std::size_t width);
  void count_pair(const Open& open, const WaitingAccess& access, bool write);
  void count_collector(Cycle now, BankId bank, const WaitingAccess& access);

  bool separate_ports_, limit_, sliced_;
  std::vector<InCycle<Open>> open_;         ///< by bank and port
  std::vector<InCycle<Taken>> taken_;       ///< by collector
  std::uint64_t first_read_sub_banks_ = 0;  ///< sub-banks that first reads opened
  /// Words that joined another word; words that no collector accepts.
  std::uint64_t joined_ = 0, uncollected_ = 0;
  Counter &accesses_, &read_read_, &same_instruction_, &write_write_, &read_write_, &first_reads_;
  Counter &collector_writes_, &collector_pairs_other_bank_, &partial_writes_, &promotions_;
  Counter &unpaired_overlap_, &unpaired_full_, &unpaired_collector_;
  std::array<Counter*, 4> reads_{}, writes_{};  ///< by number of opened sub-banks
};

}  // namespace heddle
