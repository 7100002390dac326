// Each deliberate fault of a compiler pass must change the output of the compiled kernel.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

// kernel with divergent paths, guarded writes, register pairs, copies whose source changes later, and a loop
constexpr const char* kKernel = R"(
.reg .b32 %r<16>; .reg .b64 %d<4>; .reg .pred %p<12>;
ld.global.u32 %r0, [%in];
ld.global.u32 %r1, [%in+512];
ld.global.u32 %r2, [%in+1024];
ld.global.u32 %r3, [%in+1536];
add.u32 %r4, %r0, 0x1234567;
add.u32 %r5, %r1, %n;
mov.u32 %r6, %r2;
add.u32 %r2, %r2, %r3;
xor.b32 %r7, %r6, %r2;
mov.u32 %r8, 5;
and.b32 %r9, %r0, 1;
setp.eq.u32 %p0, %r9, 1;
@%p0 mov.u32 %r8, %r1;
@!%p0 add.u32 %r7, %r7, %r8;
mov.b64 %d0, {%r0, %r3};
add.s64 %d1, %d0, %d0;
setp.lt.u32 %p1, %r0, %r1;
setp.lt.u32 %p2, %r1, %r2;
setp.lt.u32 %p3, %r2, %r3;
setp.lt.u32 %p4, %r3, %r4;
setp.lt.u32 %p5, %r4, %r5;
setp.lt.u32 %p6, %r5, %r6;
setp.lt.u32 %p7, %r6, %r7;
mov.u32 %r10, 3;
@%p1 bra ELSE;
mul.lo.u32 %r11, %r4, 3;
add.u32 %r12, %r11, %r5;
mov.u32 %r10, 17;
bra JOIN;
ELSE:
sub.u32 %r11, %r5, %r4;
xor.b32 %r12, %r11, %r6;
mov.u32 %r10, %r7;
JOIN:
add.u32 %r12, %r12, %r10;
and.b32 %r13, %r0, 3;
mov.u32 %r14, 0;
LOOP:
add.u32 %r14, %r14, %r12;
xor.b32 %r14, %r14, %r4;
sub.u32 %r13, %r13, 1;
setp.lt.s32 %p8, %r13, 0;
@!%p8 bra LOOP;
mov.b64 {%r3, %r15}, %d1;
st.global.u32 [%out], %r12;
st.global.u32 [%out+512], %r14;
st.global.u32 [%out+1024], %r3;
st.global.u32 [%out+1536], %r15;
st.global.u32 [%out+2048], %r8;
st.global.u32 [%out+2560], %r7;
st.global.u32 [%out+3072], %r5;
st.global.u32 [%out+3584], %r6;
st.global.u32 [%out+4096], %r2;
st.global.u32 [%out+4608], %r1;
selp.u32 %r0, 1, 0, %p2;
@%p3 add.u32 %r0, %r0, 2;
@%p4 add.u32 %r0, %r0, 4;
@%p5 add.u32 %r0, %r0, 8;
@%p6 add.u32 %r0, %r0, 16;
@%p7 add.u32 %r0, %r0, 32;
@%p1 add.u32 %r0, %r0, 64;
st.global.u32 [%out+5120], %r0;
)";

struct Fault {
  const char* name;
  bool before_allocation;
  int registers = 63;
  int predicates = 7;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class SeededFault : public testing::TestWithParam<Fault> {
 protected:
  // A fault that must come before register allocation is inserted by a pass that runs as the first clean-up
  // pass.
  CompilerParameters parameters(bool with_fault) const {
    const Fault& fault = GetParam();
    CompilerParameters result = test::limits(fault.registers, fault.predicates);
    result.verify = false;
    if (!with_fault) return result;
    const ConfigNode pass = ConfigNode::make_string(fault.name);
    result.passes.insert(fault.before_allocation ? result.passes.begin() : result.passes.end(), pass);
    return result;
  }
};

TEST_P(SeededFault, ShowsInTheOutput) {
  const isa::Program parsed = test::kernel(kKernel);
  const auto expected = test::execute(parsed).out;
  EXPECT_EQ(test::execute(compile(parsed, parameters(false))).out, expected);
  const isa::Program broken = compile(parsed, parameters(true));
  try {
    EXPECT_NE(test::execute(broken).out, expected) << test::text_of(broken);
  } catch (const Error&) {
    // If the fault leads to an access out of bounds, the run ends with an error, and the fault counts as
    // found.
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SeededFault,
    testing::Values(Fault{"fault-cut-live-range", false}, Fault{"fault-share-spill-slots", false, 10},
                    Fault{"fault-drop-spill-store", false, 10}, Fault{"fault-drop-spill-load", false, 10},
                    Fault{"fault-unguard-spill-store", false, 9},
                    Fault{"fault-reuse-register-of-a-path", false}, Fault{"fault-swap-pair-halves", false},
                    Fault{"fault-join-interfering-variables", true},
                    Fault{"fault-drop-predicate-store", false, 63, 4},
                    Fault{"fault-propagate-past-write", true}, Fault{"fault-propagate-past-join", true},
                    Fault{"fault-remove-live-instruction", false}, Fault{"fault-kill-by-guarded-write", true},
                    Fault{"fault-invert-guard", false}, Fault{"fault-drop-guard", false},
                    Fault{"fault-truncate-immediate", false}, Fault{"fault-wrong-parameter", false},
                    Fault{"fault-stale-branch-target", false}),
    [](const auto& fault) {
      std::string name = fault.param.name + 6;
      for (char& c : name)
        if (c == '-') c = '_';
      return name;
    });

}  // namespace
}  // namespace heddle::compiler
