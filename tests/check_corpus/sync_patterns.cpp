#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> sync_patterns() {
  const std::string part = "setp.lt.u32 %p1, %l, @@; ";
  return {
      {"barrier in both branches",
       "setp.lt.u32 %p1, %t, @@; @%p1 bra A; bar.sync 0; bra B;\nA: bar.sync 0;\nB: mov.u32 %x, 1;", "16",
       "64"},
      {"guarded barrier", part + "@%p1 bar.sync 0; mov.u32 %x, 1;", "20", "32"},
      {"barrier in a condition", part + "@!%p1 bra E; bar.sync 0;\nE: mov.u32 %x, 1;", "7", "32"},
      {"barrier in a condition, another after it",
       part + "@!%p1 bra E; mov.u32 %r1, 1; bar.sync 0; mov.u32 %r1, 2;\nE: bar.sync 0;", "7", "32"},
      {"loop with rounds by lane",
       "mov.u32 %r1, 0; @@\nL: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; "
       "bar.sync 0;",
       "and.b32 %r2, %t, 3;", "mov.u32 %r2, 3;"},
      {"early return that does not return",
       "st.shared.u32 [%a], %t; setp.ge.u32 %p1, %t, 50; @%p1 bra @@; bar.sync 0; xor.b32 %r1, %t, 1; "
       "shl.b32 %r1, %r1, 2;\n"
       "add.u32 %r1, %r1, %s; ld.shared.u32 %x, [%r1];\nM: bar.sync 0;\nE: ",
       "M", "E"},
      {"barrier of too many threads", "bar.sync 1, @@;", "96", "64"},
      {"arrival that nobody awaits",
       "setp.lt.u32 %p1, %t, 32; @%p1 bra A; @@ bra B;\nA: bar.arrive 1, 64;\nB: mov.u32 %x, 1;",
       "mov.u32 %r1, 1;", "bar.sync 1, 64;"},
      {"number of another barrier",
       "setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 1, 64; bra B;\nA: bar.sync @@, 64;\nB: mov.u32 %x, 1;",
       "2", "1"},
      {"shfl.idx from an absent lane",
       "setp.lt.u32 %p1, %l, 8; @!%p1 bra E; shfl.sync.idx.b32 %x, %t, @@, 31, 0xff;\nE: ", "20", "3"},
      {"shfl.down from absent lanes",
       "setp.lt.u32 %p1, %l, 16; @!%p1 bra E; shfl.sync.down.b32 %x, %t, @@, 31, 0xffff;\nE: ", "4", "0"},
      {"shfl.up from absent lanes",
       "setp.ge.u32 %p1, %l, 16; @!%p1 bra E; shfl.sync.up.b32 %x, %t, @@, 0, 0xffff0000;\nE: ", "4", "0"},
      {"shfl.bfly with absent lanes",
       "setp.lt.u32 %p1, %l, 16; @!%p1 bra E; shfl.sync.bfly.b32 %x, %t, @@, 31, 0xffff;\nE: ", "16", "8"},
      {"shfl without sync from an absent lane",
       "setp.lt.u32 %p1, %l, 8; @!%p1 bra E; shfl.sync.idx.b32 %x, %t, @@, 31, 0xff;\nE: ", "8", "7"},
      {"sum of a part of a warp",
       "setp.lt.u32 %p1, %l, 8; @!%p1 bra E; shfl.sync.down.b32 %r1, %t, 4, 31, 0xff; add.u32 %r3, %l, 4; "
       "add.u32 %r2, %t, %r1;\n"
       "setp.lt.u32 %p2, %r3, @@; selp.u32 %x, %r2, %t, %p2;\nE: ",
       "12", "8"},
      {"sum of which one lane is stored",
       "setp.lt.u32 %p1, %l, 8; @!%p1 bra E; mov.u32 %r2, %t; shfl.sync.down.b32 %r1, %r2, @@, 31, 0xff; "
       "add.u32 %r2, %r2, %r1;\n"
       "shfl.sync.down.b32 %r1, %r2, 2, 31, 0xff; add.u32 %r2, %r2, %r1; shfl.sync.down.b32 %r1, %r2, 1, 31, "
       "0xff; add.u32 %r2, %r2, %r1;\n"
       "setp.eq.u32 %p2, %l, 0; @%p2 mov.u32 %x, %r2;\nE: ",
       "6", "4"},
      {"guarded sum of a part of a warp",
       "setp.lt.u32 %p1, %l, 8; @!%p1 bra E; shfl.sync.down.b32 %r1, %t, 4, 31, 0xff; add.u32 %r3, %l, 4; "
       "mov.u32 %x, %t;\n"
       "setp.lt.u32 %p2, %r3, @@; @%p2 add.u32 %x, %x, %r1;\nE: ",
       "12", "8"},
      {"member mask 0", "shfl.sync.idx.b32 %x, %t, %l, 31, @@;", "0", "-1"},
      {"member mask without the lane", "vote.sync.ballot.b32 %x, 1, @@;", "0x7fffffff", "0xffffffff"},
      {"member mask with absent lanes",
       "setp.lt.u32 %p1, %l, 16; @!%p1 bra E; shfl.sync.idx.b32 %x, %t, 1, 31, @@;\nE: add.u32 %x, %x, 1;",
       "-1", "0xffff"},
      {"vote of absent lanes",
       "setp.lt.u32 %p1, %l, 16; @!%p1 bra E; vote.sync.ballot.b32 %x, 1, @@;\nE: add.u32 %x, %x, 1;", "-1",
       "0xffff"},
      {"match of absent lanes",
       "setp.lt.u32 %p1, %l, 16; @!%p1 bra E; match.any.sync.b32 %x, %t, @@;\nE: add.u32 %x, %x, 1;", "-1",
       "0xffff"},
      {"guarded vote", "setp.lt.u32 %p1, %l, 16; @%p1 vote.sync.ballot.b32 %x, 1, @@;", "-1", "0xffff"},
      {"bar.warp.sync without the lane", "bar.warp.sync @@;", "0xffff", "-1"},
      {"brx past its targets",
       "mov.u32 %r1, @@;\nT: .branchtargets A, B;\nbrx.idx %r1, T;\nA: mov.u32 %x, 1;\nB: ", "2", "1"},
      {"brx far past its targets, in one lane",
       "setp.eq.u32 %p1, %t, 33; selp.u32 %r1, @@, 0, %p1;\nT: .branchtargets A, B, C;\nbrx.idx %r1, T;\nA: "
       "mov.u32 %x, 1; bra C;\n"
       "B: mov.u32 %x, 2;\nC: ",
       "0xffffffff", "2"},
      {"brx with one target", "mov.u32 %r1, @@;\nT: .branchtargets A;\nbrx.idx %r1, T;\nA: ", "1", "0"},
      {"ldmatrix in some lanes of a warp",
       kMatrixRow +
           std::string("st.shared.v4.u32 [%r1], {%t, %t, %t, %t}; bar.sync 0; setp.lt.u32 %p1, %l, @@;\n"
                       "@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%r1];"),
       "16", "32"},
  };
}

}  // namespace heddle::check_corpus
