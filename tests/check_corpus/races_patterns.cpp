#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> races_patterns() {
  const std::string barrier = "bar.sync 0;", none;
  const std::string first = "setp.eq.u32 %p1, %t, 0; ", last = "setp.eq.u32 %p2, %t, 40; ";
  const std::string flag =
      "setp.eq.u32 %p1, %c, 0; @!%p1 bra READ; setp.eq.u32 %p2, %t, 0; @!%p2 bra E; st.global.u32 "
      "[%data+64], 7; @@\n"
      "st.volatile.global.u32 [%data], 1; bra E;\nREAD: setp.eq.u32 %p2, %t, 0; @!%p2 bra E;\n"
      "W: ld.volatile.global.u32 %r1, [%data]; setp.eq.u32 %p3, %r1, 0; @%p3 bra W; ld.global.u32 %x, "
      "[%data+64];\nE: ";
  const std::string ticket =
      "st.global.u32 [%o+2048], %t; @@ setp.eq.u32 %p1, %t, 0; @!%p1 bra N; atom.global.inc.u32 %r1, "
      "[%data], 100;\n"
      "st.shared.u32 [%s], %r1;\nN: bar.sync 0; ld.shared.u32 %r2, [%s]; setp.ne.u32 %p2, %r2, 2; @%p2 bra "
      "E;\n"
      "mul.wide.u32 %d1, %t, 4; add.u64 %d1, %d1, %out; ld.global.u32 %x, [%d1+2048];\nE: ";
  const std::string fill = "st.shared.v4.u32 [%r1], {%t, %t, %t, %t}; ";
  return {
      {"read after write", "st.$sp.u32 [$own], %t; @@ ld.$sp.u32 %x, [$beside];", none, barrier, 1, true},
      {"write after read",
       "st.$sp.u32 [$own], 1; bar.sync 0; ld.$sp.u32 %x, [$beside]; @@ st.$sp.u32 [$own], %t;", none, barrier,
       1, true},
      {"write after write", "shr.u32 %r1, %t, 5; st.$sp.u32 [$own], %t; @@ st.$sp.u32 [$beside], %t;", none,
       barrier, 1, true},
      {"all read, one writes",
       first + last +
           "@%p1 st.$sp.u32 [$base], 3; bar.sync 0; ld.$sp.u32 %x, [$base]; @@ @%p2 st.$sp.u32 [$base], %t;",
       none, barrier, 1, true},
      {"all read, the last reader writes",
       last + first +
           "@%p1 st.$sp.u32 [$base+8], 3; bar.sync 0; ld.$sp.u32 %x, [$base+8]; add.u32 %r2, %x, 1; @@\n"
           "@%p2 st.$sp.u32 [$base+8], %r2;",
       none, barrier, 1, true},
      {"read in a branch before the write",
       "setp.lt.u32 %p1, %t, 32; st.$sp.u32 [$own], 1; bar.sync 0; @%p1 ld.$sp.u32 %x, [$beside]; ld.$sp.u32 "
       "%r2, [$own]; @@\n"
       "@!%p1 st.$sp.u32 [$own], %t;",
       none, barrier, 1, true},
      {"next round of a loop",
       "mov.u32 %r1, 0;\nL: st.$sp.u32 [$own], %r1; bar.sync 0; ld.$sp.u32 %x, [$beside]; @@ add.u32 %r1, "
       "%r1, 1;\n"
       "setp.lt.u32 %p1, %r1, 3; @%p1 bra L;",
       none, barrier, 1, true},
      {"barrier before instead of between", "@@ ld.$sp.u32 %x, [$beside];",
       "bar.sync 0; st.$sp.u32 [$own], %t;", "st.$sp.u32 [$own], %t; bar.sync 0;", 1, true},
      {"arrives before the write",
       "setp.lt.u32 %p1, %t, 32; @%p1 bra W; bar.sync 1, 64; ld.$sp.u32 %x, [$base]; bra E;\nW: setp.eq.u32 "
       "%p2, %l, 0; @@\nE: ",
       "bar.arrive 1, 64; @%p2 st.$sp.u32 [$base], %t;", "@%p2 st.$sp.u32 [$base], %t; bar.arrive 1, 64;", 1,
       true},
      {"bytes of one word", "add.@@; setp.eq.u32 %p1, %l, 0; @%p1 st.$sp.u8 [%d2], %t;",
       "u64 %d2, %zero, $wide", "u64 %d2, %warp, $wide", 1, true},
      {"pairs that overlap",
       "and.b32 %r1, %t, 32; setp.eq.u32 %p1, %t, 0; @%p1 st.$sp.v2.u32 [$base], {%t, %t}; @@\n"
       "setp.eq.u32 %p2, %t, 32; @%p2 ld.$sp.u32 %x, [$base+4];",
       none, barrier, 1, true},
      {"plain read of an atomic",
       first +
           "@%p1 st.$sp.u32 [$base], 0; bar.sync 0; red.$sp.add.u32 [$base], 1; @@ ld.$sp.u32 %x, [$base];",
       none, barrier, 1, true},
      {"plain write among atomics",
       first + last +
           "@%p1 st.$sp.u32 [$base], 0; bar.sync 0; red.$sp.add.u32 [$base], 1; @@ @%p2 st.$sp.u32 [$base], "
           "9;",
       none, barrier, 1, true},
      {"CTAs write one word",
       "setp.eq.u32 %p1, %t, 0; mul.wide.u32 %d2, %c, @@; add.u64 %d2, %d2, %data;\n"
       "@%p1 st.global.u32 [%d2], 5;",
       "0", "4", 3},
      {"a CTA reads what another writes",
       "setp.eq.u32 %p1, %c, 0; @%p1 st.global.u32 [%e], %t; @!%p1 ld.global.u32 %x, [%e+@@];", "0", "512",
       2},
      {"a CTA writes what all have read",
       "ld.global.u32 %x, [%data+16]; setp.eq.u32 %p1, %g, @@; @%p1 st.global.u32 [%data+16], 8;", "70",
       "999999", 4},
      {"flag without a fence", flag, none, "membar.gl;", 2},
      {"flag with a fence of the CTA", flag, "membar.cta;", "membar.gl;", 2},
      {"flag with a late fence",
       "setp.eq.u32 %p1, %c, 0; @!%p1 bra READ; setp.eq.u32 %p2, %t, 0; @!%p2 bra E; @@ bra E;\n"
       "READ: setp.eq.u32 %p2, %t, 0; @!%p2 bra E;\nW: ld.volatile.global.u32 %r1, [%data]; setp.eq.u32 %p3, "
       "%r1, 0; @%p3 bra W;\n"
       "ld.global.u32 %x, [%data+64];\nE: ",
       "membar.gl; st.global.u32 [%data+64], 7; st.volatile.global.u32 [%data], 1;",
       "st.global.u32 [%data+64], 7; membar.gl; st.volatile.global.u32 [%data], 1;", 2},
      {"last CTA without a fence", ticket, none, "membar.gl; bar.sync 0;", 3, false, "atomics"},
      {"release that is relaxed",
       "setp.eq.u32 %p1, %c, 0; setp.eq.u32 %p2, %t, 0; @!%p2 bra E; @!%p1 bra READ;\n"
       "st.global.u32 [%data+64], 7; st.@@.gpu.global.u32 [%data], 1; bra E;\n"
       "READ: ld.acquire.gpu.global.u32 %r1, [%data]; setp.eq.u32 %p3, %r1, 0; @%p3 bra READ; ld.global.u32 "
       "%x, [%data+64];\nE: ",
       "relaxed", "release", 2},
      {"matrices of rows that the other warp writes",
       kMatrixRow + fill +
           "@@ ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2]; add.u32 %x, "
           "%r3, %r6;",
       none, barrier},
      {"last word of a row of a matrix",
       kMatrixRow + fill +
           "bar.sync 0; setp.lt.u32 %p1, %t, 32; setp.eq.u32 %p2, %t, 40;\n"
           "@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%r1]; @%p2 st.shared.u32 [%s+@@], %t;",
       "124", "128"},
      {"rows that stmatrix writes",
       kMatrixRow + fill +
           "bar.sync 0; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1], {%t, %t, %t, %t}; @@\n"
           "ld.shared.u32 %x, [%r2+12];",
       none, barrier},
      {"stmatrix over rows that the other warp has read",
       kMatrixRow + fill +
           "bar.sync 0; ld.shared.u32 %x, [%r2+8]; @@\n"
           "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r1], {%t, %t};",
       none, barrier},
  };
}

}  // namespace heddle::check_corpus
