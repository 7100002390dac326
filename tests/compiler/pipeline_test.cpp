#include "models/compiler/pipeline.h"

#include <gtest/gtest.h>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/listing.h"
#include "models/compiler/verify.h"
#include "models/core/error.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

using test::kernel;
using test::with_passes;

constexpr const char* kBody =
    ".reg .b32 %r<6>;\n.reg .pred %p0;\nld.global.u32 %r0, [%in];\nsetp.gt.s32 %p0, %r0, 0;\n"
    "@%p0 bra ELSE;\nmov.u32 %r1, 1;\nbra JOIN;\nELSE: mov.u32 %r1, %r0;\nJOIN: st.global.u32 [%out], %r1;";

struct Recorder : PassObserver {
  void after_pass(const std::string& pass, const isa::Program& program) override {
    names.push_back(pass);
    sizes.push_back(program.code.size());
    architected.push_back(program.architected);
  }
  std::vector<std::string> names;
  std::vector<std::size_t> sizes;
  std::vector<bool> architected;
};

std::vector<std::string> order_of(const std::vector<std::string>& passes) {
  Recorder recorder;
  compile(kernel(kBody), with_passes(passes), &recorder);
  return recorder.names;
}

class Annotate : public ICompilerPass {
 public:
  Annotate(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override {
    const WarpLiveSets& live = unit.warp_liveness();
    isa::Program& program = unit.annotate();
    for (std::size_t n = 0; n < program.code.size(); ++n)
      for (isa::Operand& o : program.code[n].sources())
        if (o.words() == 1) o.annotation.last_use = live.dies_at(program, n, o.reg.value);
  }
};
const Registration<ICompilerPass, Annotate> annotate{"toy-last-use", "test"};

class Break : public ICompilerPass {
 public:
  Break(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override { unit.edit().code[0].dst[0].reg = RegId(200); }
};
const Registration<ICompilerPass, Break> breaking{"toy-broken", "test"};

TEST(Pipeline, RequiredPassesAlwaysRun) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(order_of({}), (Names{"", "allocate-registers", "reconvergence"}));
  EXPECT_EQ(order_of({"remove-dead-code", "toy-last-use"}),
            (Names{"", "remove-dead-code", "allocate-registers", "reconvergence", "toy-last-use"}));
  EXPECT_EQ(order_of({"fold-parameters", "allocate-registers", "reconvergence", "toy-last-use"}),
            (Names{"", "fold-parameters", "allocate-registers", "reconvergence", "toy-last-use"}));
}

TEST(Pipeline, ObserverSeesEveryStep) {
  Recorder recorder;
  const isa::Program parsed = kernel(kBody);
  CompilerParameters parameters;
  const isa::Program compiled = compile(parsed, parameters, &recorder);
  ASSERT_EQ(recorder.names.size(), parameters.passes.size() + 3);
  EXPECT_EQ(recorder.sizes.front(), parsed.code.size());
  EXPECT_FALSE(recorder.architected.front());
  EXPECT_EQ(recorder.sizes.back(), compiled.code.size());
  EXPECT_TRUE(recorder.architected.back());
}

TEST(Pipeline, RefusesWhatCannotBe) {
  const isa::Program parsed = kernel(kBody);
  EXPECT_THROW(compile(parsed, with_passes({"no-such-pass"})), Error);
  EXPECT_THROW(compile(parsed, with_passes({"allocate-registers", "remove-dead-code"})), Error);
  EXPECT_THROW(compile(parsed, with_passes({"reconvergence", "remove-dead-code"})), Error);
  EXPECT_THROW(compile(parsed, with_passes({"allocate-registers", "allocate-registers"})), Error);
  EXPECT_THROW(compile(parsed, with_passes({"toy-broken"})), InternalError);
  CompilerParameters unverified = with_passes({"toy-broken"});
  unverified.verify = false;
  EXPECT_NO_THROW(compile(parsed, unverified));
}

TEST(Pipeline, ParametersAreRead) {
  CompilerParameters parameters;
  read_fields(parse_config_text(R"({"max_registers": 20, "predicates": 5,
      "passes": ["fold-parameters", {"type": "reconvergence", "exits": "leave"}], "verify": false})",
                                "test"),
              parameters);
  EXPECT_EQ(parameters.max_registers, 20);
  EXPECT_EQ(parameters.predicates, 5);
  EXPECT_EQ(parameters.passes.size(), 2u);
  EXPECT_FALSE(parameters.verify);
  EXPECT_NO_THROW(compile(kernel(kBody), parameters));
  EXPECT_THROW(read_fields(parse_config_text(R"({"max_registers": 7})", "test"), parameters), Error);
  EXPECT_THROW(
      compile(kernel(kBody),
              [] {
                CompilerParameters p;
                p.passes = {parse_config_text(R"({"type": "reconvergence", "exits": "never"})", "test")};
                return p;
              }()),
      Error);
}

TEST(Pipeline, SameInputSameOutput) {
  const isa::Program parsed = kernel(kBody);
  EXPECT_EQ(make_listing(compile(parsed, {})), make_listing(compile(parsed, {})));
}

TEST(Pipeline, FoldingLeavesTheLaneFunctionsBound) {
  for (const auto& i : compile(kernel(kBody), {}).code) {
    const bool lanes = i.unit != isa::UnitClass::control && !i.is_memory();
    EXPECT_EQ(i.lane_function != nullptr, lanes) << to_string(i);
  }
}

TEST(Listing, ShowsWhatPassesDid) {
  const std::string text = make_listing(compile(kernel(kBody), with_passes({"toy-last-use"}, 8)));
  EXPECT_NE(text.find("kernel k (test.ptx)"), std::string::npos) << text;
  EXPECT_NE(text.find("architected registers: "), std::string::npos);
  EXPECT_NE(text.find("block 2 (ELSE): loop depth 0, to exit"), std::string::npos) << text;
  EXPECT_NE(text.find("meets at "), std::string::npos);
  EXPECT_NE(text.find("some lanes may be elsewhere"), std::string::npos);
  const std::string virtual_text = make_listing(kernel(kBody));
  EXPECT_NE(virtual_text.find("virtual registers: "), std::string::npos);
  EXPECT_EQ(virtual_text.find("diverges"), std::string::npos) << "reconvergence is not known yet";
}

TEST(Verify, FindsMalformedPrograms) {
  const isa::Program good = compile(kernel(kBody), {});
  EXPECT_NO_THROW(verify_program(good));
  const auto refuses = [&](const char* what, auto&& change) {
    isa::Program bad = good;
    change(bad);
    EXPECT_THROW(verify_program(bad), Error) << what;
  };
  const auto find = [](isa::Program& p, isa::Opcode op) -> isa::Instruction& {
    for (auto& i : p.code)
      if (i.op == op) return i;
    throw InternalError("no such instruction");
  };
  refuses("register out of range",
          [&](auto& p) { find(p, isa::Opcode::ld).dst[0].reg = RegId(p.registers); });
  refuses("odd pair", [&](auto& p) { find(p, isa::Opcode::ld).src[0].reg = RegId(1); });
  refuses("predicate out of range", [&](auto& p) { find(p, isa::Opcode::bra).guard.pred = PredId(9); });
  refuses("missing source", [&](auto& p) { find(p, isa::Opcode::setp).num_src = 1; });
  refuses("wrong width", [&](auto& p) { find(p, isa::Opcode::setp).src[0].bits = 64; });
  refuses("constant destination",
          [&](auto& p) { find(p, isa::Opcode::ld).dst[0] = isa::Operand::make_immediate(1, 32); });
  refuses("target out of range", [&](auto& p) { find(p, isa::Opcode::bra).target = 1000; });
  refuses("runs past the end", [&](auto& p) { p.code.pop_back(); });
  refuses("reconvergence elsewhere", [&](auto& p) { ++find(p, isa::Opcode::bra).reconvergence; });
  refuses("parameter out of range", [&](auto& p) { p.parameter_bytes = 4; });
}

}  // namespace
}  // namespace heddle::compiler
