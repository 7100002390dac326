#include "models/stages/operand_file.h"

namespace heddle {

void OperandFileParameters::fields(FieldVisitor& v) {
  v.field("entries", entries, {0, 64},
          "entries of a warp in the operand level (Gebhart 2012, 7.8: 3; Bailey 2018, III-A4: 2 next to a "
          "cache, 6 alone)");
  v.field("last_result", last_result, {"none", "unified", "split"},
          "level of one entry a warp (Gebhart 2012, 4.3); split: one entry for each operand slot A, B, C "
          "(Gebhart 2012, 4.4)");
  v.field("last_result_shared", last_result_shared,
          "memory and special-function units can also access the last-result level (Gebhart 2012, 4.4: they "
          "cannot)");
  v.field(
      "transfers", transfers, {"through-caches", "past-caches"},
      "transfers between an entry and the stages below go through the caches there (Bailey 2018, III-A1), or "
      "bypass them. With the bypass, a cache frees its copy before an entry gets one (Bailey 2018, IV-D)");
  v.field("flush_on_deschedule", flush_on_deschedule,
          "a descheduled warp frees its entries (Gebhart 2012, 4.6); false: it keeps them (limit study, "
          "Gebhart 2012, 8.3)");
  v.field("checked", checked,
          "a read of an entry without a valid value stops the run; false: it delivers poison");
  v.field("read_ports", read_ports, {0, 64},
          "reads a cycle of each level (Gebhart 2012, 4.5: 3; Bailey 2018: 6); 0: unlimited");
  v.field("write_ports", write_ports, {0, 64},
          "writes a cycle of each level (Gebhart 2012, 4.5: 1; Bailey 2018: 2); 0: unlimited");
  v.field("queue_entries", queue_entries, {1, 4096}, "writes that may wait for a port of a level");
  v.field("per_scheduler", per_scheduler,
          "every scheduler of the partition has its own ports (Bailey 2018, III-A3)");
}

}  // namespace heddle
