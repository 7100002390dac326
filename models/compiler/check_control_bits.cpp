#include "models/compiler/check_control_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/compiler/analyses/forward_flow.h"
#include "models/compiler/analyses/issue_hazards.h"
#include "models/compiler/reuse_bits.h"
#include "models/core/error.h"

namespace heddle::compiler {
namespace {

using isa::ControlBits;
using isa::Instruction;

constexpr const char* kUnproven = "unproven";

std::string conflict_text(const IssueHazards::Conflict& conflict, const isa::Program& program) {
  using Kind = IssueHazards::Conflict::Kind;
  const std::string member = conflict.member < program.registers
                                 ? fmt::format("register {}", conflict.member)
                                 : fmt::format("predicate {}", conflict.member - program.registers);
  switch (conflict.kind) {
    case Kind::early:
      return fmt::format("reads {} {} cycle{} before it is ready", member, conflict.cycles,
                         conflict.cycles == 1 ? "" : "s");
    case Kind::order:
      return fmt::format("writes {} {} cycle{} too early: an earlier result comes later", member,
                         conflict.cycles, conflict.cycles == 1 ? "" : "s");
    case Kind::overwrite:
      return fmt::format("writes {} {} cycle{} before an earlier instruction has read it", member,
                         conflict.cycles, conflict.cycles == 1 ? "" : "s");
    case Kind::write:
      return fmt::format("does not wait for an outstanding result in {}", member);
    case Kind::read:
      return fmt::format("writes {} without a wait for an outstanding read", member);
    case Kind::none:
      break;
  }
  return {};
}

std::string bit_fault(const Instruction& i) {
  const ControlBits& bits = i.control;
  if (!bits.set) return "no control bits; allowed: bits of all issued instructions";
  if (bits.stall > isa::kLargestStall)
    return fmt::format("a stall of {}; allowed: 0 to {}", bits.stall, isa::kLargestStall);
  for (const unsigned counter : {bits.write_counter, bits.read_counter})
    if (counter >= isa::kDependenceCounters && counter != ControlBits::kNoCounter)
      return fmt::format("counter {}; allowed: 0 to {}", counter, isa::kDependenceCounters - 1);
  if (bits.wait_mask >> isa::kDependenceCounters)
    return fmt::format("a wait for counters {:#b}; allowed: counters 0 to {}", bits.wait_mask,
                       isa::kDependenceCounters - 1);
  for (const isa::Operand& o : i.destinations())
    if (o.annotation.reuse) return "a reuse bit of a destination; allowed: of source registers";
  for (const isa::Operand& o : i.sources())
    if (o.annotation.reuse && !o.is_reg())
      return "a reuse bit of an operand that is no register; allowed: of source registers";
  return {};
}

}  // namespace

bool has_control_bits(const isa::Program& program) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [](const Instruction& i) { return i.control.set; });
}

void mark_unproven(isa::Program& program) { program.notes.attach({kUnproven, {1}}); }

bool is_unproven(const isa::Program& program) {
  const auto notes = program.notes.of(program.notes.of_program());
  return std::any_of(notes.begin(), notes.end(), [](const isa::Note& n) { return n.name == kUnproven; });
}

std::optional<ControlFault> find_malformed_bits(const isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    if (program.code[n].metadata) continue;
    if (std::string what = bit_fault(program.code[n]); !what.empty()) return ControlFault{n, std::move(what)};
  }
  return std::nullopt;
}

std::optional<ControlFault> find_control_fault(const isa::Program& program, const ControlFlow& flow,
                                               const Divergence& divergence) {
  const isa::LatencyTable& table = *program.latencies;
  const WarpFlow warp(program, flow, divergence);
  std::optional<ControlFault> fault;
  const auto walk = [&](int b, IssueHazards& state, bool report) {
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) {
      const Instruction& i = program.code[n];
      if (i.metadata) continue;
      if (report && (!fault || n < fault->instruction))
        if (const auto conflict = state.conflict_of(i); conflict.kind != IssueHazards::Conflict::Kind::none)
          fault = ControlFault{n, conflict_text(conflict, program)};
      state.issue(i);
      state.advance(issue_gap(i.control));
    }
  };
  const std::vector<IssueHazards> in =
      solve_forward(warp, IssueHazards(table, program.registers),
                    [&](int b, IssueHazards& state) { walk(b, state, false); });
  for (const int node : warp.order()) {
    if (!warp.is_block(node)) continue;
    IssueHazards state = in[static_cast<std::size_t>(node)];
    walk(node, state, true);
  }
  if (const auto stale = find_stale_reuse(program, flow, warp, table);
      stale && (!fault || stale->instruction < fault->instruction))
    fault = ControlFault{stale->instruction,
                         fmt::format("may find an old value of register {} in the reuse cache", stale->word)};
  return fault;
}

void check_control_bits(const isa::Program& program) {
  std::optional<ControlFault> fault = find_malformed_bits(program);
  if (!fault && program.latencies && !is_unproven(program)) {
    const ControlFlow flow(program);
    fault = find_control_fault(program, flow, Divergence(program, flow));
  }
  if (!fault) return;
  const auto& l = program.code[fault->instruction].location;
  throw Error(fmt::format("{}:{}:{}", program.file, l.ptx_line, l.ptx_column),
              fmt::format("kernel {}, instruction {} \"{}\": {}", program.kernel, fault->instruction,
                          to_string(program.code[fault->instruction]), fault->what));
}

}  // namespace heddle::compiler
