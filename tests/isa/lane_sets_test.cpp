// Both implementations of the lane functions (for plain hosts, and for hosts with wide vector instructions)
// must give the same bits for every instruction form. The look-up of a lane function must not fail for any
// combination of operation, type and modifiers.

#include <cfenv>
#include <set>
#include <string>
#include <tuple>

#include "models/isa/result_place.h"
#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

using lanes::LaneSet;

constexpr DataType kTypes[] = {
    DataType::none,  DataType::pred,   DataType::b8,    DataType::b16,  DataType::b32, DataType::b64,
    DataType::u8,    DataType::u16,    DataType::u32,   DataType::u64,  DataType::s8,  DataType::s16,
    DataType::s32,   DataType::s64,    DataType::f32,   DataType::f64,  DataType::f16, DataType::bf16,
    DataType::f16x2, DataType::bf16x2, DataType::u16x2, DataType::s16x2};

bool has_lane_function(Opcode op) { return op < Opcode::ld; }

// Values near which integer or floating-point arithmetic changes its behaviour.
constexpr std::uint64_t kSpecial[] = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      15,
                                      16,
                                      17,
                                      23,
                                      24,
                                      31,
                                      32,
                                      33,
                                      63,
                                      64,
                                      65,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x100,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x10000,
                                      0x7fffffff,
                                      0x80000000,
                                      0x80000001,
                                      0xfffffffe,
                                      0xffffffff,
                                      0x3f800000,
                                      0xbf800000,
                                      0x40000000,
                                      0x3f000000,
                                      0x00800000,
                                      0x00000001,
                                      0x007fffff,
                                      0x80800000,
                                      0x7f7fffff,
                                      0xff7fffff,
                                      0x7f800000,
                                      0xff800000,
                                      0x7fc00000,
                                      0x7f800001,
                                      0xffc12345,
                                      0x4b000000,
                                      0x4b7fffff,
                                      0x4f000000,
                                      0x5f000000,
                                      0xcf000000,
                                      0xdf000000,
                                      0x42fe0000,
                                      0xc3150000,
                                      0x40490fdb,
                                      0x49742400,
                                      0x7f000001,
                                      0x7e800000,
                                      0x3e99999a,
                                      0x3ff00000'00000000,
                                      0xbff00000'00000000,
                                      0x7ff00000'00000000,
                                      0xfff00000'00000000,
                                      0x7ff80000'00000000,
                                      0x7ff00000'00000001,
                                      0x00000000'00100000,
                                      0x00100000'00000000,
                                      0x000fffff'ffffffff,
                                      0x7fefffff'ffffffff,
                                      0x41e00000'00000000,
                                      0x43e00000'00000000,
                                      0x3fe00000'00000000,
                                      0x41dfffff'ffc00000,
                                      0x80000000'00000000,
                                      0xffffffff'ffffffff,
                                      0x7fffffff'ffffffff,
                                      0x36a00000'00000000,
                                      0x380fffff'ffffffff,
                                      0x3fefffff'ffffffff,
                                      0x3c00bc00,
                                      0x3c017bff,
                                      0x04008001,
                                      0x7c00fc00,
                                      0x7e0003ff,
                                      0x3f80bf80,
                                      0x00800001,
                                      0x7f80ff80,
                                      0x477fe000,
                                      0x477ff000,
                                      0x33000001};

class Random {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  std::uint64_t operand() {
    const std::uint64_t kind = next() % 8;
    if (kind < 4) return kSpecial[next() % std::size(kSpecial)];
    if (kind == 4) return next() % 80;
    if (kind == 5) return next() >> 52 << 52;
    if (kind == 6) return bits(static_cast<float>(next() % 4096) / 16.0f - 128.0f);
    return next();
  }

 private:
  std::uint64_t state_ = 1;
};

struct Form {
  Opcode op;
  DataType type;
  DataType source_type;
  Modifiers modifiers;
  int result_bits = 0;
  int parts = 0;
};

std::string text_of(const Form& f) {
  Instruction i;
  i.op = f.op;
  i.type = f.type;
  i.source_type = f.source_type;
  i.modifiers = f.modifiers;
  return to_string(i);
}

/// List of all instruction forms of both lane sets. Forms that use the same function and the same run-time
/// inputs count as one form.
class FormList {
 public:
  FormList() {
    for (int op = 0; op < static_cast<int>(Opcode::count_); ++op)
      if (has_lane_function(static_cast<Opcode>(op))) visit_types(static_cast<Opcode>(op));
  }
  const std::vector<Form>& forms() const { return forms_; }
  int combinations() const { return combinations_; }

 private:
  static bool has_source_type(Opcode op) {
    return op == Opcode::cvt || op == Opcode::set || op == Opcode::slct || op == Opcode::dp4a ||
           op == Opcode::dp2a || op == Opcode::vabsdiff4;
  }

  void visit_types(Opcode op) {
    for (const DataType type : kTypes)
      for (const DataType source : kTypes)
        if (has_source_type(op) || source == type) visit_modifiers({op, type, source, {}});
  }

  void visit_modifiers(Form f) {
    Modifiers& m = f.modifiers;
    const bool clamps = is_half(f.type) || f.op == Opcode::min || f.op == Opcode::max;
    for (int r = 0; r <= static_cast<int>(Rounding::rpi); ++r)
      for (int p = 0; p <= static_cast<int>(Part::wide); ++p)
        for (unsigned flags = 0; flags < (clamps ? 1024u : 256u); ++flags) {
          m.relu = flags & 256u;
          m.satfinite = flags & 512u;
          m.rounding = static_cast<Rounding>(r);
          m.part = static_cast<Part>(p);
          m.ftz = flags & 1u;
          m.sat = flags & 2u;
          m.approx = flags & 4u;
          m.full = flags & 8u;
          m.carry_in = flags & 16u;
          m.carry_out = flags & 32u;
          m.clamp = flags & 64u;
          m.propagate_nan = m.shift_amount = m.accumulate = m.sync = flags & 128u;
          visit_modes(f);
        }
  }

  void visit_modes(Form f) {
    Modifiers& m = f.modifiers;
    const bool plain = m.rounding == Rounding::none && m.part == Part::none && !m.carry_in && !m.carry_out;
    const auto each = [&](int count, auto&& set) {
      for (int k = 0; k <= count; ++k) {
        if (k > 0 && !plain) break;
        set(k);
        add(f);
      }
    };
    switch (f.op) {
      case Opcode::set:
      case Opcode::setp:
        return each(4 * 18 + 3, [&](int k) {
          m.bool_op = static_cast<BoolOp>(k % 4);
          m.compare = static_cast<Compare>(k / 4);
        });
      case Opcode::lop3:
        return each(4 * 256 - 1, [&](int k) {
          m.bool_op = static_cast<BoolOp>(k % 4);
          m.lut = static_cast<std::uint8_t>(k / 4);
        });
      case Opcode::shf:
        return each(4, [&](int k) { m.funnel = static_cast<FunnelMode>(k); });
      case Opcode::prmt:
        return each(6, [&](int k) { m.permute = static_cast<PermuteMode>(k); });
      case Opcode::testp:
        return each(6, [&](int k) { m.property = static_cast<TestProperty>(k); });
      case Opcode::shfl:
        return each(4, [&](int k) { m.shuffle = static_cast<ShuffleMode>(k); });
      case Opcode::vote:
        return each(4, [&](int k) { m.vote = static_cast<VoteMode>(k); });
      case Opcode::match:
        return each(2, [&](int k) { m.match = static_cast<MatchMode>(k); });
      case Opcode::redux:
        return each(10, [&](int k) { m.atomic = static_cast<AtomicOp>(k); });
      case Opcode::pack:
      case Opcode::unpack:
        return each(4, [&](int k) { f.parts = k + 1; });
      case Opcode::cvt:
        return each(2, [&](int k) { f.result_bits = k == 0 ? 0 : 32 * k; });
      default:
        return add(f);
    }
  }

  void add(const Form& f) {
    ++combinations_;
    Instruction i;
    i.op = f.op;
    i.type = f.type;
    i.source_type = f.source_type;
    i.modifiers = f.modifiers;
    i.num_src = i.num_dst = static_cast<std::uint8_t>(f.parts);
    i.dst[0].bits = static_cast<std::uint8_t>(f.result_bits ? f.result_bits : bits_of(f.type));
    const LaneFunction baseline = lanes::find_lane_function_in(LaneSet::baseline, i);
    if (lanes::host_supports(LaneSet::avx2)) {
      const bool same = (baseline != nullptr) == (lanes::find_lane_function_in(LaneSet::avx2, i) != nullptr);
      EXPECT_TRUE(same) << to_string(i);
    }
    if (baseline == nullptr) return;
    const Modifiers& m = f.modifiers;
    const bool half = is_half(f.type) || is_half(f.source_type);
    const int shape = half ? m.ftz | m.sat << 1 | m.relu << 2 | m.satfinite << 3 | m.propagate_nan << 4 : 0;
    const auto read_at_run_time = std::tuple(baseline, f.op, f.type, m.bool_op, m.carry_in, m.carry_out,
                                             m.sync, m.lut, m.atomic, f.result_bits, f.parts, shape);
    if (seen_.insert(read_at_run_time).second) forms_.push_back(f);
  }

  std::vector<Form> forms_;
  int combinations_ = 0;
  std::set<std::tuple<LaneFunction, Opcode, DataType, BoolOp, bool, bool, bool, std::uint8_t, AtomicOp, int,
                      int, int>>
      seen_;
};

const FormList& all_forms() {
  static const FormList list;
  return list;
}

std::string first_difference(const LaneRunner& a, const LaneRunner& b, const Instruction& i) {
  for (int slot = 0; slot < i.num_dst; ++slot)
    for (int lane = 0; lane < kLanes; ++lane)
      if (a.result(lane, slot) != b.result(lane, slot))
        return "destination " + std::to_string(slot) + ", lane " + std::to_string(lane) + ": " +
               std::to_string(a.result(lane, slot)) + " and " + std::to_string(b.result(lane, slot));
  return {};
}

TEST(LaneSets, CoverManyForms) {
  EXPECT_GT(all_forms().combinations(), 500'000);
  EXPECT_GT(all_forms().forms().size(), 1'500u);
}

TEST(LaneSets, GiveTheSameBits) {
  if (!lanes::host_supports(LaneSet::avx2)) GTEST_SKIP() << "this host has one set only";
  Random random;
  for (const Form& f : all_forms().forms()) {
    LaneRunner baseline(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    LaneRunner avx2(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    const int rounds = f.op == Opcode::lop3 ? 2 : 24;
    for (int round = 0; round < rounds; ++round) {
      for (int slot = 0; slot < baseline.instruction().num_src; ++slot)
        for (int lane = 0; lane < kLanes; ++lane) {
          const std::uint64_t value = random.operand();
          baseline.set_source(slot, lane, value);
          avx2.set_source(slot, lane, value);
        }
      baseline.view().active = avx2.view().active =
          round % 2 ? kAllLanes : static_cast<LaneMask>(random.next()) | 1u;
      ASSERT_TRUE(baseline.run(LaneSet::baseline)) << text_of(f);
      ASSERT_TRUE(avx2.run(LaneSet::avx2)) << text_of(f);
      const std::string difference = first_difference(baseline, avx2, baseline.instruction());
      ASSERT_EQ(difference, "") << text_of(f);
    }
  }
}

TEST(LaneSets, LanesDoNotDependOnTheirPosition) {
  Random random;
  for (const Form& f : all_forms().forms()) {
    if (f.op >= Opcode::shfl || f.op == Opcode::lop3) continue;
    LaneRunner first(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    LaneRunner rotated(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    for (int slot = 0; slot < first.instruction().num_src; ++slot)
      for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t value = random.operand();
        first.set_source(slot, lane, value);
        rotated.set_source(slot, (lane + 1) % kLanes, value);
      }
    ASSERT_TRUE(first.run(chosen_set()));
    ASSERT_TRUE(rotated.run(chosen_set()));
    for (int slot = 0; slot < first.instruction().num_dst; ++slot)
      for (int lane = 0; lane < kLanes; ++lane)
        ASSERT_EQ(first.result(lane, slot), rotated.result((lane + 1) % kLanes, slot))
            << text_of(f) << " lane " << lane;
  }
}

// Expects that a lane function gives the same result if it overwrites its source number `slot`. The function
// has one result besides predicates, and this result has as many words as the source.
void expect_result_in_place_of(int slot, LaneSet set, const Form& f) {
  Random random;
  LaneRunner apart(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
  LaneRunner in_place(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
  for (int s = 0; s < apart.instruction().num_src; ++s)
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t value = random.operand();
      apart.set_source(s, lane, value);
      in_place.set_source(s, lane, value);
    }
  for (int word = 0; word < 2; ++word)
    in_place.view().dst[0][word] = const_cast<LaneVec*>(in_place.view().src[slot][word]);
  ASSERT_TRUE(apart.run(set) && in_place.run(set));
  for (int word = 0; word < 2 && apart.view().dst[0][word]; ++word)
    ASSERT_TRUE(*apart.view().dst[0][word] == *in_place.view().dst[0][word])
        << text_of(f) << " source " << slot;
  for (int t = 1; t < apart.instruction().num_dst; ++t)
    ASSERT_EQ(apart.predicate(t), in_place.predicate(t)) << text_of(f);
}

TEST(LaneSets, ResultsMayTakeThePlaceOfSources) {
  int places = 0;
  for (const Form& f : all_forms().forms()) {
    LaneRunner runner(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    classify(runner.instruction());
    const LaneOperands& view = runner.view();
    if (!may_take_place(runner.instruction()) || !view.dst[0][0] || view.dst[1][0]) continue;
    if (is_float(f.type) && f.result_bits > bits_of(f.type))
      continue;  // skip: a floating-point result is never narrower than its register
    for (int slot = 0; slot < runner.instruction().num_src; ++slot) {
      if (!view.src[slot][0] || (view.src[slot][1] != nullptr) != (view.dst[0][1] != nullptr)) continue;
      ++places;
      expect_result_in_place_of(slot, LaneSet::baseline, f);
      if (lanes::host_supports(LaneSet::avx2)) expect_result_in_place_of(slot, LaneSet::avx2, f);
    }
  }
  EXPECT_GT(places, 1000);
}

TEST(LaneSets, DiscardedDestinationsAreHarmless) {
  for (const Form& f : all_forms().forms()) {
    LaneRunner runner(f.op, f.type, f.modifiers, f.source_type, f.result_bits, f.parts);
    for (auto& pair : runner.view().dst) pair[0] = pair[1] = nullptr;
    for (int slot = 0; slot < runner.instruction().num_src; ++slot) runner.fill_source(slot, 5);
    ASSERT_TRUE(runner.run(chosen_set()));
  }
}

TEST(LaneSets, DirectedRoundingLeavesTheHostRoundingToNearest) {
  Modifiers m;
  m.rounding = Rounding::rp;
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(compute(LaneRunner(Opcode::div, DataType::f32, m), {bits(1.0f), bits(3.0f)}), 0x3eaaaaabu);
  m.rounding = Rounding::rm;
  EXPECT_EQ(compute(LaneRunner(Opcode::div, DataType::f32, m), {bits(1.0f), bits(3.0f)}), 0x3eaaaaaau);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(bits(third), 0x3eaaaaabu);
}

}  // namespace
}  // namespace heddle::isa::test
