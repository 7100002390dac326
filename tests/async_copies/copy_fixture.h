#pragma once

// Runs kernels that use asynchronous copies, on the reference and on the timed GPU. In a kernel, %r9 is the
// address of the lane's 64 bytes in shared memory, %d3 the address of the lane's 64 bytes of input, and %d4
// the address of the lane's 64 bytes of output.

#include "tests/tensor_rows/matrix_fixture.h"

namespace heddle::async_copies {

using tensor_rows::Outcome;

class Copies : public tensor_rows::Matrices {
 protected:
  static constexpr std::size_t kLaneBytes = 64, kOut = 16384;

  void use_copies(const std::string& body) {
    use(".shared .align 16 .b8 all[16384]; mov.u32 %r8, all; mad.lo.u32 %r9, %r90, 64, %r8;\n"
        " mad.wide.u32 %d3, %r90, 64, %d1; add.u64 %d4, %d3, 16384;\n" +
        body);
  }
  /// Runs the kernel on the reference, and on the timed GPU with two different limits of registers. All
  /// results must be equal. Returns them.
  std::vector<std::uint8_t> equal_results(std::uint32_t threads = 32) const {
    const Outcome right = reference(parsed_, threads);
    EXPECT_EQ(right.error, "");
    for (const int registers : {63, 24}) {
      const isa::Program program = compiled(registers);
      EXPECT_EQ(reference(program, threads).data, right.data) << registers;
      const Outcome outcome = timed(program, threads);
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.data, right.data) << registers;
    }
    return right.data;
  }
  std::vector<std::uint8_t> timed_result(std::uint32_t threads = 32) const {
    const Outcome outcome = timed(compiled(), threads);
    EXPECT_EQ(outcome.error, "");
    return outcome.data;
  }
  std::vector<std::uint8_t> reference_result(std::uint32_t threads = 32) const {
    return reference(parsed_, threads).data;
  }
  /// Runs a kernel that must fail. The error must be of the same kind on the reference and on the timed GPU.
  void expect_error(const std::string& text, std::uint32_t threads = 32) const {
    for (const Outcome& outcome : {reference(parsed_, threads), timed(compiled(), threads)}) {
      EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
      EXPECT_NE(outcome.error.find("m.ptx:"), std::string::npos) << outcome.error;
      EXPECT_EQ(outcome.error.find('\n'), std::string::npos) << outcome.error;
    }
  }
  static std::uint32_t word(const std::vector<std::uint8_t>& data, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, &data.at(at), sizeof value);
    return value;
  }
  static std::uint32_t out(const std::vector<std::uint8_t>& data, std::size_t lane, std::size_t index) {
    return word(data, kOut + kLaneBytes * lane + 4 * index);
  }
  static std::uint32_t in(const std::vector<std::uint8_t>& data, std::size_t lane, std::size_t index) {
    return word(data, kLaneBytes * lane + 4 * index);
  }
};

}  // namespace heddle::async_copies
