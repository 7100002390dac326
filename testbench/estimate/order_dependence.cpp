#include "testbench/estimate/order_dependence.h"

#include <algorithm>
#include <vector>

namespace heddle::estimate {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool is_clock_or_place(const Operand& operand) {
  if (operand.kind != Operand::Kind::special) return false;
  return isa::is_clock(operand.special) || operand.special == isa::SpecialRegister::smid ||
         operand.special == isa::SpecialRegister::warpid;
}

// Returns true for atomics, and for volatile and ordered loads: they access words that other threads may
// change at any time. Accesses to shared memory do not count, because barriers order them within a CTA.
bool is_access_source(const Instruction& i) {
  if (i.op == Opcode::atom) return i.memory.space != isa::Space::shared;
  return i.op == Opcode::ld && i.memory.ordering != isa::Ordering::weak &&
         i.memory.space != isa::Space::shared && i.memory.space != isa::Space::local;
}

class Follower {
 public:
  Follower(const isa::Program& program, bool reads_known)
      : program_(program),
        reads_known_(reads_known),
        registers_(program.registers + 1),
        predicates_(program.predicates) {}

  OrderDependence run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& i : program_.code)
        if (is_source(i) || (i.op != Opcode::ld && reads_marked(i)))
          for (const Operand& to : i.destinations()) changed = mark(to) || changed;
    }
    OrderDependence found = OrderDependence::none;
    for (std::size_t at = 0; at < program_.code.size(); ++at) {
      const Instruction& i = program_.code[at];
      if (!i.guard.present || !predicates_[i.guard.pred.value]) continue;
      if (i.is_branch() && in_loop_with(at, i)) return OrderDependence::waits;
      found = OrderDependence::counts;
    }
    return found;
  }

 private:
  bool is_source(const Instruction& i) const {
    return is_access_source(i) || (!reads_known_ && i.op != Opcode::ld &&
                                   std::any_of(i.sources().begin(), i.sources().end(), is_clock_or_place));
  }
  bool marked(const Operand& o) const {
    if (o.is_pred()) return predicates_[o.pred.value];
    for (int w = 0; w < o.words(); ++w)
      if (registers_[o.reg.value + static_cast<std::size_t>(w)]) return true;
    return false;
  }
  bool reads_marked(const Instruction& i) const {
    return (i.guard.present && predicates_[i.guard.pred.value]) ||
           std::any_of(i.sources().begin(), i.sources().end(),
                       [this](const Operand& o) { return marked(o); });
  }
  bool mark(const Operand& o) {
    if (marked(o) && o.words() < 2) return false;
    if (o.is_pred()) {
      predicates_[o.pred.value] = true;
      return true;
    }
    if (!o.is_reg()) return false;
    bool changed = false;
    for (int w = 0; w < o.words(); ++w) {
      const auto r = static_cast<std::size_t>(o.reg.value) + static_cast<std::size_t>(w);
      changed = changed || !registers_[r];
      registers_[r] = true;
    }
    return changed;
  }
  // Returns true if the branch repeats a loop that reads words which other threads may write. Such a loop may
  // wait for a write of another thread.
  bool in_loop_with(std::size_t at, const Instruction& branch) const {
    for (std::size_t j = 0; j < program_.code.size(); ++j) {
      const Instruction& jump = program_.code[j];
      if (!jump.is_branch() || jump.target < 0 || static_cast<std::size_t>(jump.target) > j) continue;
      const auto first = static_cast<std::size_t>(jump.target);
      const bool decides = at == j || (at >= first && at <= j && leaves(branch, first, j));
      if (decides && has_source(first, j)) return true;
    }
    return false;
  }
  static bool leaves(const Instruction& branch, std::size_t first, std::size_t last) {
    const auto target = static_cast<std::size_t>(branch.target);
    return target < first || target > last;
  }
  bool has_source(std::size_t first, std::size_t last) const {
    return std::any_of(program_.code.begin() + static_cast<std::ptrdiff_t>(first),
                       program_.code.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                       [this](const Instruction& i) { return is_source(i) && !is_retry(i); });
  }
  // Returns true for a compare-and-swap whose comparison value depends on a word that other threads may
  // write. A loop that repeats this instruction waits for no thread, because the compare-and-swap fails only
  // if another thread's compare-and-swap has succeeded.
  bool is_retry(const Instruction& i) const {
    return i.op == Opcode::atom && i.modifiers.atomic == isa::AtomicOp::cas && i.num_src > 1 &&
           marked(i.src[1]);
  }

  const isa::Program& program_;
  bool reads_known_;
  std::vector<bool> registers_, predicates_;
};

}  // namespace

OrderDependence order_dependence(const isa::Program& program, bool reads_known) {
  return Follower(program, reads_known).run();
}

}  // namespace heddle::estimate
