// Tests release flags of registers: their encoding, the instructions at which registers are released, and the
// verifier's errors for early releases. Examples A, B and C have lifetimes as in Jeon 2015, Fig. 4; metadata
// words were derived by hand.

#include "models/isa/release_flags.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/check_releases.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/listing.h"
#include "models/compiler/verify.h"
#include "models/core/error.h"

namespace heddle::compiler {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

Operand r(std::uint32_t n) { return Operand::make_reg(RegId(n), 32); }
Operand rd(std::uint32_t n) { return Operand::make_reg(RegId(n), 64); }
Operand imm(std::uint64_t v) { return Operand::make_immediate(v, 32); }

Instruction op(Opcode opcode, std::vector<Operand> dst, std::vector<Operand> src,
               DataType type = DataType::u32) {
  Instruction i;
  i.op = opcode;
  i.type = i.source_type = type;
  for (const Operand& o : dst) i.add_dst(o);
  for (const Operand& o : src) i.add_src(o);
  if (opcode == Opcode::mad || opcode == Opcode::mul) i.modifiers.part = isa::Part::lo;
  if (opcode == Opcode::setp) i.modifiers.compare = isa::Compare::lt;
  classify(i);
  return i;
}
Instruction mov(std::uint32_t d, Operand from = imm(16)) { return op(Opcode::mov, {r(d)}, {from}); }
Instruction ld(isa::Space space, std::uint32_t d, std::uint32_t address) {
  Instruction i = op(Opcode::ld, {r(d)}, {r(address)});
  i.memory.space = space;
  return i;
}
Instruction st(std::uint32_t address, std::uint32_t value) {
  Instruction i = op(Opcode::st, {}, {r(address), r(value)});
  i.memory.space = isa::Space::shared;
  return i;
}
Instruction bra(std::int32_t target) {
  Instruction i = op(Opcode::bra, {}, {}, DataType::none);
  i.guard = {true, false, PredId(0)};
  i.target = target;
  return i;
}
Instruction end() { return op(Opcode::exit, {}, {}, DataType::none); }
Instruction setp(Operand a) { return op(Opcode::setp, {Operand::make_pred(PredId(0))}, {a, imm(5)}); }
Operand lane() { return Operand::make_special(isa::SpecialRegister::tid_x, 32); }

isa::Program program_of(std::vector<Instruction> code, std::uint32_t registers) {
  isa::Program program;
  program.kernel = "example";
  program.file = "example.ptx";
  program.architected = true;
  program.registers = registers;
  program.predicates = 1;
  program.code = std::move(code);
  set_reconvergence(program, ControlFlow(program), ExitRule::leave);
  verify_program(program);
  return program;
}

isa::Program flagged(const isa::Program& program, const std::string& options = "") {
  const PassContext context;
  const std::string text = R"({"type": "release-flags")" + options + "}";
  CompilationUnit unit(program);
  Registry<ICompilerPass>::instance().make(parse_config_text(text, "test"), context)->run(unit);
  isa::Program result = unit.take();
  EXPECT_NO_THROW(verify_after_pass("release-flags", result));
  return result;
}

constexpr const char* kExact = R"(, "divergence": "exact")";

std::vector<std::string> metadata_of(const isa::Program& program) {
  std::vector<std::string> words;
  for (std::size_t n = 0; n < program.code.size(); ++n)
    if (program.code[n].metadata)
      words.push_back(std::to_string(n) + " " + isa::release_text(program.code[n]));
  return words;
}
using Words = std::vector<std::string>;

isa::Program example_a() {
  return program_of(
      {mov(0), ld(isa::Space::shared, 1, 0), op(Opcode::mul, {r(2)}, {r(1), r(0)}),
       op(Opcode::add, {r(1)}, {r(1), imm(4)}), op(Opcode::mad, {r(1)}, {r(1), r(2), r(2)}), st(0, 1), end()},
      3);
}
isa::Program example_b() {
  return program_of({mov(0), mov(1), mov(2), ld(isa::Space::shared, 3, 0),
                     op(Opcode::add, {r(3)}, {r(3), r(1)}), op(Opcode::add, {r(2)}, {r(2), r(3)}),
                     op(Opcode::add, {r(0)}, {r(0), imm(4)}), setp(lane()), bra(3), st(2, 2), end()},
                    4);
}
isa::Program example_c() {
  return program_of({mov(0), mov(1), setp(lane()), ld(isa::Space::global, 2, 0), bra(6),
                     op(Opcode::add, {r(1)}, {r(1), r(2)}), st(0, 1), end()},
                    3);
}

TEST(ReleaseWords, PirPutsTheFirstInstructionLeftmostAndItsFirstSourceRightmost) {
  EXPECT_EQ(isa::release_bit(0), std::uint64_t{1} << 51);
  EXPECT_EQ(isa::release_bit(2), std::uint64_t{1} << 53);
  EXPECT_EQ(isa::release_bit(3), std::uint64_t{1} << 48) << "a fourth source: the next group";
  Instruction word;
  word.metadata = true;
  word.payload = isa::encode_pir(isa::release_bit(0));
  EXPECT_EQ(isa::release_text(word), "pir 100000000000000000");
  EXPECT_EQ(isa::release_field(word.payload), isa::release_bit(0));
  word.metadata = false;
  EXPECT_EQ(isa::release_word(word), isa::ReleaseWord::none);
}

TEST(ReleaseWords, PbrHoldsNineNumbersOfSixBitsOrSixOfEight) {
  std::vector<std::uint32_t> registers = {0, 62, 5, 7, 8, 9, 10, 11, 12, 13};
  auto words = isa::encode_pbr(registers, false);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(isa::release_field(words[0]), 000'76'05'07'10'11'12'13'14ull);
  EXPECT_EQ(isa::release_field(words[1]), 015'77'77'77'77'77'77'77'77ull);
  auto back = isa::listed_registers(isa::ReleaseWord::pbr, words[0]);
  const auto rest = isa::listed_registers(isa::ReleaseWord::pbr, words[1]);
  back.insert(back.end(), rest.begin(), rest.end());
  EXPECT_EQ(back, registers);
  registers = {63, 254, 0, 1, 2, 3, 64};
  words = isa::encode_pbr(registers, true);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(isa::listed_registers(isa::ReleaseWord::wide_pbr, words[0]),
            (std::vector<std::uint32_t>{63, 254, 0, 1, 2, 3}));
  EXPECT_EQ(isa::listed_registers(isa::ReleaseWord::wide_pbr, words[1]), (std::vector<std::uint32_t>{64}));
  EXPECT_TRUE(isa::encode_pbr({}, false).empty());
}

TEST(ReleaseFlags, ExampleAStraightLine) {
  EXPECT_EQ(metadata_of(flagged(example_a())), (Words{"0 pir 000043000000000000"}));
}

TEST(ReleaseFlags, ExampleAMapsAsManyRegistersAsTheLivesTake) {
  const isa::Program program = flagged(example_a());
  isa::ReleaseLatch latch;
  std::vector<bool> mapped(3, false);
  std::vector<long> held, left;
  for (const Instruction& i : program.code) {
    if (i.metadata) {
      latch.receive_pir(isa::release_field(i.payload));
      continue;
    }
    for (const Operand& d : i.destinations()) mapped[d.reg.value] = true;
    held.push_back(std::count(mapped.begin(), mapped.end(), true));
    isa::for_each_released_word(i, latch.flags(), [&](std::uint32_t w) { mapped[w] = false; });
    left.push_back(std::count(mapped.begin(), mapped.end(), true));
    latch.pass(i);
  }
  EXPECT_EQ(held, (std::vector<long>{1, 2, 3, 3, 3, 2, 0}));
  EXPECT_EQ(left, (std::vector<long>{1, 2, 3, 3, 2, 0, 0}));
}

TEST(ReleaseFlags, ExampleBLoopCarriedRegistersAreReleasedBehindTheLoop) {
  const isa::Program program = flagged(example_b());
  EXPECT_EQ(metadata_of(program), (Words{"0 pir 000000000000000000", "4 pir 002000000000000000",
                                         "11 pbr {r0, r1}", "12 pir 200000000000000000"}));
  EXPECT_EQ(program.code.size(), 11u + 4u);
  EXPECT_EQ(program.address_of(program.code.size()), 120u);
  EXPECT_EQ(program.code[10].target, 4);
  EXPECT_EQ(program.code[10].reconvergence, 11);
  EXPECT_NE(
      make_listing(program).find("4 of them metadata (36.4 % more code): 3 pir, 1 pbr with 2 registers"),
      std::string::npos)
      << make_listing(program);
}

TEST(ReleaseFlags, ExampleCWhatOneSideReadsIsReleasedWhereTheyMeet) {
  const Words words = metadata_of(flagged(example_c()));
  EXPECT_EQ(words, (Words{"0 pir 000000000000000000", "6 pir 000000000000000000", "8 pbr {r2}",
                          "9 pir 300000000000000000"}));
  const Words exact = metadata_of(flagged(example_c(), kExact));
  EXPECT_EQ(exact, (Words{"0 pir 000000000000000000", "6 pir 200000000000000000", "8 pbr {r2}",
                          "9 pir 300000000000000000"}));
}

// Example G: a renaming table of 1 KB has room for floor(8192/(10 * warps)) registers per thread, which is 17
// with 48 warps and 25 with 32 warps. In a kernel with more registers, the compiler exempts some registers
// from renaming, longest-lived values first. The kernel MUM has 19 registers, the kernel Heartwall 29.
TEST(ExemptRegisters, ExampleGOneKilobyteForSoManyWarps) {
  const auto exempt_of = [](std::uint32_t registers, int warps, int bytes = 1024) {
    std::vector<Instruction> code;
    for (std::uint32_t n = 0; n < registers; ++n) code.push_back(mov(n));
    for (std::uint32_t n = registers; n-- > 0;) code.push_back(st(n, n));
    code.push_back(end());
    CompilationUnit unit(program_of(code, registers));
    PassContext context;
    context.resident_warps = [warps](const isa::Program&) { return warps; };
    const std::string text = R"({"type": "exempt-registers", "table_bytes": )" + std::to_string(bytes) + "}";
    Registry<ICompilerPass>::instance().make(parse_config_text(text, "test"), context)->run(unit);
    const isa::Program result = unit.take();
    for (std::uint32_t n = 0; n < registers; ++n)
      EXPECT_EQ(result.code[n].dst[0].reg.value, n) << "the longest-lived have the lowest numbers already";
    return result.exempt_registers;
  };
  EXPECT_EQ(exempt_of(17, 48), 0u);
  EXPECT_EQ(exempt_of(19, 48), 2u);
  EXPECT_EQ(exempt_of(25, 32), 0u);
  EXPECT_EQ(exempt_of(29, 32), 4u);
  EXPECT_EQ(exempt_of(18, 48), 1u);
  EXPECT_EQ(exempt_of(22, 40), 2u);
  EXPECT_EQ(exempt_of(20, 48), 3u);
  EXPECT_EQ(exempt_of(29, 48, 0), 0u) << "room for all";
}

TEST(ReleaseFlags, EmptyWordsCanBeLeftOut) {
  EXPECT_EQ(metadata_of(flagged(example_b(), R"(, "empty_pir": false)")),
            (Words{"3 pir 002000000000000000", "10 pbr {r0, r1}", "11 pir 200000000000000000"}));
}

TEST(ReleaseFlags, ANewWordBehindEighteenGroups) {
  std::vector<Instruction> code = {mov(0)};
  for (std::uint32_t n = 1; n <= 20; ++n) code.push_back(op(Opcode::add, {r(n)}, {r(n - 1), imm(1)}));
  code.push_back(st(20, 20));
  code.push_back(end());
  EXPECT_EQ(metadata_of(flagged(program_of(code, 21))),
            (Words{"0 pir 011111111111111111", "19 pir 111200000000000000"}));
}

TEST(ReleaseFlags, MoreThanThreeRegisterSourcesTakeFurtherGroupsOfOneWord) {
  std::vector<Instruction> code;
  for (std::uint32_t n = 0; n < 17; ++n) code.push_back(mov(n));
  Instruction vector = op(Opcode::st, {}, {r(0), r(1), r(2), r(3), r(4)});
  vector.memory.space = isa::Space::shared;
  vector.memory.elements = 4;
  code.push_back(vector);
  code.push_back(end());
  EXPECT_EQ(metadata_of(flagged(program_of(code, 17))),
            (Words{"0 pir 000000000000000000", "18 pir 730000000000000000"}));
}

TEST(ReleaseFlags, ProgramsOfManyRegistersUseWideLists) {
  std::vector<Instruction> code = {mov(70), mov(0), setp(lane()), bra(5), mov(0, r(70)), st(0, 0), end()};
  EXPECT_EQ(metadata_of(flagged(program_of(code, 71)))[2], "7 pbr.wide {r70}");
}

TEST(ReleaseFlags, APairIsFlaggedWhenBothWordsDie) {
  const Instruction pair = op(Opcode::mov, {rd(0)}, {Operand::make_immediate(3, 64)}, DataType::u64);
  const Instruction both = op(Opcode::add, {rd(2)}, {rd(0), rd(0)}, DataType::u64);
  EXPECT_EQ(metadata_of(flagged(program_of({pair, both, end()}, 4))), (Words{"0 pir 020000000000000000"}));
  EXPECT_EQ(metadata_of(flagged(program_of({pair, both, st(1, 1), end()}, 4))),
            (Words{"0 pir 002000000000000000"}))
      << "its upper word is read later";
}

// Sets one more flag in the metadata word `pir` at index `word`: flag number `source` of flag group `group`
// (a group has three flags, for sources of one instruction). Expects that the verifier throws an error.
void expect_rejected(isa::Program program, std::size_t word, int group, int source, const std::string& what) {
  ASSERT_FALSE(
      find_release_fault(program, ControlFlow(program),
                         WarpLiveSets(program, ControlFlow(program), LiveSets(program, ControlFlow(program)),
                                      Divergence(program, ControlFlow(program)))));
  program.code[word].payload |= isa::release_bit(source) >> (3 * group) << 4;
  try {
    verify_program(program);
    FAIL() << "not rejected";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
  }
}

TEST(CheckReleases, AFlagOneReadEarly) {
  expect_rejected(flagged(example_a()), 0, 2, 1, "register 0 is released, but a lane may still read it");
}
TEST(CheckReleases, AFlagInALoopOfWhatTheNextTurnReads) {
  expect_rejected(flagged(example_b()), 4, 1, 1, "register 1 is released, but a lane may still read it");
}
TEST(CheckReleases, AFlagOfWhatTheInstructionWrites) {
  expect_rejected(flagged(example_a()), 0, 3, 0, "released by the instruction that writes it");
}
TEST(CheckReleases, AFlagOfNoSourceAndOneBehindTheBlock) {
  expect_rejected(flagged(example_a()), 0, 0, 0, "a release flag of source 0");
  expect_rejected(flagged(example_a()), 0, 9, 0, "reach beyond the basic block");
}

// Flags and lists may not name a register exempt from renaming (Jeon 2015, 7.1).
TEST(CheckReleases, AFlagOrAListOfAnExemptRegister) {
  isa::Program straight = example_a(), loop = example_b();
  straight.exempt_registers = loop.exempt_registers = 1;
  const isa::Program flags = flagged(straight), lists = flagged(loop);
  EXPECT_EQ(metadata_of(flags), (Words{"0 pir 000042000000000000"})) << "r0 dies in the store";
  EXPECT_EQ(metadata_of(lists)[2], "11 pbr {r1}");
  expect_rejected(flags, 0, 5, 0, "register 0 is released, and is one of 1 that are exempt");
  isa::Program listed = lists;
  listed.code[11].payload = isa::encode_pbr(std::vector<std::uint32_t>{0, 1}, false)[0];
  EXPECT_THROW(verify_program(listed), Error);
}

// Lanes that took the branch wait at the join, where they will read r1. Therefore r1 must not be released
// before.
TEST(CheckReleases, AFlagWhileLanesWaitThatRead) {
  const isa::Program program = program_of({mov(0), mov(1), setp(lane()), bra(6),
                                           op(Opcode::add, {r(0)}, {r(0), r(1)}), st(0, 0), st(0, 1), end()},
                                          2);
  isa::Program with = flagged(program, kExact);
  const Words words = metadata_of(with);
  ASSERT_EQ(words.size(), 3u);
  expect_rejected(with, 5, 0, 1, "register 1 is released, but a lane may still read it");
}

TEST(CheckReleases, AListOfWhatIsReadLaterOrIsNot) {
  for (const std::uint32_t listed : {2u, 9u}) {
    isa::Program program = flagged(example_b());
    program.code[11].payload = isa::encode_pbr(std::vector<std::uint32_t>{0, listed}, false)[0];
    EXPECT_THROW(verify_program(program), Error);
  }
}

}  // namespace
}  // namespace heddle::compiler
