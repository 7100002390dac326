// Four warps compute a product of two 32 x 32 matrices of half precision, with the instructions ldmatrix and
// mma. The product is computed on the reference and on the timed GPU.

#include <cmath>

#include "tests/tensor_rows/matrix_fixture.h"

namespace heddle::tensor_rows {
namespace {

constexpr int kSide = 32;
constexpr std::size_t kB = 2048, kC = 16384;

// Rows of both tiles are 80 bytes apart in shared memory, so that 8 rows of 16 bytes lie in different banks.
// Each warp computes a quarter of C: 16 rows and 16 columns, in two steps of 16 along k.
const std::string kGemm = R"(
 .shared .align 16 .b8 sa[2560]; .shared .align 16 .b8 sb[2560];
 mad.wide.u32 %d3, %r90, 16, %d1; ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%d3];
 ld.global.v4.u32 {%r14,%r15,%r16,%r17}, [%d3+2048];
 shr.u32 %r1, %r90, 2; and.b32 %r2, %r90, 3; shl.b32 %r2, %r2, 4; mad.lo.u32 %r3, %r1, 80, %r2;
 mov.u32 %r5, sa; mov.u32 %r6, sb; add.u32 %r7, %r5, %r3; add.u32 %r8, %r6, %r3;
 st.shared.v4.u32 [%r7], {%r10,%r11,%r12,%r13}; st.shared.v4.u32 [%r8], {%r14,%r15,%r16,%r17};
 bar.sync 0;
 and.b32 %r20, %r90, 31; shr.u32 %r21, %r90, 6; shr.u32 %r22, %r90, 5; and.b32 %r22, %r22, 1;
 and.b32 %r23, %r20, 15; shr.u32 %r24, %r20, 4; shl.b32 %r24, %r24, 4;
 mad.lo.u32 %r25, %r21, 16, %r23; mad.lo.u32 %r25, %r25, 80, %r24; add.u32 %r25, %r25, %r5;
 mad.lo.u32 %r26, %r23, 80, %r24; mad.lo.u32 %r26, %r22, 32, %r26; add.u32 %r26, %r26, %r6;
 mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000;
 mov.f32 %f5, 0f00000000; mov.f32 %f6, 0f00000000; mov.f32 %f7, 0f00000000; mov.f32 %f8, 0f00000000;
 mov.u32 %r50, 0;
STEP:
 ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r25];
 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r34,%r35,%r36,%r37}, [%r26];
 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r30,%r31,%r32,%r33}, {%r34,%r35},
  {%f1,%f2,%f3,%f4};
 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f5,%f6,%f7,%f8}, {%r30,%r31,%r32,%r33}, {%r36,%r37},
  {%f5,%f6,%f7,%f8};
 add.u32 %r25, %r25, 32; add.u32 %r26, %r26, 1280; add.u32 %r50, %r50, 1;
 setp.lt.u32 %p1, %r50, 2; @%p1 bra STEP;
 shr.u32 %r40, %r20, 2; mad.lo.u32 %r40, %r21, 16, %r40; and.b32 %r41, %r20, 3; shl.b32 %r41, %r41, 3;
 mad.lo.u32 %r41, %r22, 64, %r41; mad.lo.u32 %r42, %r40, 128, %r41; cvt.u64.u32 %d4, %r42;
 add.u64 %d4, %d4, %d1;
 st.global.v2.f32 [%d4+16384], {%f1,%f2}; st.global.v2.f32 [%d4+17408], {%f3,%f4};
 st.global.v2.f32 [%d4+16416], {%f5,%f6}; st.global.v2.f32 [%d4+17440], {%f7,%f8};
)";

float number_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                   : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return bits & 0x8000 ? -size : size;
}

class MatrixGemm : public Matrices {};

TEST_F(MatrixGemm, FourWarpsMultiplyThroughSharedMemory) {
  use(kGemm);
  const Outcome right = reference(parsed_, 128);
  ASSERT_EQ(right.error, "");
  for (const int registers : {63, 32}) {
    const isa::Program program = compiled(registers);
    EXPECT_EQ(reference(program, 128).data, right.data) << registers;
    const Outcome outcome = timed(program, 128);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.data, right.data) << registers;
  }
  const std::vector<std::uint8_t> before = buffer_of(memory());
  const auto half = [&](std::size_t base, int row, int column) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &before[base + 2 * static_cast<std::size_t>(kSide * row + column)], sizeof bits);
    return static_cast<double>(number_of_half(bits));
  };
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      double sum = 0, scale = 0;
      for (int k = 0; k < kSide; ++k) {
        const double term = half(0, row, k) * half(kB, k, column);
        sum += term;
        scale += std::fabs(term);
      }
      float result = 0;
      std::memcpy(&result, &right.data[kC + 4 * static_cast<std::size_t>(kSide * row + column)],
                  sizeof result);
      ASSERT_NEAR(result, sum, 1e-5 * scale) << row << ", " << column;
    }
}

}  // namespace
}  // namespace heddle::tensor_rows
