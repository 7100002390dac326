// Random functions call each other and themselves, by name and through tables. The test compares the results
// of these functions with the results of C++ code that makes the same calls. The test covers divergent lanes,
// stack frames, arguments and results. The calls are either lowered to machine instructions, or kept as calls
// for the untimed reference.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/kept_calls.h"
#include "models/ptx/module.h"
#include "testbench/launch/reference_executor.h"
#include "tests/support/dice.h"

namespace heddle::launch::calls_test {
namespace {

constexpr std::size_t kTable = 4;
constexpr std::uint32_t kThreads = 96;

struct Site {
  std::uint32_t guard = 0;
  bool indirect = false;
  /// direct call: number of the called function; indirect call: number n of a bit. Bits n and n + 1 of the
  /// calling function's current value x (evaluate()) select an entry of the table of functions.
  std::uint32_t select = 0;
  std::uint32_t add = 0;
  std::uint32_t rotate = 0;
};
struct Function {
  std::uint32_t multiply = 1, add = 0;
  std::vector<Site> sites;
};
struct Library {
  std::vector<Function> functions;
  std::array<std::size_t, kTable> table{};
};

std::uint32_t any(fuzz::Dice& dice) { return static_cast<std::uint32_t>(dice.next()); }

Library random_library(fuzz::Dice& dice) {
  Library library;
  library.functions.resize(static_cast<std::size_t>(dice.between(3, 5)));
  const int count = static_cast<int>(library.functions.size());
  for (std::size_t& entry : library.table) entry = static_cast<std::size_t>(dice.pick(count));
  for (Function& f : library.functions) {
    f.multiply = any(dice) | 1;
    f.add = any(dice);
    for (int n = dice.between(0, 2); n > 0; --n) {
      const bool indirect = dice.chance(50);
      f.sites.push_back({static_cast<std::uint32_t>(dice.pick(32)), indirect,
                         static_cast<std::uint32_t>(indirect ? dice.pick(31) : dice.pick(count)), any(dice),
                         static_cast<std::uint32_t>(dice.between(1, 31))});
    }
  }
  return library;
}

std::uint32_t evaluate(const Library& library, std::size_t function, std::uint32_t a, std::uint32_t depth) {
  const Function& f = library.functions[function];
  std::uint32_t x = a * f.multiply + f.add;
  const std::uint32_t kept = x ^ depth;
  for (const Site& s : f.sites) {
    if (depth == 0 || ((x >> s.guard) & 1u) == 0) continue;
    const std::size_t callee = s.indirect ? library.table[(x >> s.select) & 3u] : s.select;
    const std::uint32_t result = evaluate(library, callee, x + s.add, depth - 1);
    x = ((x << s.rotate) | (x >> (32 - s.rotate))) ^ result;
  }
  return x + kept;
}

std::string body_of(const Library& library, std::size_t number) {
  const Function& f = library.functions[number];
  std::string text = fmt::format(
      ".func (.param .b32 r) f{}(.param .b32 a, .param .b32 d)\n{{\n.reg .b32 %x, %a, %d, %y, %z, %k; .reg "
      ".b64 %p, %q; "
      ".reg .pred %g, %h;\n.local .align 4 .b8 kept[4];\n"
      "ld.param.b32 %a, [a]; ld.param.b32 %d, [d];\nmad.lo.u32 %x, %a, {}, {};\nxor.b32 %k, %x, %d;\n"
      "st.local.b32 [kept], %k;\nsetp.ne.u32 %h, %d, 0;\n",
      number, f.multiply, f.add);
  int label = 0;
  for (const Site& s : f.sites) {
    text += fmt::format(
        "bfe.u32 %y, %x, {}, 1;\nsetp.eq.and.u32 %g, %y, 1, %h;\n@!%g bra L{};\nadd.u32 %y, %x, {};\n"
        "sub.u32 %z, %d, 1;\n",
        s.guard, label, s.add);
    std::string callee = fmt::format("f{}", s.select), list;
    if (s.indirect) {
      text += fmt::format(
          "bfe.u32 %k, %x, {}, 2;\nmov.u64 %q, table;\nmad.wide.u32 %q, %k, 8, %q;\nld.global.u64 %p, [%q];\n"
          "P{}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n",
          s.select, label);
      callee = "%p";
      list = fmt::format(", P{}", label);
    }
    text += fmt::format(
        "{{\n.param .b32 x; .param .b32 y; .param .b32 z;\nst.param.b32 [x], %y; st.param.b32 [y], %z;\n"
        "call (z), {}, (x, y){};\nld.param.b32 %y, [z];\n}}\nshf.l.wrap.b32 %x, %x, %x, {};\nxor.b32 %x, %x, "
        "%y;\nL{}:\n",
        callee, list, s.rotate, label);
    ++label;
  }
  return text + "ld.local.b32 %k, [kept];\nadd.u32 %x, %x, %k;\nst.param.b32 [r], %x;\nret;\n}\n";
}

std::string ptx_of(const Library& library) {
  std::string text = ".version 7.5\n.target sm_75\n.address_size 64\n";
  for (std::size_t f = 0; f < library.functions.size(); ++f)
    text += fmt::format(".func (.param .b32 r) f{}(.param .b32 a, .param .b32 d);\n", f);
  text += ".visible .global .align 8 .u64 table[4] = {";
  for (std::size_t i = 0; i < kTable; ++i) text += fmt::format("{}f{}", i ? ", " : "", library.table[i]);
  text += "};\n";
  for (std::size_t f = 0; f < library.functions.size(); ++f) text += body_of(library, f);
  return text + R"(.visible .entry k(.param .u64 out, .param .u32 depth)
{
.reg .b32 %t, %d, %x; .reg .b64 %o;
ld.param.u64 %o, [out]; ld.param.u32 %d, [depth];
mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 4, %o;
ld.global.u32 %x, [%o];
call (%x), f0, (%x, %d);
st.global.u32 [%o], %x;
ret;
}
)";
}

bool has_kept_calls(const isa::Program& program) {
  return std::any_of(program.code.begin(), program.code.end(), isa::is_kept_call);
}

TEST(RandomCalls, ReturnWhatTheSameCallsOfCppReturn) {
  constexpr std::uint32_t kDepth = 4;
  std::uint64_t frames = 0;
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    fuzz::Dice dice(seed);
    const Library library = random_library(dice);
    const auto module = ptx::parse_module(ptx_of(library), "k.ptx");
    const LaunchFile file = read_launch_text(fmt::format(R"({{"ptx": "k.ptx", "stack_bytes": 4096,
          "buffers": {{"o": {{"type": "u32", "count": {0}, "init": {{"kind": "uniform", "low": 0, "high": 4294967295, "seed": {1}}}}}}},
          "steps": [{{"kernel": "k", "grid": 1, "block": {0}, "args": [{{"buffer": "o"}}, {{"u32": {2}}}]}}]}})",
                                                         kThreads, seed, kDepth),
                                             "k.json");
    for (const bool keeps : {false, true}) {
      PtxPrograms programs(module);
      if (keeps) programs.keep_calls();
      MemoryImage memory;
      LaunchRun run(file, programs, memory);
      run.prepare();
      const auto words = [&run] {
        const BufferView view = run.buffer("o");
        std::vector<std::uint32_t> values(view.count());
        std::memcpy(values.data(), view.data.data(), view.data.size());
        return values;
      };
      std::vector<std::uint32_t> expected = words();
      for (std::uint32_t& value : expected) value = evaluate(library, 0, value, kDepth);
      ReferenceExecutor executor;
      run.run(executor);
      EXPECT_EQ(words(), expected) << "seed " << seed << (keeps ? ", calls kept" : "");
      frames += executor.total().local_accesses;
      if (keeps) kept += has_kept_calls(*programs.program("k"));
    }
  }
  EXPECT_GT(frames, 10'000u);
  EXPECT_GT(kept, 30);
}

std::vector<std::uint32_t> results_of(const std::string& ptx, const std::string& launch, bool keeps) {
  PtxPrograms programs(ptx::parse_module(ptx, "k.ptx"));
  if (keeps) programs.keep_calls();
  MemoryImage memory;
  const LaunchFile file = read_launch_text(launch, "k.json");
  LaunchRun run(file, programs, memory);
  run.prepare();
  ReferenceExecutor executor;
  run.run(executor);
  EXPECT_EQ(has_kept_calls(*programs.program("k")), keeps);
  const BufferView view = run.buffer("o");
  std::vector<std::uint32_t> values(view.count());
  std::memcpy(values.data(), view.data.data(), view.data.size());
  return values;
}

// a recursive function even(n, flip), whose result and parameter `flip` are predicates
const char* const kEven = R"(.version 7.5
.target sm_75
.address_size 64
.func (.reg .pred r) even(.reg .b32 n, .reg .pred flip)
{
.reg .b32 %m; .reg .pred %q;
setp.eq.u32 %q, n, 0;
@%q bra END;
sub.u32 %m, n, 1;
call (%q), even, (%m, !flip);
not.pred r, %q;
ret;
END:
xor.pred r, %q, flip;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .b32 %t, %x; .reg .b64 %o; .reg .pred %p, %f;
ld.param.u64 %o, [out];
mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 4, %o;
setp.gt.u32 %f, %t, 20;
and.b32 %x, %t, 7;
call (%p), even, (%x, %f);
selp.u32 %x, 1, 0, %p;
call (%f), even, (3, 1);
@%f add.u32 %x, %x, 2;
st.global.u32 [%o], %x;
ret;
}
)";

bool even(std::uint32_t n, bool flip) { return n == 0 ? !flip : !even(n - 1, !flip); }

TEST(Calls, PredicatesPassToFunctionsThatCallThemselves) {
  for (const bool keeps : {false, true}) {
    const auto found = results_of(kEven,
                                  R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 32}},
          "steps": [{"kernel": "k", "grid": 1, "block": 32, "args": [{"buffer": "o"}]}]})",
                                  keeps);
    for (std::uint32_t t = 0; t < found.size(); ++t)
      EXPECT_EQ(found[t], (even(t & 7u, t > 20) ? 1u : 0u) + (even(3, true) ? 2u : 0u)) << t << keeps;
  }
}

TEST(Calls, FaultsAreSaidAlikeWhereCallsAreKept) {
  const std::string head = ".version 7.5\n.target sm_75\n.address_size 64\n";
  const std::string deep = head + R"(.func (.param .b32 r) deep(.param .b32 n)
{
.reg .b32 %n;
ld.param.b32 %n, [n];
call (%n), deep, (%n);
st.param.b32 [r], %n;
ret;
}
.visible .entry k(.param .u64 out) { .reg .b32 %n; call (%n), deep, (1); ret; }
)";
  const std::string wrong = head + R"(.func one() { ret; }
.func two() { ret; }
.visible .global .u64 table[2] = {one, two};
.visible .entry k(.param .u64 out)
{
.reg .b64 %f;
mov.u64 %f, 12;
P: .callprototype _ ();
call %f, P;
ret;
}
)";
  for (const auto& [text, said] :
       {std::pair{deep,
                  "the stack of 1024 bytes a thread is too small for the call of deep (k.ptx:8, in deep)"},
        std::pair{wrong,
                  "a call through a pointer that is of none of 2 functions with these parameters (k.ptx:"}})
    for (const bool keeps : {false, true}) {
      std::string failure;
      try {
        results_of(text,
                   R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 1}},
          "steps": [{"kernel": "k", "grid": 1, "block": 32, "args": [{"buffer": "o"}]}]})",
                   keeps);
      } catch (const std::exception& error) {
        failure = error.what();
      }
      EXPECT_NE(failure.find(said), std::string::npos) << failure << keeps;
    }
}

std::uint32_t tree(std::uint32_t n) { return n < 2 ? n + 1 : tree(n - 1) + 3 * tree(n - 2); }

// The lanes of a warp call a recursive function from several positions. They must reconverge after each call,
// so that complete warps arrive at barriers.
TEST(Calls, LanesMeetBehindCallsOfFunctionsWithFrames) {
  std::string body;
  for (int place = 0; place < 3; ++place)
    body += fmt::format(
        "and.b32 %y, %t, {0};\nsetp.eq.u32 %p, %y, 0;\n@%p bra L{0};\nand.b32 %y, %x, 7;\n"
        "call (%x), tree, (%y);\nL{0}:\nst.shared.b32 [%a], %x;\nbar.sync 0;\nld.shared.b32 %y, [%b];\n"
        "bar.sync 0;\nmad.lo.u32 %x, %y, 5, %x;\n",
        1 << place);
  const auto module =
      ptx::parse_module(
          R"(.version 7.5
.target sm_75
.address_size 64
.func (.param .b32 r) tree(.param .b32 n)
{
.reg .b32 %n, %m, %x, %y; .reg .pred %p;
ld.param.b32 %n, [n];
add.u32 %x, %n, 1;
setp.lt.u32 %p, %n, 2;
@%p bra END;
sub.u32 %m, %n, 1;
call (%x), tree, (%m);
sub.u32 %m, %n, 2;
call (%y), tree, (%m);
mad.lo.u32 %x, %y, 3, %x;
END:
st.param.b32 [r], %x;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .b32 %t, %x, %y, %a, %b; .reg .b64 %o; .reg .pred %p;
.shared .align 4 .b8 words[512];
ld.param.u64 %o, [out];
mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 4, %o; mov.u32 %x, %t;
mov.u32 %y, words; mad.lo.u32 %a, %t, 4, %y; xor.b32 %b, %t, 37; mad.lo.u32 %b, %b, 4, %y;
)" + body + "st.global.u32 [%o], %x;\nret;\n}\n",
          "k.ptx");
  const LaunchFile file = read_launch_text(
      R"({"ptx": "k.ptx", "buffers": {"o": {"type": "u32", "count": 64, "init": {"kind": "zeros"}}},
          "steps": [{"kernel": "k", "grid": 1, "block": 64, "args": [{"buffer": "o"}]}]})",
      "k.json");
  PtxPrograms programs(module);
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  ReferenceExecutor executor;
  run.run(executor);
  std::array<std::uint32_t, 64> expected{}, found{};
  for (std::uint32_t t = 0; t < 64; ++t) expected[t] = t;
  for (std::uint32_t place = 0; place < 3; ++place) {
    for (std::uint32_t t = 0; t < 64; ++t)
      if (((t >> place) & 1u) != 0) expected[t] = tree(expected[t] & 7);
    const std::array<std::uint32_t, 64> before = expected;
    for (std::uint32_t t = 0; t < 64; ++t) expected[t] += 5 * before[t ^ 37u];
  }
  std::memcpy(found.data(), run.buffer("o").data.data(), sizeof found);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace heddle::launch::calls_test
