#include "models/reference/code_reach.h"

#include "models/isa/kept_calls.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;

struct CallPlaces {
  std::vector<std::size_t> functions, after_calls;
};

CallPlaces call_places(const isa::Program& program) {
  CallPlaces places;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (isa::begins_function(program.code[i])) places.functions.push_back(i);
    if (isa::is_kept_call(program.code[i])) places.after_calls.push_back(i + 1);
  }
  return places;
}

template <class F>
void for_next(const isa::Program& program, const CallPlaces& places, std::size_t pc, F f) {
  const Instruction& i = program.code[pc];
  const bool call = isa::is_kept_call(i), leaves = isa::is_return(i);
  if (call)
    for (const std::size_t to : places.functions) f(to);
  if (leaves)
    for (const std::size_t to : places.after_calls) f(to);
  const bool jumps = i.op == Opcode::bra && !call && !leaves;
  if (jumps && i.target >= 0) f(static_cast<std::size_t>(i.target));
  const bool goes_on = i.guard.present || call || !(jumps || leaves || i.op == Opcode::exit);
  if (goes_on && pc + 1 < program.code.size()) f(pc + 1);
}

}  // namespace

CodeReach::CodeReach(const isa::Program& program) : program_(program), barrier_(program.code.size()) {
  const CallPlaces places = call_places(program);
  std::vector<std::vector<std::uint32_t>> from(program.code.size());
  std::vector<std::size_t> work;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    for_next(program, places, pc,
             [&](std::size_t to) { from[to].push_back(static_cast<std::uint32_t>(pc)); });
    if (program.code[pc].op != Opcode::bar) continue;
    barrier_[pc] = true;
    work.push_back(pc);
  }
  while (!work.empty()) {
    const std::size_t pc = work.back();
    work.pop_back();
    for (const std::uint32_t before : from[pc]) {
      if (barrier_[before]) continue;
      barrier_[before] = true;
      work.push_back(before);
    }
  }
}

std::int32_t CodeReach::next_real(std::int32_t pc) const {
  for (std::size_t steps = program_.code.size(); steps > 0; --steps) {
    if (pc < 0 || static_cast<std::size_t>(pc) >= program_.code.size()) return pc;
    const Instruction& i = program_.code[static_cast<std::size_t>(pc)];
    if (i.metadata || i.op == Opcode::nop)
      ++pc;
    else if (i.op == Opcode::bra && !i.guard.present && i.target >= 0)
      pc = i.target;
    else
      return pc;
  }
  return pc;
}

bool CodeReach::ends(std::int32_t pc) const {
  pc = next_real(pc);
  return pc >= 0 && static_cast<std::size_t>(pc) < program_.code.size() &&
         program_.code[static_cast<std::size_t>(pc)].op == Opcode::exit &&
         !program_.code[static_cast<std::size_t>(pc)].guard.present;
}

}  // namespace heddle::reference
