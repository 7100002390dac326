// Runs programs in PTX of nvcc on the timed GPU, and compares them with the reference. The programs use
// several PTX files, symbols, addresses in memory, host arithmetic, printf and assert.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "program.h"

namespace heddle::test::programs_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPrograms = "tests/launch/programs/";

std::vector<std::string> run_of(const std::string& launch) {
  return {"run", "--launch", launch, "--gpu", "fermi-gtx480", "--set", "gpu.sms=2", "--out", "out"};
}

template <class T>
std::vector<T> elements(const Folder& folder, const std::string& name, std::size_t count) {
  const std::string bytes = folder.read("out/" + name + ".npy");
  std::vector<T> values(count);
  EXPECT_GE(bytes.size(), count * sizeof(T));
  std::memcpy(values.data(), bytes.data() + bytes.size() - count * sizeof(T), count * sizeof(T));
  return values;
}

std::string launch(const std::string& ptx, const std::string& rest) {
  return "{\"ptx\": " + ptx + ", " + rest + "}";
}
std::string talk_ptx() { return "\"" + source(kPrograms + "talk.ptx") + "\""; }

// Returns a launch of two CTAs of 32 threads each, in which every 16th thread prints. Thread i asserts
// limits[i] > i, where limits[i] is `start` + i. With `start` = 1, no assertion fails.
std::string talk(const std::string& start) {
  return launch(talk_ptx(), R"("values": {"n": 64}, "buffers": {"limits": {"type": "s32", "count": "n",
    "init": {"kind": "range", "start": )" +
                                start + R"(}}}, "steps": [{"kernel": "talk", "grid": 2, "block": 32,
    "args": [{"buffer": "limits"}, {"s32": "n"}]}])");
}

TEST(Programs, PrintInTheOrderOfTheReference) {
  Folder folder;
  folder.write("talk.json", talk("1"));
  const ProgramResult result = run_program(run_of("talk.json"), folder.path());
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string printed =
      "thread 3 of 64:  0.75 early 3298534883328\n"
      "thread 19 of 64:  4.75 early 20890720927744\n"
      "thread 35 of 64:  8.75 early 38482906972160\n"
      "thread 51 of 64: 12.75 late 56075093016576\n";
  EXPECT_EQ(folder.read("out/printf.txt"), printed);
  EXPECT_THAT(result.out, HasSubstr(printed));
  EXPECT_THAT(result.out, HasSubstr("printf (4 elements)"));
}

TEST(Programs, AFailedAssertionIsNamed) {
  Folder folder;
  folder.write("talk.json", talk("\"0 - 1 + 1\""));
  for (const char* check : {"on", "off"}) {
    std::vector<std::string> arguments = run_of("talk.json");
    arguments.insert(arguments.end(), {"--check", check});
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, HasSubstr("kernel talk, CTA "));
    EXPECT_THAT(result.err,
                HasSubstr("CTA (0,0,0), thread (0,0,0): assertion `limits[i] > i' failed (talk.cu:10, in "
                          "void talk(const int *, int))"));
  }
}

TEST(Programs, SeveralFilesSymbolsAddressesAndHostArithmetic) {
  Folder folder;
  folder.write("program.json", launch("[" + talk_ptx() + ", \"" + source(kPrograms + "more.ptx") + "\"]", R"j(
  // weights[i & 3] x data[i] less its mean, which the host computes; then the same with the mean as weight
  "values": {"n": 8, "mean": 0.0, "rounds": 0},
  "buffers": {
    "data": {"type": "f32", "count": "n", "init": {"kind": "range"}},
    "out": {"type": "f32", "count": "n"}, "out2": {"type": "f32", "count": "n"},
    "a": {"type": "f32", "count": 4}, "b": {"type": "f32", "count": 8},
    "table": {"type": "u64", "init": {"kind": "members", "members": [{"buffer": "a"}, {"buffer": "b", "offset_bytes": 16}]}},
    "sums": {"type": "u32", "count": 4}, "total_at_end": {"type": "u32", "count": 1},
    "again": {"type": "u32", "count": 1}
  },
  "symbols": {
    "weights": [{"type": "f32", "values": [1, 2]}, {"type": "f32", "values": [3, 4], "offset_bytes": 8}],
    "node": {"struct": [{"buffer": "data"}, {"s32": "n"}]}
  },
  "steps": [
    {"kernel": "weigh", "grid": 1, "block": 32, "args": [{"buffer": "out"}]},
    {"repeat": "n", "index": "i", "steps": [{"set": "mean", "value": "mean + out[i] / n"}]},
    {"set": "out", "index": "k", "value": "out[k] - mean"},
    {"set": "out", "at": "n - 1", "value": "if(out[0] < 0, sqrt(16), 0)"
},
    {"symbol": "weights", "type": "f32", "values": ["mean", "mean", "mean", "mean"]},
    {"kernel": "weigh", "grid": 1, "block": 32, "args": [{"buffer": "out2"}]},
    {"while": "again", "max": 5, "steps": [
      {"kernel": "rows", "grid": 2, "block": 32, "args": [{"buffer": "table"}, {"s32": 4}]},
      {"set": "rounds", "value": "rounds + 1"},
      {"set": "again", "at": 0, "value": "rounds < 3"}]},
    {"kernel": "harvest", "grid": 1, "block": 4, "args": [{"buffer": "sums"}]},
    {"symbol": "total", "to": "total_at_end"}
  ],
  "outputs": [{"buffer": "out"}, {"buffer": "out2"}, {"buffer": "a"}, {"buffer": "b"}, {"buffer": "sums"},
              {"buffer": "total_at_end"}, {"symbol": "total", "type": "u32"}])j"));
  const ProgramResult result = run_program(run_of("program.json"), folder.path());
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  // data = 0..7 and weights = 1 2 3 4 give the products 0 2 6 12 4 10 18 28, whose mean is 10.
  EXPECT_EQ(elements<float>(folder, "out", 8), (std::vector<float>{-10, -8, -4, 2, -6, 0, 8, 4}));
  EXPECT_EQ(elements<float>(folder, "out2", 8), (std::vector<float>{0, 10, 20, 30, 40, 50, 60, 70}));
  EXPECT_EQ(elements<float>(folder, "a", 4), (std::vector<float>{3, 3, 3, 3}));
  EXPECT_EQ(elements<float>(folder, "b", 8), (std::vector<float>{0, 0, 0, 0, 3, 3, 3, 3}));
  EXPECT_EQ(elements<std::uint32_t>(folder, "sums", 4), (std::vector<std::uint32_t>{16, 17, 18, 19}));
  EXPECT_EQ(elements<std::uint32_t>(folder, "total_at_end", 1), std::vector<std::uint32_t>{16});
  EXPECT_EQ(elements<std::uint32_t>(folder, "total", 1), std::vector<std::uint32_t>{16});
}

// Returns a launch file for a kernel with phases. A phase may begin only when all CTAs have finished the
// previous phase.
std::string phases(int ctas, const char* cooperative) {
  return launch(
      "\"" + source(kPrograms + "phases.ptx") + "\"",
      fmt::format(
          R"("buffers": {{"x": {{"type": "f32", "count": {1}, "init": {{"kind": "range", "start": 0, "step": 1}}}},
                                       "y": {{"type": "f32", "count": {1}}}}},
    "steps": [{{"kernel": "phases", "grid": {0}, "block": 32, {2}"args": [{{"buffer": "x"}}, {{"buffer": "y"}}]}}])",
          ctas, 32 * ctas, cooperative));
}

TEST(Programs, ACooperativeGridWaitsForAllOfIt) {
  Folder folder;
  folder.write("p.json", phases(3, "\"cooperative\": true, "));
  const ProgramResult result = run_program(run_of("p.json"), folder.path());
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  const std::vector<float> x = elements<float>(folder, "x", 96);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], 2 * static_cast<float>(95 - i)) << i;
}

TEST(Programs, ACooperativeGridMustBeResident) {
  Folder folder;
  folder.write("p.json", phases(200, "\"cooperative\": true, "));
  const ProgramResult result = run_program(run_of("p.json"), folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("has 200 CTAs, which must be resident at once (allowed: up to "));
}

TEST(Programs, ABarrierOfTheGridNeedsACooperativeLaunch) {
  Folder folder;
  folder.write("p.json", phases(2, ""));
  const ProgramResult result = run_program(run_of("p.json"), folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("the grid's barrier ends kernels whose launch is not cooperative"));
}

TEST(Programs, APartOfACooperativeGridIsRefused) {
  Folder folder;
  folder.write("p.json", phases(3, "\"cooperative\": true, "));
  std::vector<std::string> arguments = run_of("p.json");
  for (const char* const word : {"--sample-ctas", "2"}) arguments.push_back(word);
  const ProgramResult result = run_program(arguments, folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("a part of the cooperative launch of kernel"));
}

TEST(Programs, AWrongFreeEndsTheRun) {
  const std::string head = R"(.version 7.5
.target sm_75
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 a);
.extern .func free (.param .b64 a);
.visible .entry wrong(.param .u64 x)
{
.reg .b64 %d<4>; .reg .b32 %r<4>;
ld.param.u64 %d1, [x];
call (%d2), malloc, (%d1);
)";
  for (const char* const wrong :
       {"add.u64 %d2, %d2, 16;\ncall free, (%d2);", "call free, (%d2);\ncall free, (%d2);",
        "nop_line: mov.u64 %d2, 64;\ncall free, (%d2);"}) {
    Folder folder;
    folder.write("w.ptx", head + wrong + "\nret;\n}\n");
    folder.write("p.json",
                 launch("\"w.ptx\"",
                        R"("steps": [{"kernel": "wrong", "grid": 1, "block": 1, "args": [{"u64": 40}]}])"));
    const ProgramResult result = run_program(run_of("p.json"), folder.path());
    EXPECT_EQ(result.status, 1) << wrong;
    EXPECT_THAT(result.err, HasSubstr("w.ptx:12:")) << wrong;
    EXPECT_THAT(result.err, HasSubstr("free takes what malloc has given, once")) << wrong;
  }
}

struct Wrong {
  const char* steps;
  const char* message;
};

TEST(Programs, WhatDoesNotFitIsSaid) {
  const Wrong rows[] = {
      {R"([{"set": "n", "value": "limits[0] / 2.0"}])", "trunc(...)"},
      {R"([{"set": "n", "value": "limits[64]"}])", "element 64 of the buffer \"limits\" (allowed: 0..63)"},
      {R"([{"set": "n", "value": "limit[0]"}])",
       "unknown buffer \"limit\", did you mean \"limits\"? (allowed: limits)"},
      {R"([{"set": "m", "value": 1}])", "\"m\" is none of the file's \"values\""},
      {R"([{"set": "limits", "at": 0, "value": "0.5"}])", "the value 0.5 for an element of s32"},
      {R"([{"set": "limits", "at": 0, "index": "i", "value": 1}])", "of one element and of many"},
      {R"([{"set": "n", "value": "limits[0"}])", "\"]\" is missing"},
      {R"([{"symbol": "weights", "type": "f32", "values": [1, 2, 3, 4, 5]}])", "20 bytes at offset 0"},
      {R"([{"symbol": "weight", "type": "f32", "values": [1]}])", "no module-level variable \"weight\""},
      {R"([{"kernel": "talk", "grid": "?", "block": 32, "args": []}])", "is still to be filled in"},
  };
  for (const Wrong& row : rows) {
    Folder folder;
    folder.write(
        "l.json",
        launch(talk_ptx(), R"("values": {"n": 64}, "buffers": {"limits": {"type": "s32", "count": "n"}},
      "steps": )" + std::string(row.steps)));
    const ProgramResult result = run_program({"reference", "l.json"}, folder.path());
    EXPECT_EQ(result.status, 1) << row.steps;
    EXPECT_THAT(result.err, HasSubstr(row.message)) << row.steps;
  }
}

TEST(Programs, DraftIsWrittenOnceAndReadsAfterFilling) {
  Folder folder;
  const ProgramResult first = run_program(
      {"draft", source(kPrograms + "talk.ptx"), "--kernel", "talk", "--out", "talk.json"}, folder.path());
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(run_program({"reference", "talk.json"}, folder.path()).err, HasSubstr("still to be filled in"));
  EXPECT_THAT(run_program({"draft", source(kPrograms + "talk.ptx"), "--kernel", "talk", "--out", "talk.json"},
                          folder.path())
                  .err,
              HasSubstr("this file exists"));
  std::string text = folder.read("talk.json");
  const std::string high = "\"high\": \"?\"";
  ASSERT_THAT(text, HasSubstr(high));
  text.replace(text.find(high), high.size(), "\"high\": 0");
  for (std::size_t at; (at = text.find("\"?\"")) != std::string::npos;) text.replace(at, 3, "1");
  folder.write("talk.json", text);
  const ProgramResult filled = run_program({"reference", "talk.json"}, folder.path());
  EXPECT_THAT(filled.err, HasSubstr("assertion `limits[i] > i' failed"));
}

// Two CTAs take numbers from an atomic counter. CTA 0 first executes a chain of loads. On the timed machine,
// this chain takes longer than all of CTA 1, so the order of the atomics differs from the reference.
TEST(Programs, WhatDependsOnTheOrderOfAtomicsIsNamedWhereItDiffers) {
  Folder folder;
  folder.write("t.ptx", R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry tickets(.param .u64 chain, .param .u64 ticket, .param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<2>;
  ld.param.u64 %d1, [chain]; ld.param.u64 %d2, [ticket]; ld.param.u64 %d3, [out];
  mov.u32 %r1, %ctaid.x; mul.wide.u32 %d4, %r1, 4; add.u64 %d3, %d3, %d4;
  mov.u32 %r2, 0; mov.u32 %r4, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra SECOND;
FIRST:
  mul.wide.u32 %d5, %r4, 4; add.u64 %d5, %d1, %d5; ld.volatile.global.u32 %r4, [%d5];
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20; @%p1 bra FIRST;
  bra TAKE;
SECOND:
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra SECOND;
TAKE:
  atom.global.add.u32 %r3, [%d2], 1; st.global.u32 [%d3], %r3; ret;
}
)");
  folder.write("t.json", R"({"ptx": "t.ptx", "buffers": {"c": {"type": "u32", "count": 1},
    "t": {"type": "u32", "count": 1}, "o": {"type": "u32", "count": 2}},
    "steps": [{"kernel": "tickets", "grid": 2, "block": 1, "args": [{"buffer": "c"}, {"buffer": "t"},
    {"buffer": "o"}]}], "outputs": [{"buffer": "o"}]})");
  const ProgramResult result = run_program(run_of("t.json"), folder.path());
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("the order of atomics decides (the old value is used)"));
  const ProgramResult asked = run_program({"reference", "t.json", "--check", "races,atomics"}, folder.path());
  EXPECT_EQ(asked.status, 3) << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("the order of atomics decides"));
  EXPECT_EQ(run_program({"reference", "t.json", "--check", "memory,init,races,sync"}, folder.path()).status,
            0);
}

TEST(Run, AClockIsWarnedOfWhereNothingIsCompared) {
  const Folder folder;
  folder.write("c.ptx", R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry clocks(.param .u64 out) {
  .reg .b64 %d<2>; .reg .b32 %r<3>;
  ld.param.u64 %d1, [out]; mov.u32 %r1, %clock; add.u32 %r2, %r1, 1; st.global.u32 [%d1], %r2; ret;
}
)");
  folder.write("c.json", R"({"ptx": "c.ptx", "buffers": {"o": {"type": "u32", "count": 1}},
    "steps": [{"kernel": "clocks", "grid": 1, "block": 1, "args": [{"buffer": "o"}]}], "outputs": [{"buffer": "o"}]})");
  const ProgramResult compared = run_program(run_of("c.json"), folder.path());
  EXPECT_EQ(compared.status, 0) << compared.out << compared.err;
  EXPECT_THAT(compared.out + compared.err, Not(HasSubstr("reads the clock")));
  std::vector<std::string> words = run_of("c.json");
  words.insert(words.end(), {"--set", "watch.check=off"});
  const ProgramResult alone = run_program(words, folder.path());
  EXPECT_EQ(alone.status, 0) << alone.out << alone.err;
  EXPECT_THAT(alone.out + alone.err, HasSubstr("kernel clocks reads the clock"));
}

}  // namespace
}  // namespace heddle::test::programs_test
