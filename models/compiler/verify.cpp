#include "models/compiler/verify.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/check_control_bits.h"
#include "models/compiler/check_levels.h"
#include "models/compiler/check_releases.h"
#include "models/core/error.h"
#include "models/isa/operand_shape.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

struct Shape {
  int min_dst, max_dst, min_src, max_src;
};

// Returns the operands that a memory or control operation must have. Returns nothing for operations with a
// lane function (see models/isa/operand_shape.h).
std::optional<Shape> shape_of(Opcode op) {
  switch (op) {
    case Opcode::bra:
    case Opcode::exit:
    case Opcode::membar:
    case Opcode::commit:
    case Opcode::trap:
      return Shape{0, 0, 0, 0};
    case Opcode::nop:
      return Shape{0, isa::kMaxDestinations, 0, isa::kMaxSources};
    case Opcode::bar:
      return Shape{0, 1, 0, 3};
    case Opcode::bar_warp:
      return Shape{0, 0, 0, 1};
    case Opcode::wait_group:
    case Opcode::nanosleep:
    case Opcode::prefetch:
      return Shape{0, 0, 1, 1};
    case Opcode::ld:
      return Shape{1, 4, 1, 1};
    case Opcode::copy:
      return Shape{0, 0, 2, 3};
    case Opcode::tex:
      return Shape{4, 4, 2, isa::kMaxSources};
    case Opcode::st:
      return Shape{0, 0, 2, 5};
    case Opcode::atom:
      return Shape{1, 1, 2, 3};
    case Opcode::red:
      return Shape{0, 0, 2, 3};
    default:
      return std::nullopt;
  }
}

class Verifier {
 public:
  explicit Verifier(const isa::Program& program) : program_(program) {}

  void run() {
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      check_operands(n);
      check_notes(n);
    }
    const ControlFlow flow(program_);
    check_reconvergence(flow);
    check_discards(flow);
    if (uses_levels(program_)) check_levels(program_);
    if (has_control_bits(program_)) check_control_bits(program_);
    check_hints();
  }

 private:
  [[noreturn]] void fail(std::size_t n, const std::string& what, const std::string& allowed = {}) const {
    const auto& l = program_.code[n].location;
    throw Error(fmt::format("{}:{}:{}", program_.file, l.ptx_line, l.ptx_column),
                fmt::format("kernel {}, instruction {} \"{}\": {}", program_.kernel, n,
                            to_string(program_.code[n]), what),
                allowed);
  }

  void check_hints() const {
    const auto& hints = program_.register_hints;
    const auto wrong = [this](const std::string& what, const std::string& allowed) {
      return Error(program_.file, fmt::format("kernel {}: {}", program_.kernel, what), allowed);
    };
    if (!hints.empty() && hints.size() != program_.registers)
      throw wrong(fmt::format("{} hints for {} registers", hints.size(), program_.registers),
                  "none, or one a register");
    for (std::size_t r = 0; r < hints.size(); ++r) {
      const std::uint16_t partner = hints[r].partner;
      if (partner == isa::RegisterHint::kNoPartner) continue;
      if (partner == r || partner >= hints.size() || hints[partner].partner != r)
        throw wrong(fmt::format("r{} is to share a row with r{}", r, partner), "the partner of its partner");
    }
  }

  void check_operands(std::size_t n) const {
    const Instruction& i = program_.code[n];
    if (i.metadata) return;
    if (const auto s = shape_of(i.op)) {
      if (i.num_dst < s->min_dst || i.num_dst > s->max_dst)
        fail(n, fmt::format("{} destinations", i.num_dst), fmt::format("{}..{}", s->min_dst, s->max_dst));
      if (i.num_src < s->min_src || i.num_src > s->max_src)
        fail(n, fmt::format("{} sources", i.num_src), fmt::format("{}..{}", s->min_src, s->max_src));
    } else if (const std::string fault = isa::find_operand_fault(i); !fault.empty()) {
      fail(n, fault);
    }
    for (const Operand& o : i.destinations()) {
      if (o.kind != Operand::Kind::none && !o.is_reg() && !o.is_pred())
        fail(n, "a destination that is no register");
      if (o.negated) fail(n, "a negated destination");
      check_operand(n, o);
    }
    for (const Operand& o : i.sources()) {
      if (o.kind == Operand::Kind::none) fail(n, "a source is missing");
      if (o.negated && o.bits != 1) fail(n, "a negated source that is no predicate");
      check_operand(n, o);
    }
    if (i.guard.present) check_predicate(n, i.guard.pred);
  }

  void check_operand(std::size_t n, const Operand& o) const {
    switch (o.kind) {
      case Operand::Kind::reg:
        if (!std::has_single_bit(static_cast<unsigned>(o.bits)) || o.bits < 8 || o.bits > 256)
          fail(n, fmt::format("a register of {} bits", o.bits), "8, 16, 32, 64, 128, 256");
        if (o.reg.value + static_cast<std::uint32_t>(o.words()) > program_.registers)
          fail(n, fmt::format("register {} of {}", o.reg.value + static_cast<std::uint32_t>(o.words()) - 1,
                              program_.registers));
        if (program_.architected && o.reg.value % static_cast<std::uint32_t>(o.words()) != 0)
          fail(n, fmt::format("a group of {} registers starts at register {}", o.words(), o.reg.value),
               "a multiple of the number of registers");
        return;
      case Operand::Kind::pred:
        check_predicate(n, o.pred);
        return;
      case Operand::Kind::param:
        if (o.value + static_cast<std::uint64_t>(o.bits + 7) / 8 > program_.parameter_bytes)
          fail(n, fmt::format("parameter offset {} of {} bytes", o.value, program_.parameter_bytes));
        return;
      default:
        return;
    }
  }

  void check_notes(std::size_t n) const {
    const auto check = [&](isa::NoteSet set) {
      if (set >= program_.notes.sets())
        fail(n, fmt::format("set {} of notes, of {}", set, program_.notes.sets()));
    };
    check(program_.code[n].notes);
    for (const Operand& o : program_.code[n].destinations()) check(o.notes);
    for (const Operand& o : program_.code[n].sources()) check(o.notes);
  }

  void check_predicate(std::size_t n, PredId p) const {
    if (p.value >= program_.predicates)
      fail(n, fmt::format("predicate {} of {}", p.value, program_.predicates));
  }

  void check_reconvergence(const ControlFlow& flow) const {
    std::vector<int> rules[2];
    for (int b = 0; b < flow.size(); ++b) {
      const std::size_t n = flow.block(b).end - 1;
      const Instruction& i = program_.code[n];
      if (i.reconvergence == isa::kNoTarget) continue;
      if (rules[0].empty()) {
        rules[0] = reconvergence_blocks(program_, flow, ExitRule::end_of_all);
        rules[1] = reconvergence_blocks(program_, flow, ExitRule::leave);
      }
      const auto meets = [&](const std::vector<int>& rule) {
        const int at = rule[static_cast<std::size_t>(b)];
        return at != kNoBlock && static_cast<std::int32_t>(flow.block(at).first) == i.reconvergence;
      };
      if (!i.is_branch() || (!meets(rules[0]) && !meets(rules[1])))
        fail(n, fmt::format("reconvergence point {} is not where all lanes come", i.reconvergence));
    }
  }

  void check_discards(const ControlFlow& flow) const {
    bool any = false;
    for (const Instruction& i : program_.code) {
      for (const Operand& o : i.sources()) any = any || o.annotation.last_use;
      for (const Operand& o : i.destinations()) any = any || o.annotation.dead;
    }
    const bool releases = uses_releases(program_);
    if (!any && !releases) return;
    const LiveSets thread(program_, flow);
    const Divergence divergence(program_, flow);
    const WarpLiveSets warp(program_, flow, thread, divergence);
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      for (const Operand& o : program_.code[n].sources()) {
        if (!o.annotation.last_use) continue;
        for_each_word(o, [&](std::uint32_t w) {
          if (!warp.dies_at(program_, n, w))
            fail(n, fmt::format(
                        "register {} is marked as used for the last time, but a lane may still read it", w));
        });
      }
      for (const Operand& o : program_.code[n].destinations()) {
        if (!o.annotation.dead) continue;
        for_each_word(o, [&](std::uint32_t w) {
          if (warp.word_after(n, w))
            fail(n, fmt::format("register {} is marked dead, but a lane may still read it", w));
        });
      }
    }
    if (!releases) return;
    if (const auto fault = find_release_fault(program_, flow, warp)) fail(fault->instruction, fault->what);
  }

  const isa::Program& program_;
};

}  // namespace

void verify_program(const isa::Program& program) { Verifier(program).run(); }

void verify_after_pass(const std::string& pass, const isa::Program& program) {
  try {
    verify_program(program);
  } catch (const Error& e) {
    throw InternalError("compiler pass \"" + pass + "\" broke the program: " + e.what());
  }
}

}  // namespace heddle::compiler
