#pragma once

// Counters of a register cache, and the equations between the counters that must hold at the end of a run.

#include "models/ports/register_stage.h"

namespace heddle {

class RegisterCacheCounters {
 public:
  explicit RegisterCacheCounters(const StatsScope& stats);

  void hit(const RegisterAccess& access) {
    ++tag_checks_;
    ++hits_;
    read(access, access.mask);
  }
  void missed(const RegisterAccess& access, LaneMask have) {
    ++tag_checks_;
    ++(have ? partial_hits_ : misses_);
    if (have) read(access, have);
  }
  void wrote(const RegisterAccess& access);
  void wrote_below() {
    ++tag_checks_;
    ++bypassed_writes_;
  }
  void read_below() { ++direct_reads_; }
  void waited(Cycle cycles) { port_wait_cycles_ += cycles; }
  void refused() { ++refusals_; }
  void filled(LaneMask lanes);
  void wrote_back(LaneMask lanes, bool flush);
  void replaced() { ++evictions_; }
  void flushed() { ++flushes_; }
  /// Called for a cache line that was freed because its value is dead. Counts the line only if `dirty` is true:
  /// the value was never written to the stage below.
  void died(bool dirty) { dead_lines_ += dirty; }

  StageBalance balance(const RegisterFlow& came) const;

 private:
  void read(const RegisterAccess& access, LaneMask lanes);

  Counter &private_reads_, &shared_reads_, &private_writes_, &shared_writes_, &upper_writes_, &fills_,
      &read_slices_, &write_slices_, &tag_checks_, &hits_, &partial_hits_, &misses_, &evictions_,
      &write_backs_, &flush_write_backs_, &flushes_, &dead_lines_, &direct_reads_, &bypassed_writes_,
      &port_wait_cycles_, &refusals_;
};

}  // namespace heddle
