#pragma once

// Counters of opened sub-banks and of accesses that are served in pairs (Radaideh 2021, Table I).

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
    int sub_banks = 4;  ///< sub-banks of a row
  };

  SubBankCounters(const StatsScope& stats, const Shape& shape);

  /// Counts one served access and sets served.sub_banks. Returns the number of sub-banks that the access opens.
  /// Throws InternalError if another access of the same port has opened one of these sub-banks in this cycle,
  /// except with an arbiter of a limit study.
  int served(Cycle now, ServedAccess& served, const WaitingAccess& access, const BankQueue::Item& item);

  /// Adds equations that must hold at the end of a run. In these equations, the width of a read or write is the
  /// number of sub-banks that it opens. A first read fetches a row's old contents before a write. An access is
  /// one use of a bank's port in one cycle: it serves one read, one write, or a pair of them.
  /// - The reads (or writes) of all widths add up to all served reads (or writes).
  /// - The number of reads, writes and first reads equals the number of accesses plus the number of pairs.
  /// - The number of opened sub-banks equals the sum of the widths of all reads, first reads and writes.
  /// - The number of values that collectors receive equals the number of served reads.
  void balance(const BankTotals& totals, StageBalance& balance) const;

 private:
  struct Open {
    std::uint8_t sub_banks = 0;
    bool write = false;
    const void* owner = nullptr;
  };
  struct Taken {
    std::uint8_t slices = 0;
    BankId bank{};
    std::uint32_t row = 0;
  };
  void count_word(const WaitingAccess& access, const BankQueue::Item& item, std::size_t width);
  void count_pair(const Open& open, const WaitingAccess& access, bool write);
  void count_collector(Cycle now, BankId bank, const WaitingAccess& access);

  bool separate_ports_, limit_, sliced_;
  std::vector<InCycle<Open>> open_;
  std::vector<InCycle<Taken>> taken_;
  std::uint64_t first_read_sub_banks_ = 0;
  std::uint64_t joined_ = 0, uncollected_ = 0;
  Counter &accesses_, &read_read_, &same_instruction_, &write_write_, &read_write_, &first_reads_;
  Counter &collector_writes_, &collector_pairs_other_bank_, &partial_writes_, &promotions_;
  Counter &unpaired_overlap_, &unpaired_full_, &unpaired_collector_;
  /// Counters of the reads and of the writes that open n sub-banks; index: n - 1.
  std::vector<Counter*> reads_, writes_;
  /// For each set of sub-banks (index): the quarters of a row that the set covers.
  std::array<std::uint8_t, 256> quarters_{};
};

}  // namespace heddle
