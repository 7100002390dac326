#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> warps_patterns() {
  const std::string sync = "bar.warp.sync -1;", none;
  return {
      {"different values to one word",
       "shl.b32 %r1, %w, 2; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d1, $wbase; st.$sp.u32 [%d1], @@;", "%t",
       "%w", 1, true},
      {"different bytes of one word",
       "mul.wide.u32 %d1, %w, 4; add.u64 %d1, %d1, $wbase; @@; st.$sp.u8 [%d1], %t;", "mov.u32 %r2, 1",
       "and.b32 %r2, %l, 3; cvt.u64.u32 %d2, %t; and.b64 %d2, %d2, 31; shl.b64 %d3, %warp, 7; add.u64 %d1, "
       "$wbase, %d3; "
       "add.u64 %d1, %d1, %d2",
       1, true},
      {"read after write", "st.$sp.u32 [$own], %t; @@ ld.$sp.u32 %x, [$next];", none, sync, 1, true},
      {"write after read",
       "st.$sp.u32 [$own], %t; bar.warp.sync -1; ld.$sp.u32 %x, [$next]; @@ st.$sp.u32 [$own], 5;", none,
       sync, 1, true},
      {"write after write", "st.$sp.u32 [$own], %t; @@ st.$sp.u32 [$next], %l;", none, sync, 1, true},
      {"barrier of the CTA instead", "st.$sp.u32 [$own], %t; @@ ld.$sp.u32 %x, [$next];", "membar.cta;",
       "bar.sync 0;", 1, true},
      {"volatile instead of a barrier", "st.volatile.$sp.u32 [$own], %t; @@ ld.volatile.$sp.u32 %x, [$next];",
       none, sync, 1, true},
      {"barrier of other lanes",
       "st.$sp.u32 [$own], %t; setp.lt.u32 %p1, %l, 16; @!%p1 bra E; bar.warp.sync 0xffff; and.b32 %r1, %l, "
       "1;\n@@\nE: ",
       "setp.eq.u32 %p2, %l, 15; @%p2 ld.$sp.u32 %x, [$own+4];",
       "setp.eq.u32 %p2, %l, 14; @%p2 ld.$sp.u32 %x, [$own+4];", 1, true},
      {"steps of a sum",
       "st.$sp.u32 [$own], %t; bar.warp.sync -1; setp.lt.u32 %p1, %l, 16; @!%p1 bra E; ld.$sp.u32 %r1, "
       "[$own+64];\n"
       "bar.warp.sync 0xffff; st.$sp.u32 [$own], %r1; @@ setp.lt.u32 %p2, %l, 8; @!%p2 bra E; ld.$sp.u32 %x, "
       "[$own+32];\nE: ",
       none, "bar.warp.sync 0xffff;", 1, true},
      {"divergent branches",
       "setp.lt.u32 %p1, %l, 16; @%p1 bra A; st.$sp.u32 [$own], 1; bra B;\nA: mov.u32 %r1, 0;\nB: @@ @%p1 "
       "ld.$sp.u32 %x, [$own+64];",
       none, sync, 1, true},
      {"bytes of one word, read back",
       "cvt.u64.u32 %d2, %t; add.u64 %d2, %d2, $wbase; st.$sp.u8 [%d2], %t; @@ ld.$sp.u8 %r2, [%d2]; mov.u32 "
       "%x, %r2;",
       "add.u64 %d2, $wbase, 5;", "add.u64 %d2, %d2, 0;", 1, true},
      {"read before a barrier of others",
       "st.$sp.u32 [$own], 1; bar.warp.sync -1; setp.eq.u32 %p1, %l, 0; @%p1 ld.$sp.u32 %r1, [$own+80]; @@ "
       "setp.lt.u32 %p2, %l, 16;\n"
       "@%p2 bra E; bar.warp.sync 0xffff0000; ld.$sp.u32 %x, [$own]; setp.eq.u32 %p3, %l, 20; @%p3 "
       "st.$sp.u32 [$own], 9;\nE: ",
       none, sync, 1, true},
      {"pairs of words",
       "st.$sp.u32 [$own], %t; @@ setp.eq.u32 %p1, %l, 8; @%p1 ld.$sp.v2.u32 {%x, %r2}, [$own];", none, sync,
       1, true},
  };
}

}  // namespace heddle::check_corpus
