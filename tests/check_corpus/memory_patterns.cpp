#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> memory_patterns() {
  return {
      {"heap store at the end", "$malloc(%d1, 64); st.u32 [%d1+@@], %t;", "64", "60"},
      {"heap store far past the end", "$malloc(%d1, 64); st.u32 [%d1+@@], %t;", "200", "0"},
      {"heap load past the end", "$malloc(%d1, 20); st.u32 [%d1+16], %t; ld.u32 %x, [%d1+@@];", "20", "16"},
      {"heap load before the block", "$malloc(%d1, 32); st.u32 [%d1], %t; ld.u32 %x, [%d1+@@];", "-4", "0"},
      {"8 bytes across the end", "$malloc(%d1, @@); st.u64 [%d1+56], %d1;", "60", "64"},
      {"16 bytes across the end", "$malloc(%d1, @@); st.v4.u32 [%d1+16], {%t, %t, %t, %t};", "24", "32"},
      {"one byte past the end", "$malloc(%d1, 7); st.u8 [%d1+@@], %t;", "7", "6"},
      {"atomic past the end", "$malloc(%d1, 8); st.u32 [%d1+4], %t; red.global.add.u32 [%d1+@@], 1;", "8",
       "4"},
      {"loop one too long",
       "$malloc(%d1, 40); mov.u32 %r1, 0;\nL: mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d2, %d1; st.u32 [%d2], "
       "%r1;\n"
       "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, @@; @%p1 bra L;",
       "11", "10"},
      {"index of another size",
       "$malloc(%d1, 256); mul.wide.u32 %d2, %t, @@; add.u64 %d2, %d2, %d1; st.u32 [%d2], %t;", "8", "4"},
      {"store after free", "$malloc(%d1, 64); st.u32 [%d1], %t; @@", "$free(%d1); st.u32 [%d1], %t;",
       "st.u32 [%d1], %t; $free(%d1);"},
      {"load after free", "$malloc(%d1, 64); st.u32 [%d1+8], %t; @@", "$free(%d1); ld.u32 %x, [%d1+8];",
       "ld.u32 %x, [%d1+8]; $free(%d1);"},
      {"atomic after free", "$malloc(%d1, 64); st.u32 [%d1], %t; @@",
       "$free(%d1); red.global.add.u32 [%d1], 1;", "red.global.add.u32 [%d1], 1; $free(%d1);"},
      {"free in one branch",
       "$malloc(%d1, 16); st.u32 [%d1], %t; setp.eq.u32 %p1, %l, 3; @!%p1 bra F; @@\nF: ld.u32 %x, [%d1];",
       "$free(%d1);", "mov.u32 %r1, 1;"},
      {"old pointer to a smaller block",
       "$malloc(%d1, 40); mov.u64 %d3, %d1; $free(%d1); $malloc(%d2, 20); st.u32 [%d2], %t; @@",
       "st.u32 [%d3+36], %t;", "st.u32 [%d2+16], %t;"},
      {"freed twice", "$malloc(%d1, 16); st.u32 [%d1], %t; $free(%d1); @@", "$free(%d1);", "mov.u32 %r1, 1;"},
      {"free of an inner address", "$malloc(%d1, 64); add.u64 %d2, %d1, @@; $free(%d2);", "16", "0"},
      {"buffer, past the end", "setp.eq.u32 %p1, %t, 0; @%p1 st.global.u32 [%data+@@], 5;", "4096", "4092"},
      {"buffer, before the begin", "ld.global.u32 %x, [%in+@@];", "-4", "4"},
      {"shared memory, past the end", "setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [%s+@@], 5;", "1024",
       "1020"},
      {"local memory, past the end", ".local .align 4 .b8 l[64]; mov.u64 %d1, l; st.local.u32 [%d1+@@], %t;",
       "64", "60"},
      {"misaligned", "ld.global.u32 %x, [%in+@@];", "6", "8"},
      {"write to constants", "@@", "mov.u64 %d1, fixed; st.u32 [%d1], %t;",
       "mov.u64 %d1, fixed; ld.u32 %x, [%d1];"},
      {"row of a matrix beyond shared memory",
       kMatrixRow +
           std::string(
               "bar.sync 0; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r1+@@];"),
       "16", "0", 1, false, "init"},
      {"stmatrix beyond shared memory",
       kMatrixRow + std::string("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1+@@], {%t, %t, %t, %t};"), "16",
       "0"},
  };
}

}  // namespace heddle::check_corpus
