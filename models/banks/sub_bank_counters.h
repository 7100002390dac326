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

  /// One access of the cycle; how many sub-banks it opens, which `served` says: by one port each has one row open in a
  /// cycle, that of who came first. Throws InternalError if one of them is open already, unless the arbiter is a limit.
  int served(Cycle now, ServedAccess& served, const WaitingAccess& access, const BankQueue::Item& item);

  /// Widths sum to words, words and first reads are accesses and pairs, sub-banks are width times words.
  void balance(const BankTotals& totals, StageBalance& balance) const;

 private:
  struct Open {
    std::uint8_t sub_banks = 0;  ///< 0: nothing has been served yet
    bool write = false;
    const void* owner = nullptr;
  };
  // Data that a collector's port takes in a cycle.
  struct Taken {
    std::uint8_t slices = 0;  ///< 0: nothing yet
    BankId bank{};
    std::uint32_t row = 0;
  };
  void count_word(const WaitingAccess& access, const BankQueue::Item& item, std::size_t width);
  void count_pair(const Open& open, const WaitingAccess& access, bool write);
  void count_collector(Cycle now, BankId bank, const WaitingAccess& access);

  bool separate_ports_, limit_, sliced_;
  std::vector<InCycle<Open>> open_;             ///< by bank and port
  std::vector<InCycle<Taken>> taken_;           ///< by collector
  std::uint64_t first_read_sub_banks_ = 0;      ///< opened by first reads
  std::uint64_t joined_ = 0, uncollected_ = 0;  ///< words that another one took along; of no collector
  Counter &accesses_, &read_read_, &same_instruction_, &write_write_, &read_write_, &first_reads_;
  Counter &collector_writes_, &collector_pairs_other_bank_, &partial_writes_, &promotions_;
  Counter &unpaired_overlap_, &unpaired_full_, &unpaired_collector_;
  std::array<Counter*, 4> reads_{}, writes_{};  ///< by sub-banks opened
};

}  // namespace heddle
