// Tests PTX modules: kernel names and headers. An error in a function must be reported only if a kernel uses
// the function.

#include <gtest/gtest.h>

#include <cstring>

#include "models/core/error.h"
#include "models/ptx/module.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

const char* const kNames =
    ".version 8.3\n.target sm_90a, debug\n.address_size 64\n"
    ".visible .entry _Z5scaleIfEvPT_() { ret; }\n"
    ".visible .entry _Z5scaleIdEvPT_() { ret; }\n"
    ".entry _ZN2ns4initEPi() { ret; }\n"
    ".weak .entry _ZN12_GLOBAL__N_14tidyEv() { ret; }\n"
    ".entry plain() { ret; }\n"
    ".visible .entry declared_only();\n";

TEST(Module, ReadsHeaderAndKernels) {
  const auto module = parse_module(kNames, "names.ptx");
  EXPECT_EQ(module->version(), "8.3");
  EXPECT_EQ(module->target(), "sm_90a, debug");
  ASSERT_EQ(module->kernels().size(), 5u);
  EXPECT_EQ(module->kernels()[0].plain, "scale<float>");
  EXPECT_EQ(module->kernels()[2].plain, "ns::init");
  EXPECT_EQ(module->kernels()[3].plain, "(anonymous namespace)::tidy");
  EXPECT_EQ(module->kernels()[4].plain, "plain");
}

// Kernel names that are not mangled must stay unchanged. A C++ demangler would read the names in this test as
// types: unsigned char, float, int*.
TEST(Module, NamesThatAreNotMangledStayAsTheyAre) {
  const auto module = parse_module(
      ".version 7.0\n.target sm_70\n.address_size 64\n.entry h() { ret; }\n.entry f() { ret; }\n.entry Pi() "
      "{ ret; }\n",
      "short.ptx");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(module->kernels()[k].plain, module->kernels()[k].mangled);
  EXPECT_EQ(module->resolve_kernel("h"), "h");
  EXPECT_THROW(module->resolve_kernel("unsigned char"), Error);
}

TEST(Module, FindsKernelsByTheirNames) {
  const auto module = parse_module(kNames, "names.ptx");
  EXPECT_EQ(module->resolve_kernel("_Z5scaleIdEvPT_"), "_Z5scaleIdEvPT_");
  EXPECT_EQ(module->resolve_kernel("scale<double>"), "_Z5scaleIdEvPT_");
  EXPECT_EQ(module->resolve_kernel("void scale<float>(float*)"), "_Z5scaleIfEvPT_");
  EXPECT_EQ(module->resolve_kernel("init"), "_ZN2ns4initEPi");
  EXPECT_EQ(module->resolve_kernel("ns::init"), "_ZN2ns4initEPi");
  EXPECT_EQ(module->resolve_kernel("tidy"), "_ZN12_GLOBAL__N_14tidyEv");
  EXPECT_EQ(module->resolve_kernel("plain"), "plain");
}

TEST(Module, ListsKernelsForUnknownAndAmbiguousNames) {
  const auto module = parse_module(kNames, "names.ptx");
  const auto message = [&](const char* name) -> std::string {
    try {
      return "found " + module->resolve_kernel(name);
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message("scale"),
            "names.ptx: kernel name \"scale\" is ambiguous (allowed: _Z5scaleIfEvPT_ = scale<float>, "
            "_Z5scaleIdEvPT_ = scale<double>)");
  EXPECT_NE(message("none").find("no kernel \"none\" (allowed: _Z5scaleIfEvPT_ = scale<float>"),
            std::string::npos);
  EXPECT_NE(message("declared_only").find("no kernel"), std::string::npos);
}

TEST(Module, LaysOutParametersAndReadsPerformanceDirectives) {
  const auto module = parse_module(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .align 16 .b8 c[20], .param .f64 "
      "d,\n"
      " .param .v2 .f32 e, .param .u16 f)\n"
      ".maxntid 128, 2, 1 .minnctapersm 2 .maxnreg 40 .pragma \"nounroll\"; { ret; }\n"
      ".entry r() .reqntid 32 { ret; }\n",
      "t.ptx");
  const isa::Program k = lower_kernel(*module, "k");
  const std::uint32_t offsets[] = {0, 8, 16, 40, 48, 56};
  const std::uint32_t bytes[] = {1, 8, 20, 8, 8, 2};
  ASSERT_EQ(k.parameters.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(k.parameters[i].offset, offsets[i]) << i;
    EXPECT_EQ(k.parameters[i].bytes, bytes[i]) << i;
  }
  EXPECT_EQ(k.parameters[2].align, 16u);
  EXPECT_EQ(k.parameters[2].type, isa::DataType::b8);
  EXPECT_EQ(k.parameter_bytes, 58u);
  EXPECT_EQ(k.max_threads, 256u);
  EXPECT_EQ(k.required_threads[0], 0u);
  const isa::Program r = lower_kernel(*module, "r");
  EXPECT_EQ(r.max_threads, 32u);
  EXPECT_EQ(r.required_threads[0], 32u);
  EXPECT_EQ(r.required_threads[1], 1u);
}

TEST(Module, ComplainsOnlyAboutWhatTheKernelUses) {
  const auto module = parse_module(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".global .texref image;\n"
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
      ".func bad() { this is no ptx; }\n"
      ".entry good() { ret; }\n"
      ".entry syntax() { add.s32 %r1 %r2; }\n"
      ".entry garbage() { ` $ }\n"
      ".entry unknown() { frobnicate.b32 %r1; }\n"
      ".entry calls_bad() { call bad; ret; }\n"
      ".entry cluster() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n"
      ".entry half(.param .f16 x) { ret; }\n",
      "t.ptx");
  EXPECT_EQ(lower_kernel(*module, "good").code.size(), 1u);
  EXPECT_EQ(lower_kernel(*module, "half").code.size(), 1u);
  for (const char* kernel : {"syntax", "garbage", "unknown", "calls_bad", "cluster"})
    EXPECT_THROW(lower_kernel(*module, kernel), Error) << kernel;
}

// An unclosed comment hides all text after the comment. Therefore, an unclosed comment is an error even in an
// unused function.
TEST(Module, ComplainsOfACommentThatIsNeverClosed) {
  try {
    parse_module(
        ".version 7.0\n.target sm_70\n.address_size 64\n.entry good() { ret; }\n.entry bad() { ret; /* }\n",
        "t.ptx");
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("t.ptx:5:21: a comment that is never closed by */"), 0u) << e.what();
  }
}

TEST(Module, AnUnclosedBodyEndsWhereTheNextFunctionBegins) {
  const auto module = parse_module(
      ".entry a() { .reg .b32 %r<3>; { mov.u32 %r1, 0; ret; }\n.visible .entry b() { ret; }\n.entry c() { "
      "ret;\n",
      "t.ptx");
  EXPECT_EQ(module->kernels().size(), 3u);
  EXPECT_EQ(lower_kernel(*module, "b").code.size(), 1u);
  const auto message = [&](const char* kernel) -> std::string {
    try {
      lower_kernel(*module, kernel);
      return {};
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_NE(message("a").find("t.ptx:1:8: the body of a is never closed"), std::string::npos) << message("a");
  EXPECT_NE(message("c").find("t.ptx:3:8: the body of c is never closed"), std::string::npos) << message("c");
}

TEST(Module, RefusesWhatIsNoModule) {
  const auto message = [](const char* text) -> std::string {
    try {
      parse_module(text, "t.ptx");
      return {};
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message(""), "");
  EXPECT_NE(message("hello").find("t.ptx:1:1: unknown text at the top of the file: \"hello\""),
            std::string::npos);
  EXPECT_NE(message(".address_size 16").find("1:15: unsupported .address_size 16"), std::string::npos);
  EXPECT_NE(message(".entry k() { }\n.entry k() { }").find("2:8: function \"k\" is defined twice"),
            std::string::npos);
  EXPECT_NE(message(".frob x;").find("unknown directive \".frob\""), std::string::npos);
  EXPECT_NE(message(".global .u32;").find("expected the name of a variable"), std::string::npos);
  EXPECT_NE(message(".entry k() .maxntid 0 { }").find("bad number of threads"), std::string::npos);
  EXPECT_THROW(parse_module_file("no/such/file.ptx"), Error);
}

TEST(Module, SkipsDebugSectionsAndMapsLines) {
  const auto module = parse_module(
      ".version 7.0\n.target sm_70, debug\n.address_size 64\n"
      ".entry k() { .reg .b32 %r<3>;\n"
      " .loc 2 17 5\n mov.u32 %r1, 0;\n"
      " .loc 1 9 3, function_name $L__info_string0, inlined_at 2 18 1\n mov.u32 %r2, 0;\n ret; }\n"
      ".file 1 \"dir/a.cu\"\n.file 2 \"dir\" \"b.cu\", 1618, 20\n"
      ".section .debug_abbrev { .b8 1\n$L__info_string0: .b8 2, 0 }\n",
      "t.ptx");
  const isa::Program k = lower_kernel(*module, "k");
  ASSERT_EQ(k.code.size(), 3u);
  EXPECT_EQ(k.files[k.code[0].location.file], "dir/b.cu");
  EXPECT_EQ(k.code[0].location.line, 17u);
  EXPECT_EQ(k.code[0].location.ptx_line, 6u);
  EXPECT_EQ(k.code[0].location.ptx_column, 2u);
  EXPECT_EQ(k.files[k.code[1].location.file], "dir/a.cu");
  EXPECT_EQ(k.code[1].location.line, 9u);
}

TEST(Modules, AWrongNameAmongManyListsTheNearest) {
  std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n";
  for (int k = 0; k < 200; ++k) text += ".entry kernel_" + std::to_string(k) + "() { ret; }\n";
  text += ".entry saxpy() { ret; }\n";
  const auto module = parse_module(text, "t.ptx");
  try {
    module->resolve_kernel("saxyp");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("(allowed: saxpy, "), std::string::npos) << what;
    EXPECT_NE(what.find("and 193 more"), std::string::npos) << what;
  }
}

TEST(Modules, AFolderIsRefusedByName) {
  try {
    parse_module_file("tests");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "tests: is a folder (allowed: a file)");
  }
}

TEST(Modules, NarrowAddressesPutVariablesBelow4GiB) {
  const auto module = parse_module(
      ".version 7.0\n.target sm_50\n.address_size 32\n.global .u32 x = 5;\n.global .u32 p = x;\n"
      ".entry k() { .reg .b32 %r<3>; .reg .pred %q; mov.u32 %r1, x; cvta.global.u32 %r2, %r1;\n"
      "isspacep.global %q, %r2; st.global.u32 [x], %r1; ret; }\n",
      "t.ptx");
  EXPECT_EQ(module->address_bits(), 32);
  ASSERT_EQ(module->variables().size(), 2u);
  EXPECT_LT(module->variables()[1].address, 1ull << 32);
  EXPECT_GE(module->variables()[0].address, 0x1000'0000u);
  std::uint32_t pointer = 0;
  std::memcpy(&pointer, module->variables()[1].initial.data(), 4);
  EXPECT_EQ(pointer, module->variables()[0].address);
  const isa::Program program = lower_kernel(*module, "k");
  EXPECT_EQ(program.code[0].src[0].value, module->variables()[0].address);
  EXPECT_EQ(program.code[2].src[0].bits, 32);
}

}  // namespace
}  // namespace heddle::ptx
