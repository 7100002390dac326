// Tests the pass register-banks. It must put registers that are read together into different banks, and
// change nothing else.

#include <gtest/gtest.h>

#include "models/ptx/module.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/control_bits_harness.h"

namespace heddle::compiler {
namespace {

CompilerParameters spread() {
  CompilerParameters parameters = test::with_control_bits(test::ampere_latencies());
  parameters.passes.insert(parameters.passes.begin() + 1, ConfigNode::make_string("register-banks"));
  parameters.max_registers = 255;
  return parameters;
}

// Returns the number of multiply-adds whose second factor and addend lie in one bank.
int conflicts(const isa::Program& program) {
  int count = 0;
  for (const isa::Instruction& i : program.code)
    count += i.op == isa::Opcode::fma && i.src[1].reg.value % 2 == i.src[2].reg.value % 2;
  return count;
}

// Eight consecutive multiply-adds read the same first factor from the reuse cache. Therefore, only reads of
// the second factor and of the addend can conflict.
TEST(RegisterBanks, SpreadTheOperandsOfABlockedProduct) {
  const auto module = ptx::parse_module_file(test::repository_file("configs/launches/register_gemm.ptx"));
  const isa::Program parsed = ptx::lower_kernel(*module, module->kernels().front().mangled);
  CompilerParameters plain = test::with_control_bits(test::ampere_latencies());
  plain.max_registers = 255;
  const isa::Program before = compile(parsed, plain), after = compile(parsed, spread());
  EXPECT_EQ(before.code.size(), after.code.size());
  EXPECT_EQ(before.registers, after.registers);
  EXPECT_GT(conflicts(before), 200);
  EXPECT_LT(2 * conflicts(after), conflicts(before));
}

TEST(RegisterBanks, KeepTheResults) {
  test::expect_same(test::kernel(R"(
    .reg .u32 %a, %b, %c; .reg .u64 %d; .reg .pred %p;
    ld.global.u32 %a, [%in]; mov.u32 %b, 0; mov.u32 %c, 0; mov.u64 %d, 5;
L:  add.u32 %c, %c, %a; mad.lo.u32 %c, %a, %b, %c; mad.wide.u32 %d, %a, %c, %d; add.u32 %b, %b, 1;
    setp.lt.u32 %p, %b, 4; @%p bra L;
    cvt.u32.u64 %a, %d; mad.lo.u32 %c, %c, %b, %a; st.global.u32 [%out], %c;)"),
                    spread());
}

TEST(RegisterBanks, KernelsAreProven) {
  for (const std::string& folder : test::kernel_folders()) {
    SCOPED_TRACE(folder);
    const auto module =
        ptx::parse_module_file(test::repository_file("testbench/kernels/" + folder + "/kernel.ptx"));
    EXPECT_NO_THROW(compile(ptx::lower_kernel(*module, module->kernels().front().mangled), spread()));
  }
}

}  // namespace
}  // namespace heddle::compiler
