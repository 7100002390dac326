#include "models/isa/thread_progress.h"

#include <algorithm>

namespace heddle::isa {
namespace {

bool tests_shared_word(const Instruction& i) {
  if (i.op == Opcode::ld) return i.memory.ordering != Ordering::weak && i.memory.space != Space::local;
  if (i.op != Opcode::atom) return false;
  switch (i.modifiers.atomic) {
    case AtomicOp::cas:
    case AtomicOp::exch:
    case AtomicOp::mb_test:
    case AtomicOp::mb_wait:
      return true;
    case AtomicOp::add:
    case AtomicOp::or_:
    case AtomicOp::xor_:
    case AtomicOp::max:
      return i.num_src > 1 && i.src[1].kind == Operand::Kind::immediate && i.src[1].value == 0;
    default:
      return false;
  }
}

}  // namespace

ThreadProgress thread_progress_of(const std::string& name) {
  return name == "on" ? ThreadProgress::on : name == "off" ? ThreadProgress::off : ThreadProgress::by_target;
}

bool has_thread_progress(const Program& program, ThreadProgress choice) {
  if (choice == ThreadProgress::off) return false;
  if (choice == ThreadProgress::by_target && program.sm < kFirstWithProgress) return false;
  return std::none_of(program.code.begin(), program.code.end(), ends_values);
}

std::vector<bool> waiting_branches(const Program& program) {
  const std::vector<Instruction>& code = program.code;
  std::vector<bool> waits(code.size());
  for (std::size_t at = 0; at < code.size(); ++at) {
    const Instruction& i = code[at];
    if (!i.is_branch() || i.target < 0 || static_cast<std::size_t>(i.target) > at) continue;
    waits[at] = std::any_of(code.begin() + i.target, code.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                            tests_shared_word);
  }
  return waits;
}

bool meets_lanes(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::bar:
    case Opcode::bar_warp:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::isa
