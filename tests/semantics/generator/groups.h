#pragma once

#include <string>

namespace heddle::semantics {

/// Each function writes the .tbl files of one group of PTX instructions into `folder`.
void write_integer_arithmetic(const std::string& folder);
void write_carry_chains(const std::string& folder);
void write_bit_operations(const std::string& folder);
void write_byte_operations(const std::string& folder);
void write_comparisons(const std::string& folder);
void write_float_arithmetic(const std::string& folder);
void write_approximations(const std::string& folder);
void write_conversions(const std::string& folder);
void write_moves(const std::string& folder);
void write_loads(const std::string& folder);
void write_stores(const std::string& folder);
void write_atomics(const std::string& folder);
void write_warp_operations(const std::string& folder);
void write_barriers(const std::string& folder);
void write_control_flow(const std::string& folder);
void write_spellings(const std::string& folder);
void write_errors(const std::string& folder);
void write_halves(const std::string& folder);
void write_half_conversions(const std::string& folder);
void write_calls(const std::string& folder);
void write_textures(const std::string& folder);

}  // namespace heddle::semantics
