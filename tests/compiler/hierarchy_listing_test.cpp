// Tests that `heddle compile` shows strands, levels of the register hierarchy and savings. Predicted accesses
// must equal counts made by hand.

#include <gtest/gtest.h>

#include "models/compiler/listing.h"
#include "models/compiler/predict_accesses.h"
#include "tests/compiler/annotated_kernel.h"
#include "tests/compiler/level_proofs.h"

namespace heddle::compiler::hierarchy_listing_test {
namespace {

using test::AnnotatedKernel;

const char* const kBody =
    "A: mov.u32 %r0, %tid.x;\nB: add.u32 %r1, %r0, 1;\nC: ex2.approx.f32 %r2, %r1;\nld.param.u64 %d0, "
    "[out];\n"
    "D: st.shared.u64 [0x1000000], %d0;\nBAR: bar.sync 0;\nE: st.shared.v2.u32 [0x1000008], {%r2, %r0};";

AnnotatedKernel sample() {
  return AnnotatedKernel(kBody, {R"("fold-parameters")", R"("strands")",
                                 test::operand_file(3, "prf", R"(, "last_result": "unified")"),
                                 R"("liveness-hints")", R"("long-latency-marks")", R"("shared-use-marks")"});
}

TEST(PredictAccesses, ByHand) {
  const AnnotatedKernel k = sample();
  k.expect({{"A", "d0>lA+m d0 shared"},
            {"B", "d0>o0 d0 shared a<lA"},
            {"C", "d0 shared a<o0!"},
            {"BAR", ""},
            {"E", "b! c!"}});
  const LevelAccesses levels = predict_accesses(k.program());
  // Expected reads: B reads %r0 from the last-result level. C reads %r1 from an entry of the operand file. D
  // reads the register pair %d0 from two such entries; the move of a parameter has written the pair there. E
  // reads two registers from the main file.
  EXPECT_EQ(levels.read(isa::kLastResultLevel), 1u);
  EXPECT_EQ(levels.reads[isa::kOperandLevel][0], 0u);
  EXPECT_EQ(levels.reads[isa::kOperandLevel][1], 1u + 2u);
  EXPECT_EQ(levels.reads[isa::kMainLevel][1], 2u);
  EXPECT_EQ(levels.read(isa::kMainLevel), 2u);
  EXPECT_EQ(levels.written(isa::kLastResultLevel), 1u);
  EXPECT_EQ(levels.written(isa::kOperandLevel), 1u + 2u);
  EXPECT_EQ(levels.writes[isa::kMainLevel][0], 1u) << "%r0, read behind the barrier";
  EXPECT_EQ(levels.writes[isa::kMainLevel][1], 1u) << "%r2 of the special-function unit";
  const LevelAccesses flat = predict_flat_accesses(k.program());
  EXPECT_EQ(flat.read(isa::kMainLevel), 6u);
  EXPECT_EQ(flat.written(isa::kMainLevel), 5u);
  EXPECT_EQ(flat.read(isa::kOperandLevel) + flat.written(isa::kOperandLevel), 0u);
  EXPECT_EQ(entries_used(k.program()), 2);
}

TEST(PredictAccesses, TimesExecutionsAndEnergy) {
  const AnnotatedKernel k = sample();
  const auto only = [&](std::size_t n) { return n == k.at("B") ? std::uint64_t{7} : 0; };
  const LevelAccesses levels = predict_accesses(k.program(), only);
  EXPECT_EQ(levels.read(isa::kLastResultLevel), 7u);
  EXPECT_EQ(levels.written(isa::kOperandLevel), 7u);
  EXPECT_EQ(levels.read(isa::kMainLevel) + levels.written(isa::kMainLevel), 0u);
  // Gebhart 2012, Tables IV and V, for 3 entries and 8 warps, with wires: 0.7 + 0.38 pJ to read the
  // last-result level, 4.4 + 1.52 pJ to write the operand file.
  EXPECT_NEAR(levels.energy_pj(AccessEnergy{}.resolved(3)), 7 * (0.7 + 0.38 + 4.4 + 1.52), 1e-9);
}

TEST(Listing, ShowsStrandsLevelsAndSavings) {
  const std::string text = make_listing(sample().program());
  for (const char* part : {"2 strands, 2 entries of the operand level",
                           "each instruction once: reads main 2 / operand 3 / last 1, writes 2 / 3 / 1",
                           "strand 0: ", "strand 1: ", "strand ends", "d0>lA+m", "a<o0!"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Listing, SaysNothingOfLevelsWhereThereAreNone) {
  isa::Program program = sample().program();
  for (isa::Instruction& i : program.code) {
    i.ends_strand = i.begins_strand = i.strand_waits = false;
    for (isa::Operand& o : i.sources()) o.annotation = {};
    for (isa::Operand& o : i.destinations()) o.annotation = {};
  }
  const std::string text = make_listing(program);
  EXPECT_EQ(text.find("strand"), std::string::npos);
  EXPECT_EQ(text.find("saved"), std::string::npos);
}

}  // namespace
}  // namespace heddle::compiler::hierarchy_listing_test
