// Tests options of nvcc on heddle-cc's command line. Each option must be applied, ignored, or refused by an
// error that names the option.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test::options {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Options : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_clang()) GTEST_SKIP() << "clang is missing";
    folder_ = new_folder();
    write("own.cu",
          "#include <cmath>\n__global__ void own(float* a) { a[0] = a[1] / a[2] + sqrtf(a[3]) + sinf(a[4]); "
          "}\n");
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::string read(const std::string& name) {
    std::ifstream in(folder_ + "/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string ptx(const std::string& words) {
    const Compilation made = compile(words + " own.cu", folder_);
    EXPECT_EQ(made.status, 0) << words << "\n" << made.text;
    return read("own.ptx");
  }
  void expect_error(const std::string& words, const std::string& text) {
    const Compilation made = compile(words, folder_);
    EXPECT_NE(made.status, 0) << words;
    EXPECT_THAT(made.text, HasSubstr("heddle-cc: " + text));
    EXPECT_EQ(std::count(made.text.begin(), made.text.end(), '\n'), 1) << made.text;
  }
  std::string folder_;
};

TEST_F(Options, MachinesOfNvccAreTakenOrTheNewestBefore) {
  EXPECT_THAT(ptx(""), HasSubstr(".target sm_75"));
  EXPECT_THAT(ptx("-arch=sm_61"), HasSubstr(".target sm_61"));
  EXPECT_THAT(ptx("--gpu-architecture compute_90a"), HasSubstr(".target sm_86"));
  EXPECT_THAT(ptx("-gencode arch=compute_70,code=sm_70"), HasSubstr(".target sm_70"));
  expect_error("-arch=fermi own.cu", "fermi: no machine");
  EXPECT_THAT(ptx("-arch=sm_13"), HasSubstr(".target sm_20"));
}

TEST_F(Options, FastMathematicsIsApproximate) {
  const std::string plain = ptx("-O3 -std=c++14");
  EXPECT_THAT(plain, HasSubstr("div.rn.f32"));
  EXPECT_THAT(plain, HasSubstr("sqrt.rn.f32"));
  EXPECT_THAT(plain, Not(HasSubstr("approx")));
  const std::string fast = ptx("--use_fast_math");
  EXPECT_THAT(fast, HasSubstr("div.approx.ftz.f32"));
  EXPECT_THAT(fast, HasSubstr("sqrt.approx"));
  EXPECT_THAT(fast, HasSubstr("sin.approx"));
  EXPECT_THAT(ptx("-prec-div=false"), HasSubstr("div.full.f32"));
  EXPECT_THAT(ptx("-ftz=true"), HasSubstr("div.rn.ftz.f32"));
  EXPECT_THAT(ptx("-fmad=false"), Not(HasSubstr(".approx")));
  expect_error("-ftz=maybe own.cu", "-ftz=maybe: true or false");
}

TEST_F(Options, WhatIsNotOfTheDeviceIsLeftOut) {
  EXPECT_THAT(ptx("-ptx -Xcompiler -fPIC,-O3 -Xcompiler=-Wall -Xptxas -v --ptxas-options=-v -lcudart "
                  "-L/usr/lib -lm -ccbin g++ -rdc=true "
                  "-maxrregcount=32 -t 4 --expt-relaxed-constexpr -m64 -g -res-usage -cudart static "
                  "-diag-suppress 177"),
              HasSubstr(".entry _Z3ownPf"));
  EXPECT_THAT(ptx("-lineinfo"), HasSubstr(".loc"));
}

TEST_F(Options, WhatOnlyAGpuRunsIsAnError) {
  for (const std::string word : {"-cubin", "-fatbin", "-dlink", "-lib", "-run", "-shared"})
    expect_error(word + " own.cu", word + ": PTX, objects (-c) and programs (-o PROGRAM) are made");
  write("other.o", "");
  expect_error("own.cu other.o", "other.o: nothing is linked where no program is made (-o PROGRAM)");
  expect_error("own.cu -o", "nothing stands behind -o");
  expect_error("gone.cu", "gone.cu: there is no such file");
  expect_error("-O2", "no source");
  expect_error("-m32 own.cu -o own", "-m32: programs have addresses of 64 bits");
}

// With -cuda, heddle-cc writes C++ source with host code and PTX in place of an object file. Some makefiles
// compile such source in a second step.
TEST_F(Options, TranslationsHoldBothCodes) {
  const Compilation made = compile("-cuda own.cu", folder_);
  EXPECT_EQ(made.status, 0) << made.text;
  EXPECT_THAT(read("own.cu.cpp.ii"), HasSubstr("asm(R\"heddle("));
  EXPECT_THAT(read("own.cu.cpp.ii"), HasSubstr("__cudaRegisterFatBinary"));
}

TEST_F(Options, RelocatableObjectsAreObjects) {
  for (const char* const words : {"-dc own.cu -o own.o", "-rdc=true -c own.cu -o own.o"}) {
    const Compilation made = compile(words, folder_);
    EXPECT_EQ(made.status, 0) << made.text;
    EXPECT_THAT(read("own.o"), HasSubstr(".entry _Z3ownPf"));
    EXPECT_THAT(read("own.o"), Not(HasSubstr("__cudaRegisterLinkedBinary")));
  }
}

TEST_F(Options, SeveralSourcesHaveAFileEach) {
  write("second.cu", "__global__ void second(int* a) { a[0] = __popc(a[1]); }\n");
  EXPECT_EQ(compile("own.cu second.cu", folder_).status, 0);
  EXPECT_THAT(read("own.ptx"), HasSubstr("_Z3ownPf"));
  EXPECT_THAT(read("second.ptx"), HasSubstr("popc"));
  expect_error("own.cu second.cu -o both.ptx", "one -o and more than one source: own.cu second.cu");
}

TEST_F(Options, ErrorsStandInTheOwnLines) {
  write("wrong.cu", "__global__ void wrong(int* a) {\n  a[0] = nowhere(a[1]);\n}\n");
  const Compilation made = compile("wrong.cu", folder_);
  EXPECT_NE(made.status, 0);
  EXPECT_THAT(made.text, HasSubstr("wrong.cu:2:10: error: use of undeclared identifier 'nowhere'"));
  EXPECT_THAT(ptx("-m32"), HasSubstr(".address_size 32"));
}

// The compiler must accept a launch that is written with "<< <", and find files next to the source. Errors
// must state the line numbers of the source.
TEST_F(Options, LaunchesMayHaveBlanksInTheirBrackets) {
  write("beside.h", "constexpr int kThreads = 2;\n");
  const std::string source =
      "#include \"beside.h\"\n__global__ void own(int* a) { a[0] = 1; }\nvoid go() { own << < 1, kThreads >> "
      "> (0); }\n";
  write("spaced.cu", source);
  EXPECT_EQ(compile("spaced.cu", folder_).status, 0);
  EXPECT_THAT(read("spaced.ptx"), HasSubstr("_Z3ownPi"));
  write("spaced.cu", source + "int wrong() { return nowhere; }\n");
  EXPECT_THAT(compile("spaced.cu", folder_).text,
              HasSubstr("spaced.cu:4:22: error: use of undeclared identifier 'nowhere'"));
}

// Syntax of nvcc (such as launches) may be in a header of any name, and in a header that this header
// includes.
TEST_F(Options, HeadersMayHoldTheFormsOfNvcc) {
  write("own header.cuh",
        "__global__ void own(unsigned* a) {\n  unsigned lane;\n  asm(\"mov.u32 %0, %laneid;\" : "
        "\"=r\"(lane));\n"
        "  a[lane] = lane;\n}\ninline void go(unsigned* a) { own << <1, 32>> >(a); }\n");
  write("between.h", "#include \"own header.cuh\"\n");
  write("above.cu", "#include \"between.h\"\nvoid run() { go(nullptr); }\n");
  for (const char* const words : {"above.cu -o above.ptx", "-c above.cu"}) {
    const Compilation made = compile(words, folder_);
    EXPECT_EQ(made.status, 0) << made.text;
  }
  EXPECT_THAT(read("above.ptx"), HasSubstr(", %laneid;"));
  write("above.cu", "#include \"between.h\"\nint wrong() { return nowhere; }\n");
  EXPECT_THAT(compile("above.cu", folder_).text,
              HasSubstr("above.cu:2:22: error: use of undeclared identifier 'nowhere'"));
}

// Text that looks like a launch must stay unchanged in literals, in comments and in strings of macros. A real
// launch in a macro must be translated.
TEST_F(Options, TextIsNotRewritten) {
  write("text.cu",
        "#define TEXT(x) #x\n#define GO own << <1, 1>> >\n// a << < b\n__global__ void own(int* a) { a[0] = "
        "1; }\n"
        "const char* go() { GO(0); return TEXT(macro << < b); }\nconst char* plain = \"\\\" plain << < b >> "
        "> c\";\n"
        "const char* raw = R\"x(raw << < \"b\n >> > c)x\";\nint number = 1'000;\n");
  const Compilation made = compile("-c text.cu", folder_);
  EXPECT_EQ(made.status, 0) << made.text;
  for (const char* const text : {"macro << < b", "plain << < b >> > c", "raw << < \"b\n >> > c"})
    EXPECT_THAT(read("text.o"), HasSubstr(text));
}

TEST_F(Options, SpecialRegistersOfAsmMayHaveOnePercentSign) {
  write(
      "lane.cu",
      "__global__ void own(unsigned* a) {\n  asm volatile(\"{ .reg .u32 t; mov.u32 t, %laneid; }\");\n"
      "  asm volatile(\"{ .reg .u32 u; \"\n    \"mov.u32 u, %tid.x; }\" ::: \"memory\");\n  unsigned x, y;\n"
      "  asm(\"mov.u32 %0, %warpid;\" : \"=r\"(x));\n  asm(\"mov.u32 %0, %%smid;\" : \"=r\"(y));\n  a[0] = x "
      "+ y;\n}\n");
  const Compilation made = compile("lane.cu", folder_);
  EXPECT_EQ(made.status, 0) << made.text;
  for (const char* const text : {"t, %laneid;", "u, %tid.x;", ", %warpid;", ", %smid;"})
    EXPECT_THAT(read("lane.ptx"), HasSubstr(text));
}

TEST_F(Options, OwnOverloadsOfShufflesStandBesideOurs) {
  write("shuffles.cu",
        "__device__ double __shfl_down(double v, unsigned, int = 32) { return v * 3; }\n"
        "__device__ float __shfl_sync(unsigned, float v, int, int = 32) { return v * 3; }\n"
        "__global__ void own(double* a, float* b) { a[0] = __shfl_down(a[0], 1u); b[0] = __shfl_sync(~0u, "
        "b[0], 1); }\n"
        "__global__ void ours(short* c) { c[0] = __shfl_xor_sync(~0u, c[0], 1); }\n");
  const Compilation made = compile("shuffles.cu", folder_);
  EXPECT_EQ(made.status, 0) << made.text;
  EXPECT_THAT(read("shuffles.ptx"), HasSubstr("shfl.sync.bfly"));
  EXPECT_THAT(read("shuffles.ptx"), Not(HasSubstr("shfl.sync.down")));
  EXPECT_THAT(read("shuffles.ptx"), Not(HasSubstr("shfl.sync.idx")));
}

TEST_F(Options, HostOptionsAreSplitAtBlanksAndCommas) {
  write("host.cu",
        "#ifndef __CUDA_ARCH__\n#if OWN_A != 1 || OWN_B != 2\n#error\n#endif\n"
        "const char* text = OWN_C;\n#endif\n");
  const Compilation made =
      compile(R"(-c -Xcompiler "-DOWN_A=1 -DOWN_B=2,-O2" -Xcompiler '-DOWN_C=\"x\,y\"' host.cu)", folder_);
  EXPECT_EQ(made.status, 0) << made.text;
  EXPECT_THAT(read("host.o"), HasSubstr("x,y"));
}

TEST_F(Options, OptionsAreReadFromFiles) {
  write("one.rsp", "-arch=sm_61\n  own.cu");
  write("two.rsp", "-o 'a b.ptx'\n");
  for (const char* const words : {"--options-file one.rsp,two.rsp", "-optf one.rsp -optf=two.rsp"}) {
    std::filesystem::remove(folder_ + "/a b.ptx");
    EXPECT_EQ(compile(words, folder_).status, 0) << words;
    EXPECT_THAT(read("a b.ptx"), HasSubstr(".target sm_61"));
  }
  write("open.rsp", "-o \"a");
  write("itself.rsp", "-optf itself.rsp");
  expect_error("-optf gone.rsp", "gone.rsp: there is no such file of options");
  expect_error("-optf open.rsp", "open.rsp: a quote has no end");
  expect_error("-optf itself.rsp", "itself.rsp: more than 100 files of options");
}

// An object is made of the last name only, which has the characters of all others. HEDDLE_FULL makes objects of
// all names.
TEST_F(Options, SourcesMayHaveAnyName) {
  const std::string all = "-x it's \"a b\"";
  for (const std::string& name :
       {std::string("-x"), std::string("a b"), std::string("it's"), std::string("\"quoted\""), all}) {
    write(name + ".cu", "__global__ void own(int* a) { a[0] = 1; }\nvoid go() { own << <1, 1>> >(0); }\n");
    std::string quoted = name + ".cu";
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4)
      quoted.replace(at, 1, "'\\''");
    const bool object = name == all || std::getenv("HEDDLE_FULL");
    for (const std::string& options :
         object ? std::vector<std::string>{"", "-c "} : std::vector<std::string>{""}) {
      const Compilation made = compile(options + "-- '" + quoted + "'", folder_);
      EXPECT_EQ(made.status, 0) << made.text;
    }
    EXPECT_THAT(read(name + ".ptx"), HasSubstr("_Z3ownPi"));
    if (object) EXPECT_THAT(read(name + ".o"), HasSubstr("_Z3ownPi"));
  }
}

}  // namespace
}  // namespace heddle::device_test::options
