// Tests programs with matrix instructions (register groups, wmma, errors) on the reference and on the timed
// GPU.

#include <cmath>

#include "tests/tensor_rows/matrix_fixture.h"

namespace heddle::tensor_rows {
namespace {

const std::string kLoads =
    " ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%d2]; ld.global.v4.u32 {%r5,%r6,%r7,%r8}, [%d2+16];\n"
    " ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%d2+32];\n";
const std::string kStore = " st.global.v4.f32 [%d2+16384], {%f1,%f2,%f3,%f4};\n";

std::string product(const std::string& d, const std::string& a, const std::string& b, const std::string& c) {
  return " mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {" + d + "}, {" + a + "}, {" + b + "}, {" + c +
         "};\n";
}
const std::string kD = "%f1,%f2,%f3,%f4", kA = "%r1,%r2,%r3,%r4";

TEST_F(Matrices, AccumulatorsStayInTheirGroup) {
  use(kLoads + product("%f5,%f6,%f7,%f8", kA, "%r5,%r6", kD) + product(kD, kA, "%r7,%r8", "%f5,%f6,%f7,%f8") +
      kStore);
  EXPECT_EQ(moves(compiled()), 0);
  expect_equal_everywhere();
}

TEST_F(Matrices, ARegisterInTwoPlacesCostsAMove) {
  use(kLoads + product(kD, kA, "%r5,%r6", kD) + product(kD, kA, "%r6,%r5", kD) + kStore);
  EXPECT_EQ(moves(compiled()), 2);
  expect_equal_everywhere();
  use(kLoads + product(kD, "%r1,%r1,%r1,%r1", "%r5,%r6", kD) + kStore);
  EXPECT_EQ(moves(compiled()), 3);
  expect_equal_everywhere();
}

TEST_F(Matrices, ASourceGroupThatIsReadLaterSurvives) {
  use(kLoads + product("%f5,%f6,%f7,%f8", kA, "%r5,%r6", kD) + product(kD, kA, "%r7,%r8", kD) + kStore +
      " st.global.v4.f32 [%d2+16400], {%f5,%f6,%f7,%f8};\n");
  EXPECT_EQ(moves(compiled()), 0);
  expect_equal_everywhere();
}

TEST_F(Matrices, GroupsInALoop) {
  use(kLoads + " mov.u32 %r20, 0;\nL:" + product("%f5,%f6,%f7,%f8", kA, "%r5,%r6", kD) +
      " mov.f32 %f1, %f5; mov.f32 %f2, %f6; mov.f32 %f3, %f7; mov.f32 %f4, %f8;\n"
      " add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 3; @%p1 bra L;\n" +
      kStore);
  EXPECT_EQ(moves(compiled()), 0);
  expect_equal_everywhere();
}

TEST_F(Matrices, GuardedAndByQuadPairs) {
  use(kLoads + " setp.eq.u32 %p1, %ntid.x, 32; @%p1" +
      " mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, {%r1,%r2}, "
      "{%r5,%r6}, "
      "{%f1,%f2,%f3,%f4,%f1,%f2,%f3,%f4};\n" +
      kStore + " st.global.v4.f32 [%d2+16400], {%f5,%f6,%f7,%f8};\n");
  expect_equal_everywhere();
}

TEST_F(Matrices, ErrorsNameTheWarp) {
  use(kLoads + " setp.lt.u32 %p1, %r90, 40; @%p1 bra L; bra E;\nL:" + product(kD, kA, "%r5,%r6", kD) +
      "E:" + kStore);
  const std::string text = "warp 1: mma is executed by the lanes 000000ff of a warp only";
  EXPECT_NE(reference(parsed_, 64).error.find(text), std::string::npos) << reference(parsed_, 64).error;
  EXPECT_NE(timed(compiled(), 64).error.find(text), std::string::npos) << timed(compiled(), 64).error;
  EXPECT_NE(timed(compiled(), 32, 0).error.find("--with matrix-unit"), std::string::npos);
}

// wmma of all shapes and layouts: a product that is computed by fragments must equal the product by the
// definition.
struct Shape {
  int m, n, k;
};
class Wmma : public Matrices, public testing::WithParamInterface<std::tuple<Shape, bool, bool, bool>> {};

TEST_P(Wmma, ComputesTheProduct) {
  const auto& [shape, a_rows, b_rows, c_rows] = GetParam();
  const auto name = [](bool rows) { return std::string(rows ? "row" : "col"); };
  const std::string of =
      ".m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k);
  const std::string layouts = name(a_rows) + "." + name(b_rows);
  const int a_stride = (a_rows ? shape.k : shape.m) + 8, b_stride = (b_rows ? shape.n : shape.k) + 8,
            c_stride = c_rows ? shape.n : shape.m;
  use(" wmma.load.a.sync.aligned." + name(a_rows) + of +
      ".global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%d1], " + std::to_string(a_stride) +
      ";\n wmma.load.b.sync.aligned." + name(b_rows) + of +
      ".global.f16 {%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18}, [%d1+4096], " + std::to_string(b_stride) +
      ";\n wmma.load.c.sync.aligned." + name(c_rows) + of +
      ".global.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%d1+8192], " + std::to_string(c_stride) +
      ";\n wmma.mma.sync.aligned." + layouts + of +
      ".f32.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
      "{%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18}, {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};\n "
      "wmma.store.d.sync.aligned." +
      name(c_rows) + of + ".global.f32 [%d1+16384], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, " +
      std::to_string(c_stride) + ";\n");
  expect_equal_everywhere();
  const std::vector<std::uint8_t> before = buffer_of(memory()), after = reference(parsed_).data;
  const auto half = [&](std::size_t at) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &before[at], 2);
    const int exponent = bits >> 10 & 31;
    const double size =
        exponent == 0 ? std::ldexp(bits & 1023, -24) : std::ldexp(1024 + (bits & 1023), exponent - 25);
    return bits & 0x8000 ? -size : size;
  };
  const auto single = [](const std::vector<std::uint8_t>& data, std::size_t at) {
    float value = 0;
    std::memcpy(&value, &data[at], 4);
    return value;
  };
  const auto place = [](bool rows, int row, int column, int stride) {
    return static_cast<std::size_t>(rows ? row * stride + column : column * stride + row);
  };
  for (int row = 0; row < shape.m; ++row)
    for (int column = 0; column < shape.n; ++column) {
      const std::size_t at = 4 * place(c_rows, row, column, c_stride);
      double sum = single(before, 8192 + at), scale = std::fabs(sum);
      for (int k = 0; k < shape.k; ++k) {
        const double term =
            half(2 * place(a_rows, row, k, a_stride)) * half(4096 + 2 * place(b_rows, k, column, b_stride));
        sum += term;
        scale += std::fabs(term);
      }
      ASSERT_NEAR(single(after, 16384 + at), sum, 1e-5 * scale) << row << ", " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(ShapesAndLayouts, Wmma,
                         testing::Combine(testing::Values(Shape{16, 16, 16}, Shape{32, 8, 16},
                                                          Shape{8, 32, 16}),
                                          testing::Bool(), testing::Bool(), testing::Bool()));

}  // namespace
}  // namespace heddle::tensor_rows
