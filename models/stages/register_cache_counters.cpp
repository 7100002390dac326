#include "models/stages/register_cache_counters.h"

#include "models/isa/instruction.h"
#include "models/stages/upper_stage.h"

namespace heddle {

RegisterCacheCounters::RegisterCacheCounters(const StatsScope& stats)
    : private_reads_(stats.add("private_reads", "accesses", "words read here for INT and FP units")),
      shared_reads_(stats.add("shared_reads", "accesses", "words read here for memory and SFU units")),
      private_writes_(stats.add("private_writes", "accesses", "results of INT and FP units written here")),
      shared_writes_(stats.add("shared_writes", "accesses", "results of memory and SFU units written here")),
      upper_writes_(stats.add("upper_writes", "accesses", "words written here by the stage above")),
      fills_(stats.add("fills", "accesses", "sources written here that were read from below")),
      read_slices_(
          stats.add("read_slices", "slices", "32-byte slices with lanes read, write-backs included")),
      write_slices_(stats.add("write_slices", "slices", "32-byte slices with lanes written")),
      tag_checks_(stats.add("tag_checks", "accesses", "reads and writes that searched for their register")),
      hits_(stats.add("read_hits", "accesses", "reads with every lane here")),
      partial_hits_(stats.add("read_partial_hits", "accesses", "reads with some lanes here")),
      misses_(stats.add("read_misses", "accesses", "reads with no lane here")),
      evictions_(stats.add("evictions", "lines",
                           "lines freed for another register, or for a read by the stages below")),
      write_backs_(stats.add("writebacks", "accesses", "evicted lines written below (each a read here too)")),
      flush_write_backs_(stats.add("flush_writebacks", "accesses",
                                   "lines of descheduled warps written below (each a read here too)")),
      flushes_(stats.add("flushes", "warps", "descheduled warps whose lines were freed")),
      dead_lines_(stats.add("dead_lines", "lines", "lines freed at a last read that were not written below")),
      direct_reads_(stats.add("direct_reads", "accesses", "reads from above that bypassed this stage")),
      bypassed_writes_(
          stats.add("bypassed_writes", "accesses", "words written below that bypassed this stage")),
      port_wait_cycles_(
          stats.add("port_wait_cycles", "access-cycles", "cycles that accesses waited for a port")),
      refusals_(stats.add("refusals", "accesses", "writes refused because too many waited for a port")) {}

void RegisterCacheCounters::read(const RegisterAccess& access, LaneMask lanes) {
  ++(access.instruction && is_shared_unit(*access.instruction) ? shared_reads_ : private_reads_);
  read_slices_ += slices_of(lanes);
}

void RegisterCacheCounters::wrote(const RegisterAccess& access) {
  ++tag_checks_;
  ++(!access.instruction                   ? upper_writes_
     : is_shared_unit(*access.instruction) ? shared_writes_
                                           : private_writes_);
  write_slices_ += slices_of(access.mask);
}

void RegisterCacheCounters::filled(LaneMask lanes) {
  write_slices_ += slices_of(lanes);
  ++fills_;
}

void RegisterCacheCounters::wrote_back(LaneMask lanes, bool flush) {
  read_slices_ += slices_of(lanes);
  ++(flush ? flush_write_backs_ : write_backs_);
}

StageBalance RegisterCacheCounters::balance(const RegisterFlow& came) const {
  const std::uint64_t below = partial_hits_.value() + misses_.value() + direct_reads_.value();
  const std::uint64_t written = private_writes_.value() + shared_writes_.value() + upper_writes_.value();
  StageBalance balance;
  balance.passed = {below, write_backs_.value() + flush_write_backs_.value() + bypassed_writes_.value()};
  balance.rules = {
      {"reads that come, hits and others", came.reads, hits_.value() + below},
      {"writes that come, written here or below", came.writes, written + bypassed_writes_.value()},
      {"hits, reads by datapath", hits_.value() + partial_hits_.value(),
       private_reads_.value() + shared_reads_.value()},
  };
  return balance;
}

}  // namespace heddle
