#include "models/compiler/analyses/variables.h"

#include <fmt/format.h>

#include "models/compiler/analyses/use_def.h"
#include "models/core/error.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

template <class F>
void for_each_operand(const isa::Program& program, F&& f) {
  for (const Instruction& i : program.code) {
    for (const Operand& o : i.destinations()) f(i, o);
    for (const Operand& o : i.sources()) f(i, o);
  }
}

Variables find_predicates(const isa::Program& program) {
  Variables v;
  v.of.assign(program.predicates, -1);
  v.offset.assign(program.predicates, 0);
  const auto name = [&](PredId p) {
    if (v.of[p.value] >= 0) return;
    v.of[p.value] = v.count();
    v.size.push_back(1);
    v.first.push_back(p.value);
  };
  for (const Instruction& i : program.code)
    if (i.guard.present) name(i.guard.pred);
  for_each_operand(program, [&](const Instruction&, const Operand& o) {
    if (o.is_pred()) name(o.pred);
  });
  return v;
}

}  // namespace

Variables find_variables(const isa::Program& program, RegisterClass cls) {
  if (cls == RegisterClass::predicate) return find_predicates(program);
  Variables v;
  std::vector<bool> named(program.registers, false), pair(std::size_t{program.registers} + 1, false);
  for_each_operand(program, [&](const Instruction&, const Operand& o) {
    for_each_word(o, [&](std::uint32_t w) { named[w] = true; });
    if (o.words() == 2) pair[o.reg.value] = true;
  });
  v.of.assign(program.registers, -1);
  v.offset.assign(program.registers, 0);
  for (std::uint32_t w = 0; w < program.registers; ++w) {
    if (!named[w]) continue;
    if (pair[w] && pair[w + 1])
      throw Error(program.file, fmt::format("kernel {}: 64-bit registers {} and {} overlap by half",
                                            program.kernel, w, w + 1));
    const std::uint8_t size = pair[w] ? 2 : 1;
    for (std::uint8_t k = 0; k < size; ++k) {
      v.of[w + k] = v.count();
      v.offset[w + k] = k;
    }
    v.size.push_back(size);
    v.first.push_back(w);
    w += size - 1u;
  }
  return v;
}

}  // namespace heddle::compiler
