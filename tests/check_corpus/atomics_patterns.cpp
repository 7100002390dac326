#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {

std::vector<Pattern> atomics_patterns() {
  const std::string start =
      "setp.eq.u32 %p1, %t, 0; @%p1 st.$sp.u32 [$base], 0; st.$sp.u32 [$own+256], 0; bar.sync 0; ";
  const std::string zero = "mov.u32 %r9, 0; ";
  return {
      {"old value of add", start + "atom.$sp.add.u32 @@, [$base], 1;", "%x", "%r5", 1, true},
      {"old value of inc", start + "atom.$sp.inc.u32 @@, [$base], 1000;", "%x", "%r5", 1, true},
      {"old value of max", start + "atom.$sp.max.u32 @@, [$base], %t;", "%x", "%r5", 1, true},
      {"old value of or", start + "atom.$sp.or.b32 @@, [$base], 4;", "%x", "%r5", 1, true},
      {"old value, of a warp of its own", start + "atom.$sp.add.u32 %x, [@@], 1;", "$base", "$own+256", 1,
       true},
      {"exchange", start + "atom.$sp.exch.b32 %r5, [@@], %t;", "$base", "$own+256", 1, true},
      {"compare and swap", start + "atom.$sp.cas.b32 %r5, [@@], 0, %t;", "$base", "$own+256", 1, true},
      {"sums of floats", start + "cvt.rn.f32.u32 %f1, %t; @@;", "red.$sp.add.f32 [$base], %f1",
       "red.$sp.add.u32 [$base], %t", 1, true},
      {"add and max",
       start + "setp.lt.u32 %p2, %t, 32; @%p2 red.$sp.add.u32 [$base], 3; @!%p2 red.$sp.@@.u32 [$base], 4;",
       "max", "add", 1, true},
      {"and after or",
       start + "setp.lt.u32 %p2, %t, 32; @%p2 red.$sp.or.b32 [$base], 3; @!%p2 red.$sp.@@.b32 [$base], 4;",
       "and", "or", 1, true},
      {"barrier between exchanges",
       start + "setp.eq.u32 %p3, %t, 1; setp.eq.u32 %p4, %t, 33; @%p3 atom.$sp.exch.b32 %r5, [$base], 4; @@\n"
               "@%p4 atom.$sp.exch.b32 %r6, [$base], 5;",
       "", "bar.sync 0;", 1, true},
      {"old value among CTAs", "atom.global.add.u32 @@, [%data], 1;", "%x", "%r5", 3},
      {"doubles among CTAs", "mov.f64 %h1, 0d3FF0000000000000; red.global.add.@@;", "f64 [%data], %h1",
       "u64 [%data], 1", 2},
      {"exchange among CTAs",
       "setp.eq.u32 %p1, %t, 0; mul.wide.u32 %d1, %c, @@; add.u64 %d1, %d1, %data;\n"
       "@%p1 atom.global.exch.b32 %r5, [%d1], %c;",
       "0", "4", 2},
  };
}

}  // namespace heddle::check_corpus
