// Tests features of early PTX: no semicolon after declarations, no parameter lists, no rounding modifiers,
// .ftz as the default of sm_1x, constant banks, registers declared outside of functions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/core/error.h"
#include "models/isa/program.h"
#include "models/ptx/module.h"

namespace heddle::ptx {
namespace {

using Lines = std::vector<std::string>;

Lines old_listing(const std::string& header, const std::string& rest) {
  const auto module = parse_module(header + "\n" + rest, "old.ptx");
  const isa::Program program = lower_kernel(*module, "k");
  Lines lines;
  for (std::size_t i = 0; i + 1 < program.code.size(); ++i) lines.push_back(isa::to_string(program.code[i]));
  return lines;
}

std::string old_complaint(const std::string& header, const std::string& rest) {
  try {
    old_listing(header, rest);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

const std::string kFloats = ".entry k ()\n{ .reg .f32 %f<9>; .reg .f64 %d<9>;\n";

TEST(Dialect, EarlyVersionsImplyPrecision) {
  EXPECT_EQ(
      old_listing(".version 1.3\n.target sm_13",
                  kFloats + "div.f32 %f0,%f1,%f2; rcp.f32 %f0,%f1; sqrt.f64 %d0,%d1; "
                            "ex2.f32 %f0,%f1; rsqrt.f64 %d0,%d1; mad.f64 %d0,%d1,%d2,%d0; exit; }"),
      (Lines{"div.approx.ftz.f32 r0, r1, r2", "rcp.approx.ftz.f32 r0, r1", "sqrt.rn.f64 rd3, rd5",
             "ex2.approx.ftz.f32 r0, r1", "rsqrt.approx.f64 rd3, rd5", "fma.rn.f64 rd3, rd5, rd7, rd3"}));
  EXPECT_NE(old_complaint(".version 1.4\n.target sm_13", kFloats + "div.f32 %f0,%f1,%f2; exit; }")
                .find("no such form of div"),
            std::string::npos);
}

TEST(Dialect, OldTargetsFuseAndFlush) {
  EXPECT_EQ(old_listing(".version 2.3\n.target sm_13",
                        kFloats + "mad.f32 %f0,%f1,%f2,%f0; add.f32 %f0,%f1,%f2; exit; }"),
            (Lines{"fma.rn.ftz.f32 r0, r1, r2, r0", "add.ftz.f32 r0, r1, r2"}));
  EXPECT_NE(old_complaint(".version 2.3\n.target sm_20", kFloats + "mad.f32 %f0,%f1,%f2,%f0; exit; }")
                .find("no such form of mad"),
            std::string::npos);
}

TEST(Dialect, DoublesThatBecomeFloatsAreRefused) {
  const std::string header = ".version 1.4\n.target sm_10, map_f64_to_f32";
  EXPECT_EQ(old_complaint(header, kFloats + "add.f32 %f0,%f1,%f2; exit; }"), "");
  EXPECT_NE(old_complaint(header, kFloats + "add.f64 %d0,%d1,%d2; exit; }")
                .find("not supported yet: doubles computed as floats"),
            std::string::npos);
}

TEST(Dialect, KernelsBefore14DeclareTheirParametersInTheBody) {
  const auto module = parse_module(
      ".version 1.2\n.target sm_13\n.entry k\n{ .reg .u32 $r<3>; .param .u64 p; .param .u32 n;\n"
      "  ld.param.u32 $r1, [n]; exit; }",
      "old.ptx");
  const isa::Program program = lower_kernel(*module, "k");
  ASSERT_EQ(program.parameters.size(), 2u);
  EXPECT_EQ(program.parameters[1].name, "n");
  EXPECT_EQ(program.parameters[1].offset, 8u);
}

TEST(Dialect, DeclarationsNeedNoSemicolon) {
  EXPECT_EQ(
      old_listing(".version 3.1\n.target sm_20",
                  ".extern .func (.param .u32 r) f (.param .u32 a)\n.visible .func (.param .u32 r) f "
                  "(.param .u32 a)\n"
                  "{ ret; }\n.func g ()\n.entry k ()\n{ .reg .u32 %r; mov.u32 %r, 1; exit; }\n.func g ()"),
      (Lines{"mov.u32 r0, 1"}));
  EXPECT_NE(old_complaint(".version 3.1\n.target sm_20", ".func g () 3\n.entry k () { exit; }")
                .find("expected \";\""),
            std::string::npos);
}

TEST(Dialect, ConstantsHaveBanks) {
  EXPECT_EQ(
      old_listing(
          ".version 2.1\n.target sm_20",
          ".const[3] .u32 c[2] = {4, 5};\n.entry k ()\n{ .reg .u32 %r; ld.const[3].u32 %r, [c+4]; exit; }")
          .size(),
      1u);
  EXPECT_NE(old_complaint(".version 2.1\n.target sm_20", ".const[11] .u32 c;\n.entry k () { exit; }")
                .find("no such constant bank"),
            std::string::npos);
}

TEST(Dialect, FunctionsShareRegistersOfTheModule) {
  EXPECT_EQ(old_listing(".version 2.1\n.target sm_20",
                        ".reg .u32 shared<2>;\n.func g ()\n{ mov.u32 shared1, 7; ret; }\n"
                        ".entry k ()\n{ call.uni g, (); add.u32 shared0, shared1, 1; exit; }"),
            (Lines{"mov.u32 r0, 7", "add.u32 r1, r0, 1"}));
}

}  // namespace
}  // namespace heddle::ptx
