// Tests each rule of configs/rules/default.json with two kernels. Only the first kernel loses most of its
// cycles by the rule's cause. For the first kernel, `heddle why` must name this rule first. For the second
// kernel, it must not name this rule first.

#include <gtest/gtest.h>

#include <set>

#include "models/core/config_node.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

// A kernel and its launch. Before `body`, %r1 is the thread's number in its CTA, %r2 is the thread's number
// in the grid, and %r9 is 0. %rd1 is the address of the thread's element of array `a` (1 MB). After `body`,
// the kernel writes %r9 to this element.
struct Shape {
  std::string body;
  int grid = 1, block = 256;
  std::vector<std::string> sets;
};

struct Planted {
  const char* rule;
  Shape with, without;
};

std::string times(int count, const std::string& text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string loop(int count, const std::string& text, const std::string& label = "LOOP") {
  return "mov.u32 %r10, " + std::to_string(count) + ";\n" + label + ":\n" + text +
         "sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra " + label + ";\n";
}

std::string additions(int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += "add.u32 %r" + std::to_string(20 + i % 12) + ", %r1, " + std::to_string(i) + ";\n";
  return out;
}

std::string spread(int count, const std::string& begin, const std::string& end, int first) {
  std::string out;
  for (int i = 0; i < count; ++i) out += begin + std::to_string(first + i) + end;
  return out;
}

std::string jumps(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const std::string label = "J" + std::to_string(i);
    out += "bra.uni " + label + ";\n" + label + ":\n";
  }
  return out;
}

// Returns loads from shared memory. The addresses of neighbouring lanes are 2^shift bytes apart.
std::string shared_loads(int shift) {
  return "shl.b32 %r11, %r1, " + std::to_string(shift) +
         ";\nand.b32 %r11, %r11, 4095;\ncvt.u64.u32 %rd2, %r11;\n" +
         "mov.u64 %rd5, s;\nadd.u64 %rd5, %rd5, %rd2;\n" +
         loop(60, "ld.shared.u32 %r9, [%rd5];\nadd.u32 %r12, %r9, %r12;\n");
}

std::string loads_with_uses(int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += "ld.global.u32 %r" + std::to_string(20 + i) + ", [%rd1+" + std::to_string(4096 * i) +
           "];\nadd.u32 %r12, %r12, %r" + std::to_string(20 + i) + ";\n";
  return out;
}

const char* const kChain = "mad.lo.u32 %r9, %r9, 3, 1;\n";
const char* const kLoad = "ld.global.u32 %r9, [%rd1];\nadd.u32 %r12, %r9, %r12;\n";

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all = {
      {"too-few-ctas",
       {loop(40, additions(8)), 3, 256, {"gpu.sms=15"}},
       {loop(40, additions(8)), 60, 256, {"gpu.sms=15"}}},
      {"uneven-end",
       {"mov.u32 %r11, %ctaid.x;\nsetp.ne.u32 %p2, %r11, 0;\n@%p2 bra END;\n" + loop(400, additions(8)) +
            "END:\n",
        8,
        256,
        {"gpu.sms=8"}},
       {loop(400, additions(8)) + "END:\n", 8, 256, {"gpu.sms=8"}}},
      {"occupancy-shared-memory",
       {loop(40, times(12, kChain)), 8, 64, {"gpu.sm.load_store.shared.bytes=4096"}},
       {loop(40, additions(12)), 8, 256, {}}},
      {"occupancy-registers",
       {loop(40, times(12, kChain)), 8, 64, {"gpu.sm.register_file.banks.entries=2"}},
       {loop(40, additions(12)), 8, 256, {}}},
      {"occupancy-cta-slots",
       {loop(40, times(12, kChain)), 32, 32, {}},
       {loop(40, additions(12)), 8, 256, {}}},
      {"occupancy-threads",
       {loop(40, times(12, kChain)), 16, 64, {"gpu.sm.max_threads=64"}},
       {loop(40, additions(12)), 8, 256, {}}},
      {"contended-atomics",
       {loop(12, "atom.global.add.u32 %r9, [%rd3], %r1;\nadd.u32 %r12, %r12, %r9;\n"), 2, 256, {}},
       {loop(12, "atom.global.add.u32 %r9, [%rd1], %r1;\nadd.u32 %r12, %r12, %r9;\n"), 2, 256, {}}},
      {"low-occupancy", {loop(200, additions(12)), 1, 32, {}}, {loop(200, additions(12)), 4, 256, {}}},
      {"divergence",
       {"and.b32 %r11, %r1, 31;\nsetp.ne.u32 %p2, %r11, 0;\n@%p2 bra END;\n" + loop(60, additions(12)) +
            "END:\n",
        4,
        256,
        {}},
       {loop(60, additions(12)) + "END:\n", 4, 256, {}}},
      {"shared-bank-conflicts", {shared_loads(7), 2, 256, {}}, {shared_loads(2), 2, 256, {}}},
      {"uncoalesced",
       {"shl.b32 %r11, %r2, 7;\nand.b32 %r11, %r11, 0x7ffff;\ncvt.u64.u32 %rd2, %r11;\nadd.u64 %rd1, %rd3, "
        "%rd2;\n" +
            loop(12, kLoad),
        2,
        256,
        {}},
       {loop(12, kLoad), 2, 256, {}}},
      {"memory-bandwidth",
       {loop(12, std::string(kLoad) + "add.u64 %rd1, %rd1, 8192;\n"),
        6,
        256,
        {"gpu.memory.dram.channels=1", "gpu.memory.dram.bytes_per_cycle=4"}},
       {loop(12, kLoad), 6, 256, {}}},
      // A warp's loads of 16 bytes per lane fill four segments completely, so no fetched byte is wasted.
      {"memory-bandwidth",
       {"mul.wide.u32 %rd2, %r2, 16;\nadd.s64 %rd1, %rd3, %rd2;\n" +
            loop(12,
                 "ld.global.v4.u32 {%r24, %r25, %r26, %r27}, [%rd1];\nadd.u32 %r12, %r24, %r27;\n"
                 "add.u64 %rd1, %rd1, 32768;\n"),
        6,
        256,
        {"gpu.memory.dram.channels=1", "gpu.memory.dram.bytes_per_cycle=4"}},
       {loop(12, kLoad), 6, 256, {}}},
      {"loads-apart",
       {loop(12, loads_with_uses(8)), 1, 64, {"gpu.sm.load_store.l1.enabled=false"}},
       {loop(12, loads_with_uses(8)),
        1,
        64,
        {"gpu.sm.load_store.l1.enabled=false", "compiler.passes=[\"schedule-loads\"]"}}},
      {"memory-latency",
       {loop(40, kLoad), 1, 64, {"gpu.sm.load_store.l1.enabled=false"}},
       {loop(40, additions(12)), 4, 256, {}}},
      {"dependence",
       {loop(40, times(12, kChain)), 1, 64, {}},
       {loop(40, additions(12)), 4, 256, {"gpu.sm.scheduler=gto"}}},
      // The scheduler keeps six warps active, whose divisions take 150 cycles, while other warps are ready.
      {"divisions",
       {loop(12, "add.u32 %r9, %r9, 5;\ndiv.u32 %r9, %r10, %r9;\n"), 4, 256, {}},
       {loop(12, "add.u32 %r9, %r9, 5;\nshr.u32 %r9, %r10, %r9;\n"), 4, 256, {}}},
      {"barriers",
       {"setp.ge.u32 %p2, %r1, 32;\n@%p2 bra WAIT;\n" + loop(100, times(4, kChain)) + "WAIT:\nbar.sync 0;\n",
        1,
        256,
        {}},
       {loop(100, additions(12)) + "WAIT:\nbar.sync 0;\n", 1, 256, {}}},
      {"copies",
       {"cvt.u64.u32 %rd2, %r1;\nshl.b64 %rd2, %rd2, 2;\nmov.u64 %rd5, s;\nadd.u64 %rd5, %rd5, %rd2;\n" +
            loop(40, "cp.async.ca.shared.global [%rd5], [%rd1], 4;\ncp.async.wait_all;\n"),
        1,
        64,
        {"gpu.sm.load_store.l1.enabled=false"}},
       {loop(40, additions(12)), 4, 256, {}}},
      {"fences",
       {loop(40, "st.global.u32 [%rd1], %r10;\nmembar.gl;\n"), 1, 64, {}},
       {loop(40, additions(12)), 4, 256, {}}},
      {"fetch", {loop(60, jumps(12)), 1, 64, {}}, {loop(100, additions(12)), 4, 256, {}}},
      {"register-bank-conflicts",
       {loop(60, spread(12, "mad.lo.u32 %r", ", %r20, %r21, %r22;\n", 24)),
        6,
        256,
        {"gpu.sm.register_file.banks.count=1", "gpu.sm.register_file.banks.entries=1024"}},
       {loop(60, additions(12)), 4, 256, {}}},
      {"units-full",
       {loop(30, spread(8, "rsqrt.approx.f32 %f", ", %f2;\n", 4)), 6, 256, {"gpu.sm.scheduler=gto"}},
       {loop(60, additions(12)), 4, 256, {}}},
      // Instructions issue in most cycles, but the special-function unit is never free.
      {"units-full",
       {loop(30, spread(4, "rsqrt.approx.f32 %f", ", %f2;\n", 4) + additions(18)), 6, 256, {}},
       {loop(60, additions(12)), 4, 256, {}}},
      {"inactive-warps",
       {loop(40, times(12, kChain)), 4, 256, {"gpu.sm.scheduler.active_warps=1"}},
       {loop(40, times(12, kChain)), 4, 256, {"gpu.sm.scheduler=gto"}}},
      {"gated-units",
       {loop(60, times(2, kChain) + spread(2, "add.f32 %f", ", %f1, %f2;\n", 4)),
        1,
        64,
        {"conventional-gating", "gpu.sm.gating.fp.wake_up_cycles=200",
         "gpu.sm.gating.int.wake_up_cycles=200"}},
       {loop(60, times(2, kChain) + spread(2, "add.f32 %f", ", %f1, %f2;\n", 4)), 1, 64, {}}},
      {"no-pair",
       {loop(60, times(12, "add.u32 %r9, %r9, 3;\n")),
        6,
        256,
        {"gpu.sm.issue_width=2", "gpu.sm.scheduler=gto"}},
       {loop(60, times(12, "add.u32 %r9, %r9, 3;\n")), 6, 256, {"gpu.sm.scheduler=gto"}}},
      {"issuing", {loop(60, additions(12)), 6, 256, {}}, {loop(40, times(12, kChain)), 1, 64, {}}},
  };
  return all;
}

std::string ptx_of(const std::string& body) {
  return R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry planted(.param .u64 a)
{
  .reg .pred %p<4>; .reg .b32 %r<40>; .reg .b64 %rd<6>; .reg .f32 %f<16>;
  .shared .align 4 .b8 s[4096];
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r2, %r3, %r4, %r1;
  ld.param.u64 %rd3, [a];
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd1, %rd3, %rd2;
  mov.u64 %rd4, %rd1;
  mov.u32 %r9, 0; mov.u32 %r12, 0; mov.u32 %r20, 1; mov.u32 %r21, 2; mov.u32 %r22, 3;
  mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f3f800000;
)" + body +
         R"(
  st.global.u32 [%rd4], %r9;
  ret;
}
)";
}

class Runs {
 public:
  ConfigNode causes(const Shape& shape) {
    folder_.write("k.ptx", ptx_of(shape.body));
    folder_.write(
        "l.json",
        R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 262144, "init": {"kind": "range"}}},
 "steps": [{"kernel": "planted", "grid": [)" +
            std::to_string(shape.grid) + R"(], "block": [)" + std::to_string(shape.block) +
            R"(], "args": [{"buffer": "a"}]}], "outputs": [{"buffer": "a"}]})");
    std::vector<std::string> words = {
        "run",     "--launch", "l.json", "--gpu", "fermi-gtx480", "--check", "off",
        "--quiet", "--out",    "o",      "--set", "gpu.sms=1",    "--set",   "compiler.passes=[]"};
    for (const std::string& set : shape.sets)
      words.insert(words.end(), {set.find('=') == std::string::npos ? "--with" : "--set", set});
    const ProgramResult run = run_program(words, folder_.path());
    EXPECT_EQ(run.status, 0) << run.err;
    const ProgramResult why = run_program({"why", "o", "--json"}, folder_.path());
    EXPECT_EQ(why.status, 0) << why.err;
    return parse_config_text(why.out, "why");
  }

 private:
  Folder folder_;
};

// Returns the name of the first cause. Skips "issuing", which is no wait, unless `looked_for` is "issuing".
std::string first_of(const ConfigNode& causes, const std::string& looked_for) {
  for (const ConfigNode& cause : causes.find("causes")->items)
    if (const std::string& name = cause.find("name")->text; name != "issuing" || looked_for == name)
      return name;
  return {};
}

TEST(WhyRules, ACauseIsNamedFirstWhereItIsAndNotWhereItIsNot) {
  for (const Planted& plant : planted()) {
    SCOPED_TRACE(plant.rule);
    Runs runs;
    const ConfigNode with = runs.causes(plant.with);
    EXPECT_EQ(first_of(with, plant.rule), plant.rule) << to_json(with);
    double slots = 0;
    for (const ConfigNode& cause : with.find("causes")->items) slots += cause.find("slots")->number;
    EXPECT_NEAR(slots, 1, 1e-9);
    EXPECT_NE(runs.causes(plant.without).find("causes")->items[0].find("name")->text, plant.rule);
  }
}

TEST(WhyRules, EveryRuleHasAPlantedKernel) {
  std::set<std::string> names, planted_for;
  const ConfigNode file = parse_config_file(source("configs/rules/default.json"));
  for (const ConfigNode& rule : file.find("rules")->items) names.insert(rule.find("name")->text);
  for (const Planted& plant : planted()) planted_for.insert(plant.rule);
  EXPECT_EQ(names, planted_for);
}

}  // namespace
}  // namespace heddle::test
