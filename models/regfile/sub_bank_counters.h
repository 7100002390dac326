#pragma once

// What the banks count of the sub-banks that a format opens, and of accesses served together (002, Table I).

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/stats.h"
#include "models/regfile/i_bank_arbiter.h"

namespace heddle {

class SubBankCounters {
 public:
  SubBankCounters(const StatsScope& stats, std::size_t banks, bool separate_ports, bool limit);

  /// One access of the cycle. Throws InternalError if a sub-bank that it opens is open already, unless the
  /// arbiter is a limit.
  void served(Cycle now, BankId bank, const WaitingAccess& access, bool reads_first);

  /// reads + writes + read_first = accesses + paired ones.
  std::uint64_t words_read() const;
  std::uint64_t words_written() const;
  std::uint64_t words() const { return words_read() + words_written() + first_reads_.value(); }
  std::uint64_t accesses() const;

 private:
  struct Open {
    Cycle in = kNever;
    std::uint8_t sub_banks = 0;
    bool write = false;
    const void* owner = nullptr;
  };
  void count_pair(const Open& open, const WaitingAccess& access, bool write);

  bool separate_ports_, limit_;
  std::vector<Open> open_;  ///< by bank and port
  Counter &accesses_, &read_read_, &same_instruction_, &write_write_, &read_write_;
  Counter &read_sub_banks_, &write_sub_banks_, &first_reads_;
  std::array<Counter*, 4> reads_{}, writes_{};  ///< by sub-banks opened
};

}  // namespace heddle
