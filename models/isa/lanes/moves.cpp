// Lane functions (each executes one instruction for all 32 lanes) of moves, packing, unpacking and
// isspacep. A move copies the bits of floats unchanged.

#include "models/isa/address_map.h"
#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

struct Copy {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return a;
  }
};
void copy_predicate(const Instruction&, LaneOperands& o) { o.pred_dst[0] = o.pred_src[0]; }

LaneFunction find_copy(DataType t) {
  switch (bits_of(t)) {
    case 1:
      return copy_predicate;
    case 16:
      return map1<Copy, u16, u16>;
    case 32:
      return map1<Copy, u32, u32>;
    case 64:
      return map1_words<Copy>;
    default:
      return nullptr;
  }
}

template <class Whole, int Parts>
void pack(const Instruction&, LaneOperands& o) {
  constexpr int bits = kBits<Whole> / Parts;
  const Out<Whole> d(o, 0);
  HEDDLE_EACH_LANE(i) {
    u64 whole = 0;
    for (int k = 0; k < Parts; ++k)
      whole |= (u64{o.src[k][0]->lane[i]} & (~u64{0} >> (64 - bits))) << (k * bits);
    d.set(i, static_cast<Whole>(whole));
  }
}
template <class Whole, int Parts>
void unpack(const Instruction&, LaneOperands& o) {
  constexpr int bits = kBits<Whole> / Parts;
  const In<Whole> a(o, 0);
  for (int k = 0; k < Parts; ++k) {
    const Out<u32> d(o, k);
    HEDDLE_EACH_LANE(i) d.set(i, static_cast<u32>(u64{a[i]} >> (k * bits) & (~u64{0} >> (64 - bits))));
  }
}

struct Movers {
  LaneFunction pack, unpack;
};
Movers find_movers(DataType whole, int parts) {
  switch (bits_of(whole)) {
    case 16:
      if (parts == 2) return {pack<u16, 2>, unpack<u16, 2>};
      break;
    case 32:
      if (parts == 2) return {pack<u32, 2>, unpack<u32, 2>};
      if (parts == 4) return {pack<u32, 4>, unpack<u32, 4>};
      break;
    case 64:
      if (parts == 2) return {pack<u64, 2>, unpack<u64, 2>};
      if (parts == 4) return {pack<u64, 4>, unpack<u64, 4>};
      break;
    default:
      break;
  }
  return {nullptr, nullptr};
}

// isspacep: tests whether an address lies in the window of a state space. Windows are below 2^32 and aligned
// to their size, so one comparison suffices.
template <u64 Base>
struct InWindow {
  HEDDLE_INLINE static bool apply(u64 address) { return address - Base < kWindowBytes; }
};
// isspacep.global: true for addresses outside all windows, and in the window of kernel parameters, which PTX
// counts as global memory (PTX ISA, isspacep).
struct Outside {
  HEDDLE_INLINE static bool apply(u64 address) {
    return address >= kModuleGlobals ||
           !(address - kSharedWindow < kWindowBytes || address - kLocalWindow < kWindowBytes ||
             address - kConstWindow < kWindowBytes);
  }
};
template <class Test, class Address>
void test_space(const Instruction&, LaneOperands& o) {
  const In<Address> a(o, 0);
  LaneVec flags;
  HEDDLE_EACH_LANE(i) flags.lane[i] = Test::apply(u64{a[i]}) ? ~0u : 0u;
  o.pred_dst[0] = collect(flags);
}
template <class Address>
LaneFunction find_space_test(Space space) {
  switch (space) {
    case Space::global:
      return test_space<Outside, Address>;
    case Space::shared:
      return test_space<InWindow<kSharedWindow>, Address>;
    case Space::local:
      return test_space<InWindow<kLocalWindow>, Address>;
    case Space::param:
      return test_space<InWindow<kParamWindow>, Address>;
    case Space::constant:
      return test_space<InWindow<kConstWindow>, Address>;
    case Space::generic:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

LaneFunction find_move(const Instruction& i) {
  switch (i.op) {
    case Opcode::mov:
      return find_copy(i.type);
    case Opcode::cvta:
      return bits_of(i.type) >= 32 ? find_copy(i.type) : nullptr;
    case Opcode::pack:
      return find_movers(i.type, i.num_src).pack;
    case Opcode::unpack:
      return find_movers(i.type, i.num_dst).unpack;
    case Opcode::isspacep:
      return i.src[0].bits == 64 ? find_space_test<u64>(i.memory.space)
                                 : find_space_test<u32>(i.memory.space);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
