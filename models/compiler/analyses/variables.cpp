#include "models/compiler/analyses/variables.h"

#include <fmt/format.h>

#include <algorithm>

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
  v.part.assign(program.predicates, -1);
  const auto name = [&](PredId p) {
    if (v.of[p.value] >= 0) return;
    v.of[p.value] = v.part[p.value] = v.count();
    v.variable_of_part.push_back(v.count());
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
  std::vector<bool> named(program.registers, false);
  std::vector<std::uint8_t> widest(program.registers,
                                   1);  // for each word: word count of the widest operand that begins there
  bool in_parts = false;
  for_each_operand(program, [&](const Instruction& i, const Operand& o) {
    for_each_word(o, [&](std::uint32_t w) { named[w] = true; });
    if (o.words() > 1)
      widest[o.reg.value] = std::max(widest[o.reg.value], static_cast<std::uint8_t>(o.words()));
    in_parts = in_parts || i.unit == isa::UnitClass::matrix;
  });
  v.of.assign(program.registers, -1);
  v.offset.assign(program.registers, 0);
  v.part.assign(program.registers, -1);
  for (std::uint32_t w = 0; w < program.registers; ++w) {
    if (!named[w]) continue;
    const std::uint8_t size = widest[w];
    for (std::uint8_t k = 0; k < size; ++k) {
      if (k % widest[w + k] != 0 || k + widest[w + k] > size)
        throw Error(program.file,
                    fmt::format("kernel {}: registers {} and {} begin operands that overlap by half",
                                program.kernel, w, w + k));
      v.of[w + k] = v.count();
      v.offset[w + k] = k;
      if (k == 0 || in_parts) v.variable_of_part.push_back(v.count());
      v.part[w + k] = static_cast<int>(v.variable_of_part.size()) - 1;
    }
    v.size.push_back(size);
    v.first.push_back(w);
    w += size - 1u;
  }
  return v;
}

}  // namespace heddle::compiler
