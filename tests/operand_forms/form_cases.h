#pragma once

// Generated PTX kernels, one for each form of an operand, with the values that they must store.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::operand_forms {

/// A kernel `k(.param .u64 out, .param .align 16 .b8 data[32])` of one thread.
struct FormCase {
  std::string name;  ///< "ld.shared.v2.u16 into a vector register of 32 bits"
  std::string ptx;
  std::vector<std::uint64_t> expected;  ///< 64-bit words that it stores at `out`
};

/// Returns the 32 bytes of parameter `data`, and of the constant that cases declare.
std::vector<std::uint8_t> data_bytes();

/// Returns loads and stores: state space x type x register width x vector notation x modifier.
std::vector<FormCase> memory_cases();
/// Returns moves of scalars and vectors, packing and unpacking, in every notation.
std::vector<FormCase> move_cases();
/// Returns conversions between integers in registers as wide or wider, with and without .sat, and cvt.pack.
std::vector<FormCase> conversion_cases();
/// Returns `name<n>` in every state space, and registers of the module.
std::vector<FormCase> set_cases();

/// A constant added to a register that is a source; vector registers as parameters and results of functions.
std::vector<FormCase> source_cases();

/// An instruction of PTX that Heddle does not support.
struct RefusedCase {
  std::string text;
  std::string feature;  ///< text that the error must contain
};
std::vector<RefusedCase> refused_cases();
/// The module with its instruction.
std::string refused_module(const RefusedCase& one);

}  // namespace heddle::operand_forms
