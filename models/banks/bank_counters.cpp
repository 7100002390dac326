#include "models/banks/bank_counters.h"

namespace heddle {

BankCounters::BankCounters(const StatsScope& stats)
    : reads_(stats.add("reads", "accesses", "register words read from the banks")),
      writes_(stats.add("writes", "accesses", "register words written to the banks")),
      conflicts_(stats.add("conflict_cycles", "access-cycles",
                           "cycles that accesses waited for a busy bank or port")),
      refusals_(stats.add("refusals", "accesses",
                          "accesses refused because a bank's queue was full or a release was in progress")),
      busy_cycles_(stats.add("busy_cycles", "cycles", "cycles in which at least one bank served an access")),
      releases_(stats.add("releases", "accesses", "registers released, without an access to a bank")),
      unmapped_reads_(stats.add("unmapped_reads", "accesses",
                                "reads of registers that were never written, without an access to a bank")),
      read_sub_banks_(stats.add("read_sub_banks", "sub-banks",
                                "sub-banks opened by reads, including reads of old contents before writes")),
      write_sub_banks_(stats.add("write_sub_banks", "sub-banks", "sub-banks opened by writes")) {}

StageBalance BankCounters::balance(const RegisterFlow& came) const {
  return {
      {},
      {{"reads that come to the banks, reads served", came.reads, reads_.value() + unmapped_reads_.value()},
       {"writes that come to the banks, writes served", came.writes, writes_.value()}}};
}

}  // namespace heddle
