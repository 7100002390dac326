#include "models/stages/register_cache.h"

namespace heddle {

void RegisterCacheParameters::fields(FieldVisitor& v) {
  v.field("entries", entries, {1, 1024},
          "registers that the cache holds: for each warp (private), or for all warps of a structure "
          "(shared). Gebhart 2012, 7.4: 6 a warp; Bailey 2018, III-A4: 4 for each active warp, so 16 for a "
          "scheduler with 4 active warps");
  v.field("capacity", capacity, {"private", "shared"},
          "every active warp has its own part of the lines (Gebhart 2012), or all warps share the lines "
          "(Bailey 2018, II-C3)");
  v.field("ways", ways, {0, 1024},
          "lines of a set; 0: fully associative (Gebhart 2012), 1: direct mapped, 2: Bailey 2018");
  v.field("replacement", replacement, {"fifo", "lru"},
          "fifo (Gebhart 2012, 4.1) or lru (Bailey 2018, III-A2)");
  v.field(
      "allocate", allocate, {"results", "results-and-sources"},
      "words that get a line: only results, or also sources that were read from below (Gebhart 2012, 4.1)");
  v.field("bypass_long_latency", bypass_long_latency,
          "results of long-latency operations are written below (Gebhart 2012, 4.6)");
  v.field("liveness_hints", liveness_hints,
          "use the compiler's hints: a value is freed after its last read, and dead values are not written "
          "below");
  v.field("flush_on_deschedule", flush_on_deschedule,
          "a warp that gives up its active slot writes its dirty values below and frees its lines (Gebhart "
          "2012, 4.6); false: lines stay until they are replaced (Bailey 2018, II-C3)");
  v.field(
      "shared_units", shared_units, {"open", "closed"},
      "memory and special-function units access this cache (open) or not (closed: Gebhart 2012's L0, 4.4)");
  v.field("tag_check_cycles", tag_check_cycles, {0, 16},
          "cycles that the tag check adds to every read. 0: Gebhart 2012's extra stage does not change "
          "back-to-back latencies (4.1); its additional cycle of branch resolution belongs to "
          "front_end.latency_cycles");
  v.field("miss_cycles", miss_cycles, {0, 16},
          "additional cycles of a read that misses (Bailey 2018, IV-D: 1)");
  v.field("read_ports", read_ports, {0, 64},
          "reads a cycle and bank (Gebhart 2012, 4.5: 3; Bailey 2018: 6); 0: unlimited");
  v.field("write_ports", write_ports, {0, 64},
          "writes a cycle and bank (Gebhart 2012, 4.5: 1; Bailey 2018: 2); 0: unlimited");
  v.field("banks", banks, {1, 64},
          "banks of the storage, each with its own ports; lines are distributed round-robin");
  v.field("queue_entries", queue_entries, {1, 4096}, "writes that may wait for a port of a bank");
  v.field("per_scheduler", per_scheduler,
          "every scheduler of the partition has its own ports and, with shared capacity, its own lines "
          "(Bailey 2018, III-A3)");
}

}  // namespace heddle
