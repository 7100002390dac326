#pragma once

// Counters of the register banks, and equations that the counters must satisfy at the end of a run.

#include "models/ports/register_stage.h"

namespace heddle {

struct BankTotals {
  std::uint64_t reads, writes, read_sub_banks, write_sub_banks;
};

class BankCounters {
 public:
  explicit BankCounters(const StatsScope& stats);

  void refused() { ++refusals_; }
  void released() { ++releases_; }
  void read_unmapped() { ++unmapped_reads_; }
  void served(const BankTotals& cycle) {
    ++busy_cycles_;
    reads_ += cycle.reads;
    writes_ += cycle.writes;
    read_sub_banks_ += cycle.read_sub_banks;
    write_sub_banks_ += cycle.write_sub_banks;
  }
  void waited(std::uint64_t accesses) { conflicts_ += accesses; }

  BankTotals totals() const {
    return {reads_.value(), writes_.value(), read_sub_banks_.value(), write_sub_banks_.value()};
  }
  StageBalance balance(const RegisterFlow& came) const;

 private:
  Counter &reads_, &writes_, &conflicts_, &refusals_, &busy_cycles_, &releases_, &unmapped_reads_;
  Counter &read_sub_banks_, &write_sub_banks_;
};

}  // namespace heddle
