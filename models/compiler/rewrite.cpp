#include "models/compiler/rewrite.h"

#include "models/core/error.h"

namespace heddle::compiler {

void rewrite(isa::Program& program,
             const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>& f) {
  std::vector<isa::Instruction> code;
  code.reserve(program.code.size());
  std::vector<std::int32_t> moved(program.code.size() + 1);
  Replacement out;
  out.code_ = &code;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    moved[i] = static_cast<std::int32_t>(code.size());
    const std::size_t from = code.size();
    f(i, program.code[i], out);
    for (std::size_t n = from; n < code.size() && program.code[i].notes != 0; ++n)
      if (code[n].notes == 0) code[n].notes = program.notes.intervals_of(program.code[i].notes);
  }
  moved.back() = static_cast<std::int32_t>(code.size());
  const auto follow = [&](std::int32_t& index) {
    if (index == isa::kNoTarget) return;
    index = moved[static_cast<std::size_t>(index)];
    if (index >= static_cast<std::int32_t>(code.size()))
      throw InternalError("the target of a branch was removed at the end of the program");
  };
  for (isa::Instruction& i : code) {
    follow(i.target);
    follow(i.reconvergence);
  }
  if (!program.labels.empty()) {
    std::vector<std::string> labels(code.size());
    for (std::size_t i = 0; i < program.labels.size() && i < program.code.size(); ++i) {
      if (program.labels[i].empty() || moved[i] >= static_cast<std::int32_t>(code.size())) continue;
      std::string& label = labels[static_cast<std::size_t>(moved[i])];
      if (label.empty()) label = std::move(program.labels[i]);
    }
    program.labels = std::move(labels);
  }
  program.code = std::move(code);
}

void remove_instructions(isa::Program& program, const std::vector<bool>& removed) {
  rewrite(program, [&](std::size_t n, const isa::Instruction& i, Replacement& out) {
    if (!removed[n]) out.emit(i);
  });
}

isa::Instruction make_overhead(const isa::Instruction& served, isa::Opcode op, isa::DataType type) {
  isa::Instruction i;
  i.op = op;
  i.type = type;
  i.source_type = type;
  i.location = served.location;
  i.overhead = true;
  classify(i);
  return i;
}

}  // namespace heddle::compiler
