#include "models/stages/register_cache.h"

namespace heddle {

void RegisterCacheParameters::fields(FieldVisitor& v) {
  v.field("entries", entries, {1, 1024},
          "registers held: of a warp (private), or of all warps of a structure (shared). 000, 7.4: 6 a "
          "warp; 004, III-A4: 4 an active warp, so 16 of a scheduler with 4");
  v.field("capacity", capacity, {"private", "shared"},
          "every active warp has a partition of its own (000), or they share the lines (004, II-C3)");
  v.field("ways", ways, {0, 1024}, "lines of a set; 0: fully associative (000), 1: direct mapped, 2: 004");
  v.field("replacement", replacement, {"fifo", "lru"}, "fifo (000, 4.1) or lru (004, III-A2)");
  v.field("allocate", allocate, {"results", "results-and-sources"},
          "what gets a line: results alone, or sources that were read from below too (000, 4.1)");
  v.field("bypass_long_latency", bypass_long_latency,
          "results of long-latency operations are written below (000, 4.6)");
  v.field("liveness_hints", liveness_hints,
          "obey the compiler's: a value is given up after its last read and dead ones are not written below");
  v.field(
      "flush_on_deschedule", flush_on_deschedule,
      "a warp that gives up its active slot writes its dirty values below and leaves its lines (000, 4.6); "
      "false: they stay until they are replaced (004, II-C3)");
  v.field("shared_units", shared_units, {"open", "closed"},
          "whether memory and special-function units read and write here; closed: 000's L0 (4.4)");
  v.field("tag_check_cycles", tag_check_cycles, {0, 16},
          "cycles that the tag check adds to every read. 0: 000's extra stage leaves back-to-back latencies "
          "alone (4.1); its cycle of branch resolution belongs to front_end.latency_cycles");
  v.field("miss_cycles", miss_cycles, {0, 16}, "cycles more for a read that misses (004, IV-D: 1)");
  v.field("read_ports", read_ports, {0, 64}, "reads a cycle and bank (000, 4.5: 3; 004: 6); 0: unlimited");
  v.field("write_ports", write_ports, {0, 64}, "writes a cycle and bank (000, 4.5: 1; 004: 2); 0: unlimited");
  v.field("banks", banks, {1, 64}, "banks of the storage, lines in turn, each with ports of its own");
  v.field("queue_entries", queue_entries, {1, 4096}, "writes that may wait for a port of a bank");
  v.field("per_scheduler", per_scheduler,
          "ports, and shared lines, of its own for every scheduler of the partition (004, III-A3)");
}

}  // namespace heddle
