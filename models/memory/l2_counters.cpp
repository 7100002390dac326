#include "models/memory/l2_counters.h"

namespace heddle {

L2Counters::L2Counters(const StatsScope& s)
    : requests_(s.add("requests", "requests", "requests received: hits + misses + merges + errors")),
      hits_(s.add("l2_hits", "requests", "served from the L2; writes of whole lines count as hits")),
      misses_(s.add("l2_misses", "requests", "fetched a line")),
      merges_(s.add("l2_merges", "requests", "merged with a line that was already being fetched")),
      reads_(s.add("reads", "requests", "read requests")),
      writes_(s.add("writes", "requests", "write requests")),
      bytes_read_(s.add("bytes_read", "bytes", "requested from the L2")),
      bytes_written_(s.add("bytes_written", "bytes", "sent to the L2")),
      evictions_(s.add("l2_evictions", "lines", "lines replaced")),
      write_backs_(s.add("l2_write_backs", "lines", "replaced lines that were written to memory")),
      dram_reads_(s.add("dram_reads", "lines", "lines fetched from memory: l2_misses")),
      dram_bytes_read_(s.add("dram_bytes_read", "bytes", "read from memory channels")),
      dram_bytes_written_(
          s.add("dram_bytes_written", "bytes", "written to memory channels, in sectors of 32")),
      dram_queue_cycles_(s.add("dram_queue_cycles", "cycles", "fetches waited for a channel, summed")),
      stall_mshr_(s.add("l2_stall_mshr", "cycles", "slices waited for an MSHR, summed")),
      stall_dram_(s.add("l2_stall_dram", "cycles", "slices waited for a channel's queue, summed")) {}

}  // namespace heddle
