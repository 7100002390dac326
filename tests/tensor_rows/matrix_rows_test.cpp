// Tests ldmatrix, stmatrix and movmatrix. The reference and the timed GPU must agree with the definition of
// the instructions. Also tests bank conflicts of row addresses, and errors.

#include <array>
#include <functional>

#include "tests/tensor_rows/matrix_fixture.h"

namespace heddle::tensor_rows {
namespace {

constexpr std::size_t kResults = kBytes / 2, kThreadBytes = 64, kRowStride = 48;
constexpr std::size_t kLaneCount = 32;

// Each thread copies its own 16 bytes to shared memory, as one of 32 rows. The row's number is the lane's
// number. Rows are kRowStride bytes apart. %r60 is the address of row (5 * lane + 3) mod 32.
const std::string kRows =
    " .shared .align 16 .b8 s[8192];\n ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%d2];\n"
    " mov.u32 %r50, s; mad.lo.u32 %r51, %r90, 48, %r50; st.shared.v4.u32 [%r51], {%r1,%r2,%r3,%r4};\n"
    " mad.lo.u32 %r61, %r90, 5, 3; and.b32 %r61, %r61, 31; mad.lo.u32 %r60, %r61, 48, %r50;\n"
    " mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0; mov.u32 %r14, 0;\n bar.sync 0;\n";
const std::string kStoreWords = " st.global.v4.u32 [%d2+16384], {%r11,%r12,%r13,%r14};\n";

std::string registers(int count) {
  std::string text;
  for (int m = 0; m < count; ++m) text += (m ? ",%r1" : "{%r1") + std::to_string(1 + m);
  return text + "}";
}

std::uint16_t half_at(const std::vector<std::uint8_t>& data, std::size_t at) {
  std::uint16_t value = 0;
  std::memcpy(&value, &data[at], sizeof value);
  return value;
}

std::size_t place_of_row(std::size_t row) { return kThreadBytes * row; }
std::size_t addressed_row(std::size_t lane) { return (5 * lane + 3) % kLaneCount; }

class MatrixRows : public Matrices, public testing::WithParamInterface<std::tuple<int, bool, bool, bool>> {
 protected:
  static std::string suffixes(bool with_space) {
    const auto& [count, transposed, number_first, generic] = GetParam();
    const std::string number = ".x" + std::to_string(count), trans = transposed ? ".trans" : "";
    return ".sync.aligned" + (number_first ? number + trans + ".m8n8" : ".m8n8" + number + trans) +
           (with_space ? ".shared.b16" : ".b16");
  }
};

TEST_P(MatrixRows, LoadsTheElementsOfTheDefinition) {
  const auto& [count, transposed, number_first, generic] = GetParam();
  use(kRows +
      (generic ? " cvt.u64.u32 %d5, %r60; cvta.shared.u64 %d5, %d5; ldmatrix" + suffixes(false) + " " +
                     registers(count) + ", [%d5];\n"
               : " ldmatrix" + suffixes(true) + " " + registers(count) + ", [%r60];\n") +
      kStoreWords);
  expect_equal_everywhere();
  const std::vector<std::uint8_t> before = buffer_of(memory()), after = reference(parsed_).data;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane)
    for (std::size_t m = 0; m < 4; ++m)
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t line = lane / 4, along = 2 * (lane % 4) + half, row = transposed ? along : line,
                          column = transposed ? line : along;
        const std::uint16_t expected =
            m < static_cast<std::size_t>(count)
                ? half_at(before, place_of_row(addressed_row(8 * m + row)) + 2 * column)
                : 0;
        ASSERT_EQ(half_at(after, kResults + kThreadBytes * lane + 4 * m + 2 * half), expected)
            << "lane " << lane << ", register " << m << ", half " << half;
      }
}

TEST_P(MatrixRows, StoresTheElementsOfTheDefinition) {
  const auto& [count, transposed, number_first, generic] = GetParam();
  use(kRows + " ld.global.v4.u32 {%r11,%r12,%r13,%r14}, [%d2+16];\n" +
      (generic ? " cvt.u64.u32 %d5, %r60; cvta.shared.u64 %d5, %d5; stmatrix" + suffixes(false) + " [%d5], " +
                     registers(count) + ";\n"
               : " stmatrix" + suffixes(true) + " [%r60], " + registers(count) + ";\n") +
      " bar.sync 0; ld.shared.v4.u32 {%r11,%r12,%r13,%r14}, [%r60];\n" + kStoreWords);
  expect_equal_everywhere();
  const std::vector<std::uint8_t> before = buffer_of(memory()), after = reference(parsed_).data;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane)
    for (std::size_t column = 0; column < 8; ++column) {
      const std::size_t m = lane / 8, row = lane % 8, line = transposed ? column : row,
                        along = transposed ? row : column, holder = 4 * line + along / 2;
      const std::uint16_t expected =
          m < static_cast<std::size_t>(count)
              ? half_at(before, kThreadBytes * holder + 16 + 4 * m + 2 * (along % 2))
              : half_at(before, place_of_row(addressed_row(lane)) + 2 * column);
      ASSERT_EQ(half_at(after, kResults + kThreadBytes * lane + 2 * column), expected)
          << "lane " << lane << ", column " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, MatrixRows,
                         testing::Combine(testing::Values(1, 2, 4), testing::Bool(), testing::Bool(),
                                          testing::Bool()));

class MatrixMoves : public Matrices {};

TEST_F(MatrixMoves, TransposeAMatrix) {
  use(kRows +
      " movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r1;\n"
      " movmatrix.sync.aligned.m8n8.trans.b16 %r12, %r11;\n"
      " mov.u32 %r13, %r2; movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r13;\n" +
      kStoreWords);
  expect_equal_everywhere();
  const std::vector<std::uint8_t> before = buffer_of(memory()), after = reference(parsed_).data;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane)
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t row = lane / 4, column = 2 * (lane % 4) + half;
      const std::size_t from = kThreadBytes * (4 * column + row / 2) + 2 * (row % 2),
                        to = kResults + kThreadBytes * lane + 2 * half;
      ASSERT_EQ(half_at(after, to), half_at(before, from));
      ASSERT_EQ(half_at(after, to + 4), half_at(before, kThreadBytes * lane + 2 * half));
      ASSERT_EQ(half_at(after, to + 8), half_at(before, from + 4));
    }
}

TEST_F(MatrixMoves, LoadedMatricesNeedNoMovesForAProduct) {
  use(kRows +
      " ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r11,%r12,%r13,%r14}, [%r60];\n"
      " ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r21,%r22}, [%r60];\n"
      " mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000;\n"
      " mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r11,%r12,%r13,%r14}, "
      "{%r21,%r22}, {%f1,%f2,%f3,%f4};\n st.global.v4.f32 [%d2+16384], {%f1,%f2,%f3,%f4};\n");
  EXPECT_EQ(moves(compiled()), 0);
  expect_equal_everywhere();
}

// The banks can serve 8 rows of 16 bytes in one pass if all words of these rows are in different banks.
TEST_F(MatrixMoves, RowAddressesConflictInBanks) {
  const auto passes = [this](int number, int stride) {
    const auto of = [&](const std::string& access) {
      use(" .shared .align 16 .b8 s[8192];\n mov.u32 %r50, s; mad.lo.u32 %r60, %r90, " +
          std::to_string(stride) + ", %r50;\n mov.u32 %r11, 0;\n" + access +
          " st.global.u32 [%d2+16384], %r11;\n");
      const Outcome outcome = timed(compiled());
      EXPECT_EQ(outcome.error, "");
      return outcome.shared_passes;
    };
    return of(" ldmatrix.sync.aligned.m8n8.x" + std::to_string(number) + ".shared.b16 " + registers(number) +
              ", [%r60];\n");
  };
  EXPECT_EQ(passes(1, 16), 1u);
  EXPECT_EQ(passes(2, 16), 2u);
  EXPECT_EQ(passes(4, 16), 4u);
  EXPECT_EQ(passes(4, 144), 4u);  // padding by one row of 16 bytes
  EXPECT_EQ(passes(4, 32), 8u);
  EXPECT_EQ(passes(1, 128), 8u);
  EXPECT_EQ(passes(4, 128), 32u);
  EXPECT_EQ(passes(4, 0), 4u);  // all lanes of a matrix read the same row
}

TEST_F(MatrixMoves, ErrorsNameTheLaneAndTheRule) {
  const auto expect = [this](const std::string& body, std::uint32_t threads, const std::string& of_reference,
                             const std::string& of_gpu) {
    use(kRows + body + kStoreWords);
    const std::string first = reference(parsed_, threads).error, second = timed(compiled(), threads).error;
    EXPECT_NE(first.find(of_reference), std::string::npos) << first;
    EXPECT_NE(second.find(of_gpu), std::string::npos) << second;
  };
  const std::string load = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r11,%r12}, ";
  expect(" add.u32 %r60, %r60, 8; " + load + "[%r60];\n", 32, "of 16 bytes at", "misaligned: 16 bytes at");
  expect(" add.u32 %r60, %r60, 16384; " + load + "[%r60];\n", 32, "of 8192 bytes of shared memory",
         "of 8192 bytes of shared memory");
  expect(" ldmatrix.sync.aligned.m8n8.x2.b16 {%r11,%r12}, [%d1];\n", 32, "bytes of shared memory",
         "bytes of shared memory");
  const std::string partial = " setp.lt.u32 %p1, %r90, 8; @%p1 ";
  expect(partial + load + "[%r60];\n", 32,
         "warp 0: ldmatrix is executed by the lanes 000000ff of a warp only",
         "warp 0: ldmatrix is executed by the lanes 000000ff of a warp only");
  expect(partial + "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r60], {%r1};\n", 32,
         "stmatrix is executed by the lanes 000000ff", "stmatrix is executed by the lanes 000000ff");
  expect(partial + "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r1;\n", 32,
         "movmatrix is executed by the lanes 000000ff", "movmatrix is executed by the lanes 000000ff");
}

}  // namespace
}  // namespace heddle::tensor_rows
