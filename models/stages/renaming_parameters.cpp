#include "models/stages/renaming_parameters.h"

namespace heddle {

void RenamingParameters::fields(FieldVisitor& v) {
  v.field("release", release, {"flags", "redefinition", "warp-end"},
          "time at which a register loses its entry: at the compiler's release flags (Jeon 2015, 6); when "
          "the whole warp writes the register again (Jeon 2015, 9.5: hardware alone); or when the warp ends, "
          "in which case registers are not renamed and the table is not used");
  v.field("allocate", allocate, {"prepare", "write", "placement"},
          "time at which an entry is chosen: when the instruction gets a collector (Jeon 2015, Fig. 6); at "
          "the first write; or when the warp begins, as long as the subarrays that are on have room, and "
          "later as with prepare");
  v.field("destinations", destinations, {"table-port", "free"},
          "the results of an announced instruction occupy ports of the table like its sources (Jeon 2015, "
          "Fig. 6), or no port");
  v.field("packing", packing, {"subarrays", "round-robin"},
          "entry that is chosen: the lowest of the lowest subarray that is on (Jeon 2015, 8.2), or the next "
          "one round-robin");
  v.field("bank_full", bank_full, {"wait", "next-bank"},
          "a register stays in the bank that the layout gives it (Jeon 2015, 7.1), or goes to the next one "
          "with room");
  v.field("exempt", exempt, {"pinned", "first-write"},
          "entries of the registers that are not renamed: fixed ones at N x warp number (Jeon 2015, 7.1), "
          "which no other register gets; or any free entry at the first write");
  v.field("subarrays", subarrays, {1, 32}, "subarrays of a bank (Jeon 2015, 8.2: four)");
  v.field("table_banks", table_banks, {1, 32},
          "banks of the renaming table, by register number; each serves one look-up a cycle (Jeon 2015, 7.1: "
          "four)");
  v.field("latency_cycles", latency_cycles, {0, 16},
          "cycles that a look-up adds to an access (Jeon 2015, 7.1: one)");
  v.group("gating", gating,
          "gating of subarrays, the parts of a bank, which are off while no register is mapped to them (Jeon "
          "2015, 8.2; the paper counts no overhead: idle-detect 0, break-even 1)");
}

}  // namespace heddle
