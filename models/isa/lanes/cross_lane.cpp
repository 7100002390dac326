#include "models/isa/lanes/cross_lane.h"

#include <algorithm>

#include "models/isa/matrix_rows.h"

namespace heddle::isa::lanes {
namespace {

// Lanes that take part in a cross-lane operation together with lane i: all active lanes, or in .sync forms
// the active lanes in lane i's member mask (the last source).
class Members {
 public:
  Members(const Instruction& instruction, const LaneOperands& o)
      : active_(o.active), mask_(instruction.modifiers.sync ? o.src[instruction.num_src - 1][0] : nullptr) {}
  LaneMask of(int lane) const { return mask_ ? active_ & mask_->lane[lane] : active_; }

 private:
  LaneMask active_;
  const LaneVec* mask_;
};

void vote_ballot(const Instruction& instruction, LaneOperands& o) {
  const Members members(instruction, o);
  for (int i = 0; i < kLanes; ++i)
    if (o.dst[0][0]) o.dst[0][0]->lane[i] = members.of(i) & o.pred_src[0];
}
template <VoteMode Mode>
void vote(const Instruction& instruction, LaneOperands& o) {
  const Members members(instruction, o);
  LaneMask result = 0;
  for (int i = 0; i < kLanes; ++i) {
    const LaneMask group = members.of(i);
    const LaneMask yes = group & o.pred_src[0];
    const bool truth = Mode == VoteMode::all   ? yes == group
                       : Mode == VoteMode::any ? yes != 0
                                               : yes == group || yes == 0;
    if (truth) result |= 1u << i;
  }
  o.pred_dst[0] = result;
}

std::uint64_t value_of(const LaneOperands& o, int slot, int lane) {
  const std::uint64_t high = o.src[slot][1] ? o.src[slot][1]->lane[lane] : 0u;
  return high << 32 | o.src[slot][0]->lane[lane];
}
LaneMask equals_of(const LaneOperands& o, std::uint64_t value) {
  LaneMask same = 0;
  for (int i = 0; i < kLanes; ++i)
    if (value_of(o, 0, i) == value) same |= 1u << i;
  return same;
}
template <MatchMode Mode>
void match(const Instruction& instruction, LaneOperands& o) {
  const Members members(instruction, o);
  LaneMask all = 0;
  for (int i = 0; i < kLanes; ++i) {
    const LaneMask group = members.of(i);
    const LaneMask same = group & equals_of(o, value_of(o, 0, i));
    const bool agree = same == group;
    if (agree) all |= 1u << i;
    if (o.dst[0][0]) o.dst[0][0]->lane[i] = Mode == MatchMode::any ? same : agree ? group : 0u;
  }
  o.pred_dst[1] = all;
}

void active_mask(const Instruction&, LaneOperands& o) {
  if (o.dst[0][0]) o.dst[0][0]->fill(o.active);
}

template <class T>
T reduce(AtomicOp op, T a, T b) {
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    case AtomicOp::and_:
      return a & b;
    case AtomicOp::or_:
      return a | b;
    case AtomicOp::xor_:
      return a ^ b;
    case AtomicOp::min:
      return std::min(a, b);
    case AtomicOp::max:
      return std::max(a, b);
    default:
      return a;
  }
}
template <class T>
void redux(const Instruction& instruction, LaneOperands& o) {
  const Members members(instruction, o);
  for (int i = 0; i < kLanes; ++i) {
    LaneMask left = members.of(i);
    T result = 0;
    for (bool first = true; left != 0; left &= left - 1, first = false) {
      const T value = static_cast<T>(o.src[0][0]->lane[std::countr_zero(left)]);
      result = first ? value : reduce<T>(instruction.modifiers.atomic, result, value);
    }
    if (o.dst[0][0]) o.dst[0][0]->lane[i] = static_cast<std::uint32_t>(result);
  }
}

// Transposes an 8x8 matrix of 16-bit elements.
void transpose(const Instruction&, LaneOperands& o) {
  LaneVec result{};
  for (int row = 0; row < kMatrixRows; ++row)
    for (int column = 0; column < kMatrixRows; ++column) {
      const ElementHolder from = holder_of(false, row, column), to = holder_of(true, row, column);
      const std::uint32_t element = o.src[0][0]->lane[from.lane] >> 16 * from.half & 0xffffu;
      result.lane[to.lane] |= element << 16 * to.half;
    }
  if (o.dst[0][0]) *o.dst[0][0] = result;
}

LaneFunction find_vote(VoteMode mode) {
  switch (mode) {
    case VoteMode::none:
      return nullptr;
    case VoteMode::all:
      return vote<VoteMode::all>;
    case VoteMode::any:
      return vote<VoteMode::any>;
    case VoteMode::uni:
      return vote<VoteMode::uni>;
    case VoteMode::ballot:
      return vote_ballot;
  }
  return nullptr;
}
LaneFunction find_redux(const Instruction& i) {
  switch (i.modifiers.atomic) {
    case AtomicOp::add:
    case AtomicOp::min:
    case AtomicOp::max:
      if (i.type == DataType::s32) return redux<std::int32_t>;
      return i.type == DataType::u32 ? redux<std::uint32_t> : nullptr;
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
      return i.type == DataType::b32 ? redux<std::uint32_t> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

LaneFunction find_cross_lane(const Instruction& i) {
  switch (i.op) {
    case Opcode::vote:
      return find_vote(i.modifiers.vote);
    case Opcode::match:
      if (i.type != DataType::b32 && i.type != DataType::b64) return nullptr;
      return i.modifiers.match == MatchMode::any   ? match<MatchMode::any>
             : i.modifiers.match == MatchMode::all ? match<MatchMode::all>
                                                   : nullptr;
    case Opcode::activemask:
      return active_mask;
    case Opcode::redux:
      return find_redux(i);
    case Opcode::movmatrix:
      return i.type == DataType::b16 ? transpose : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes
