// Tests roofline.csv. A kernel of multiply-adds must reach the peak of the FP units, and a copy must reach
// the bandwidth of the DRAM.

#include <gtest/gtest.h>

#include "testbench/output/csv_table.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

constexpr double kNear = 0.05;

// A kernel and its settings. %r1 is the thread's number in the grid. %rd1 is the address of the thread's
// element of array `a`, and %rd2 the address of the thread's element of array `b`. Both have 65,536 elements.
struct PointShape {
  std::string body;
  int grid = 1;
  std::vector<std::string> sets;
};

std::string multiply_adds() {
  std::string out = "mov.u32 %r10, 40;\nLOOP:\n";
  for (int i = 0; i < 256; ++i) {
    const std::string f = "%f" + std::to_string(4 + i % 12);
    out += "fma.rn.f32 " + f + ", " + f + ", %f1, %f2;\n";
  }
  return out + "sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra LOOP;\n";
}

class Roofline : public ::testing::Test {
 protected:
  output::CsvTable rows(const PointShape& shape, const std::string& out = "o") {
    folder_.write("k.ptx", R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry planted(.param .u64 a, .param .u64 b)
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<16>;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r1, %r3, %r4, %r2;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f3f800000;
)" + shape.body + R"(
  ret;
}
)");
    folder_.write("l.json", R"({"ptx": "k.ptx", "buffers": {
 "a": {"type": "u32", "count": 65536, "init": {"kind": "range"}}, "b": {"type": "u32", "count": 65536}},
 "steps": [{"kernel": "planted", "grid": [)" +
                                std::to_string(shape.grid) +
                                R"(], "block": [256], "args": [{"buffer": "a"}, {"buffer": "b"}]}],
 "outputs": [{"buffer": "b"}]})");
    std::vector<std::string> words = {"run",      "--launch", "l.json",   "--gpu", "fermi-gtx480",
                                      "--check",  "off",      "--quiet",  "--out", out,
                                      "--report", "--set",    "gpu.sms=2"};
    for (const std::string& set : shape.sets) words.insert(words.end(), {"--set", set});
    const ProgramResult run = run_program(words, folder_.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return output::read_csv(folder_.read(out + "/roofline.csv"), "roofline.csv");
  }
  static double share(const output::CsvTable& table, const std::string& units, const std::string& memory) {
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      if (table.rows[r][table.column("units")] == units && table.rows[r][table.column("memory")] == memory)
        return table.number(r, table.column("share_of_roof"));
    ADD_FAILURE() << "no row of " << units << " and " << memory;
    return 0;
  }
  Folder folder_;
};

const PointShape& copy() {
  static const PointShape shape = {
      "ld.global.u32 %r5, [%rd1];\nst.global.u32 [%rd2], %r5;\n",
      256,
      {"gpu.memory.dram.channels=1", "gpu.memory.dram.bytes_per_cycle=8", "gpu.memory.l2.bytes=12288"}};
  return shape;
}

TEST_F(Roofline, MultiplyAddsReachThePeakOfTheUnits) {
  const output::CsvTable table = rows({multiply_adds(), 12, {"compiler.passes=[]"}});
  EXPECT_NEAR(share(table, "FP", "DRAM"), 1, kNear);
}

TEST_F(Roofline, ACopyReachesTheBandwidthOfTheDram) {
  const output::CsvTable table = rows(copy());
  EXPECT_NEAR(share(table, "INT", "DRAM"), 1, kNear);
  EXPECT_NE(folder_.read("o/report.html").find(">Roofline</h2>"), std::string::npos);
}

TEST_F(Roofline, AMemoryWithoutALimitHasNoPoints) {
  PointShape unlimited = copy();
  unlimited.sets.back() = "gpu.memory.l2.bytes_per_cycle=0";
  unlimited.sets[1] = "gpu.memory.dram.bytes_per_cycle=0";
  const output::CsvTable table = rows(unlimited);
  for (const auto& row : table.rows) EXPECT_EQ(row[table.column("memory")], "L1");
}

}  // namespace
}  // namespace heddle::test
