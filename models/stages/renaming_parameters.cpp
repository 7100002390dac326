#include "models/stages/renaming_parameters.h"

namespace heddle {

void RenamingParameters::fields(FieldVisitor& v) {
  v.field("release", release, {"flags", "redefinition", "warp-end"},
          "when a register gives up its entry: where the compiler's flags say so (Jeon 2015, 6), when the "
          "whole warp writes it anew (Jeon 2015, 9.5: hardware alone), or with its warp: nothing is renamed, "
          "and no table is asked");
  v.field(
      "allocate", allocate, {"prepare", "write", "placement"},
      "when an entry is chosen: as the instruction gets a collector (Jeon 2015, Fig. 6), at the first write, "
      "or as the warp begins, as far as the subarrays that are on have room; the others as with prepare");
  v.field("destinations", destinations, {"table-port", "free"},
          "results of an announced instruction take a port of the table as its sources do (Jeon 2015, Fig. "
          "6), or none");
  v.field("packing", packing, {"subarrays", "round-robin"},
          "which entry: the lowest of the lowest subarray that is on (Jeon 2015, 8.2), or the next in turn");
  v.field("bank_full", bank_full, {"wait", "next-bank"},
          "a register stays in the bank that the layout gives it (Jeon 2015, 7.1), or goes to the next one "
          "with room");
  v.field("exempt", exempt, {"pinned", "first-write"},
          "registers that are not renamed: entries of their own at N x warp number (Jeon 2015, 7.1), which "
          "nobody else gets, or whichever entry is free at their first write");
  v.field("subarrays", subarrays, {1, 32}, "subarrays of a bank (Jeon 2015, 8.2: four)");
  v.field("table_banks", table_banks, {1, 32},
          "banks of the renaming table, by register number; each answers one look-up a cycle (Jeon 2015, "
          "7.1: four)");
  v.field("latency_cycles", latency_cycles, {0, 16},
          "cycles that a look-up adds to an access (Jeon 2015, 7.1: one)");
  v.group("gating", gating,
          "subarrays: parts of a bank, off while nothing in them is mapped (Jeon 2015, 8.2; no overhead is "
          "counted there: idle-detect 0, break-even 1)");
}

}  // namespace heddle
