// Tests the latency tables of SMs. Also tests that an SM refuses programs that were compiled for other
// latencies.

#include "models/sm/machine_latencies.h"

#include <gtest/gtest.h>

#include <memory>

#include "models/core/error.h"

namespace heddle {
namespace {

using isa::OpClass;

TEST(MachineLatencies, ComeFromUnitsAndDependences) {
  SmParameters sm;
  sm.units.fp32.latency_cycles = 6;
  sm.dependences.guard_cycles = 11;
  sm.dependences.variable = {"fp64"};
  const isa::LatencyTable table = latencies_of(sm, "test");
  EXPECT_EQ(table.row(OpClass::fp32).cycles, 6);
  EXPECT_FALSE(table.row(OpClass::fp32).variable);
  EXPECT_TRUE(table.row(OpClass::fp64).variable);
  EXPECT_TRUE(table.row(OpClass::memory).variable);
  isa::Instruction add;
  add.op = isa::Opcode::add;
  add.type = add.source_type = isa::DataType::f32;
  classify(add);
  EXPECT_EQ(table.to_reader(add, isa::Reader::fp), 6);
  EXPECT_EQ(table.to_reader(add, isa::Reader::int_), 7);
  EXPECT_EQ(table.to_reader(add, isa::Reader::guard), 17);
  EXPECT_FALSE(first_difference(table, latencies_of(sm, "again")));
}

TEST(MachineLatencies, UnknownClassesAreListed) {
  SmParameters sm;
  sm.dependences.variable = {"fp65"};
  try {
    latencies_of(sm, "test");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no latency class \"fp65\" (allowed: int-add, int-mul"),
              std::string::npos)
        << error.what();
  }
}

TEST(MachineLatencies, ProgramsForOtherLatenciesAreRefused) {
  SmParameters sm;
  isa::Program program;
  program.file = "a.ptx";
  program.kernel = "k";
  EXPECT_NO_THROW(check_latencies(program, sm));
  program.latencies = std::make_shared<isa::LatencyTable>(latencies_of(sm, "ours"));
  EXPECT_NO_THROW(check_latencies(program, sm));
  const auto error_of = [&] {
    try {
      check_latencies(program, sm);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  sm.dependences.address_cycles = 4;
  EXPECT_EQ(error_of(),
            "a.ptx: kernel k was compiled for other latencies: an address (further cycles): 1 cycle on ours, "
            "4 cycles on this machine (allowed: a program that is compiled for the machine that runs it)");
  sm.units.convert.latency_cycles = 9;
  EXPECT_NE(error_of().find("convert: 8 cycles on ours, 9 cycles on this machine"), std::string::npos);
}

}  // namespace
}  // namespace heddle
