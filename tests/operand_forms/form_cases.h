#pragma once

// Generates a PTX kernel for each form of an operand, with the values that the kernel must store.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::operand_forms {

/// One kernel `k(.param .u64 out, .param .align 16 .b8 data[32])` with one thread.
struct FormCase {
  std::string name;
  std::string ptx;
  std::vector<std::uint64_t> expected;
};

/// Returns 32 bytes. They are the value of the parameter `data`, and also the value of the constant that some
/// cases declare.
std::vector<std::uint8_t> data_bytes();

std::vector<FormCase> memory_cases();
std::vector<FormCase> move_cases();
/// Returns cases for conversions between integer types, with and without .sat, and for cvt.pack. Registers
/// have the width of the type or are wider.
std::vector<FormCase> conversion_cases();
/// Returns cases that declare n variables at once (`name<n>`) in each state space, and cases with registers
/// at module level.
std::vector<FormCase> set_cases();

/// Returns cases with sources that are a register plus a constant, and with vector registers as parameters
/// and results of functions.
std::vector<FormCase> source_cases();

struct RefusedCase {
  std::string text;
  std::string feature;  ///< text that the error for this instruction must contain
};
std::vector<RefusedCase> refused_cases();
std::string refused_module(const RefusedCase& one);

}  // namespace heddle::operand_forms
