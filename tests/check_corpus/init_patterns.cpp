#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> init_patterns() {
  const std::string local = ".local .align 8 .b8 l[64]; mov.u64 %d1, l; ";
  return {
      {"register never written", "@@ add.u32 %x, %r9, 1;", "", "mov.u32 %r9, 4;"},
      {"register written in some lanes", "setp.lt.u32 %p1, %l, @@; @%p1 mov.u32 %r9, 4; add.u32 %x, %r9, 1;",
       "31", "32"},
      {"register written on one path",
       "setp.lt.u32 %p1, %t, 40; @%p1 bra A; mov.u32 %r9, 1; bra B;\nA: @@\nB: mov.u32 %x, %r9;",
       "mov.u32 %r8, 2;", "mov.u32 %r9, 2;"},
      {"high half of a register", "@@ add.u64 %d1, %d9, 1; cvt.u32.u64 %x, %d1;", "mov.u64 %d8, 4;",
       "mov.u64 %d9, 4;"},
      {"predicate never written", "@@ selp.u32 %x, 1, 2, %p5;", "", "setp.eq.u32 %p5, %t, 0;"},
      {"guard never written", "@@ @%p5 mov.u32 %x, 1;", "", "setp.eq.u32 %p5, %t, 0;"},
      {"shared word never written", "@@ ld.shared.u32 %x, [%a];", "", "st.shared.u32 [%a], %t;"},
      {"shared words, half written",
       "setp.lt.u32 %p1, %t, @@; @%p1 st.shared.u32 [%a], %t; bar.sync 0; ld.shared.u32 %x, [%a];", "63",
       "64"},
      {"shared byte of a word", "st.shared.u8 [%a], %t; @@ ld.shared.u32 %x, [%a];",
       "st.shared.u16 [%a+2], %t;", "st.shared.u8 [%a+1], %t; st.shared.u16 [%a+2], %t;"},
      {"shared, second of a pair",
       "st.shared.u32 [%a+512], %t; shl.b32 %r1, %t, 3; add.u32 %r1, %r1, %s;\n"
       "st.shared.@@; ld.shared.v2.u32 {%x, %r2}, [%r1];",
       "u32 [%r1], %t", "v2.u32 [%r1], {%t, %t}"},
      {"atomic on unwritten shared memory", "@@ bar.sync 0; red.shared.add.u32 [%s], 1;", "",
       "setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [%s], 0;"},
      {"local word never written", local + "@@ ld.local.u32 %x, [%d1];", "", "st.local.u32 [%d1], %t;"},
      {"local, another index", local + "st.local.u32 [%d1+@@], %t; ld.local.u32 %x, [%d1+8];", "12", "8"},
      {"local, second half", local + "st.local.@@; ld.local.u64 %d2, [%d1+8]; cvt.u32.u64 %x, %d2;",
       "u32 [%d1+8], %t", "v2.u32 [%d1+8], {%t, %t}"},
      {"local, written in other lanes",
       local + "setp.ne.u32 %p1, %l, @@; @%p1 st.local.u32 [%d1], %t; ld.local.u32 %x, [%d1];", "5", "32"},
      {"local, through a generic address", local + "cvta.local.u64 %d2, %d1; @@ ld.u32 %x, [%d2+4];", "",
       "st.u32 [%d2+4], %t;"},
      {"heap never written", "$malloc(%d1, 64); @@ ld.u32 %x, [%d1];", "", "st.u32 [%d1], %t;"},
      {"heap, another word", "$malloc(%d1, 64); st.u32 [%d1+@@], %t; ld.u32 %x, [%d1+4];", "8", "4"},
      {"heap, second of a pair", "$malloc(%d1, 64); st.@@; ld.v2.u32 {%x, %r2}, [%d1];", "u32 [%d1], %t",
       "v2.u32 [%d1], {%t, %t}"},
      {"heap, old contents of a block",
       "$malloc(%d1, 64); st.u32 [%d1], %t; $free(%d1); $malloc(%d2, 64); @@ ld.u32 %x, [%d2];", "",
       "st.u32 [%d2], %t;"},
      {"matrix rows never written",
       kMatrixRow + std::string("@@ ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x, %r4, %r5, %r6}, [%r1];"),
       "", "st.shared.v4.u32 [%r1], {%t, %t, %t, %t}; bar.warp.sync -1;"},
      {"matrix rows, half written",
       kMatrixRow + std::string("st.shared.@@; bar.warp.sync -1;\n"
                                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%r1];"),
       "v2.u32 [%r1], {%t, %t}", "v4.u32 [%r1], {%t, %t, %t, %t}"},
      {"one matrix written, two read",
       kMatrixRow + std::string("stmatrix.sync.aligned.m8n8.@@; bar.warp.sync -1;\n"
                                "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%x, %r4}, [%r1];"),
       "x1.shared.b16 [%r1], {%t}", "x2.shared.b16 [%r1], {%t, %t}"},
      {"matrix from a register never written",
       kMatrixRow + std::string("@@ stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r9};"), "",
       "mov.u32 %r9, 4;"},
      {"operand of a matrix product",
       "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.u32 %r1, 0; @@\n"
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r9}, {%r1}, {%f0, %f1, "
       "%f2, %f3};",
       "", "mov.u32 %r9, 4;"},
      {"heap, atomic", "$malloc(%d1, 8); @@ red.global.add.u32 [%d1], 1;", "", "st.u32 [%d1], 0;"},
  };
}

}  // namespace heddle::check_corpus
