#include "models/core/error.h"
#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

TEST(Atomics, Integers) {
  const auto u32 = DataType::u32;
  EXPECT_EQ(apply_atomic(AtomicOp::add, u32, 0xffffffff, 2, 0), 1u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::u64, 0xffffffff, 2, 0), 0x1'0000'0001u);
  EXPECT_EQ(apply_atomic(AtomicOp::min, DataType::s32, 0xffffffff, 2, 0), 0xffffffffu);
  EXPECT_EQ(apply_atomic(AtomicOp::min, u32, 0xffffffff, 2, 0), 2u);
  EXPECT_EQ(apply_atomic(AtomicOp::max, DataType::s64, ~std::uint64_t{0}, 2, 0), 2u);
  EXPECT_EQ(apply_atomic(AtomicOp::max, DataType::u64, ~std::uint64_t{0}, 2, 0), ~std::uint64_t{0});
  EXPECT_EQ(apply_atomic(AtomicOp::inc, u32, 4, 5, 0), 5u);
  EXPECT_EQ(apply_atomic(AtomicOp::inc, u32, 5, 5, 0), 0u);
  EXPECT_EQ(apply_atomic(AtomicOp::dec, u32, 0, 5, 0), 5u);
  EXPECT_EQ(apply_atomic(AtomicOp::dec, u32, 6, 5, 0), 5u);
  EXPECT_EQ(apply_atomic(AtomicOp::dec, u32, 5, 5, 0), 4u);
  EXPECT_EQ(apply_atomic(AtomicOp::cas, DataType::b32, 7, 7, 9), 9u);
  EXPECT_EQ(apply_atomic(AtomicOp::cas, DataType::b64, 7, 8, 9), 7u);
  EXPECT_EQ(apply_atomic(AtomicOp::exch, DataType::b32, 7, 8, 0), 8u);
  EXPECT_EQ(apply_atomic(AtomicOp::and_, DataType::b32, 0b1100, 0b1010, 0), 0b1000u);
  EXPECT_EQ(apply_atomic(AtomicOp::or_, DataType::b32, 0b1100, 0b1010, 0), 0b1110u);
  EXPECT_EQ(apply_atomic(AtomicOp::xor_, DataType::b32, 0b1100, 0b1010, 0), 0b0110u);
}

TEST(Atomics, FloatsAndRefusal) {
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::f32, bits(1.5f), bits(2.25f), 0), bits(3.75f));
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::f64, bits(1.0), bits(0x1p-53), 0), bits(1.0));
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::f32, 0x7f800000, 0xff800000, 0), 0x7fffffffu);
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::f16, 0x7bff, 0x4c00, 0), 0x7c00u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::bf16, 0x3f80, 0x3b80, 0), 0x3f80u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::f16x2, 0x3c00'0001, 0x4000'0001, 0), 0x4200'0002u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, DataType::bf16x2, 0x7f80'3f80, 0xff80'bf80, 0), 0x7fff'0000u);
  EXPECT_EQ(apply_atomic(AtomicOp::cas, DataType::b16, 7, 7, 9), 9u);
  EXPECT_THROW(apply_atomic(AtomicOp::add, DataType::pred, 0, 0, 0), InternalError);
}

}  // namespace
}  // namespace heddle::isa::test
