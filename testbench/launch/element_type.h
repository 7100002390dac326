#pragma once

// Element types of the launch format: "u8" ... "f64".

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/core/config_node.h"

namespace heddle::launch {

enum class ElementType : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

std::size_t bytes_of(ElementType type);
const char* name_of(ElementType type);
bool is_real(ElementType type);
bool is_signed(ElementType type);

bool find_element_type(const std::string& name, ElementType& type);
/// Reads the name of a type. Throws Error, which lists the types, for an unknown type.
ElementType read_element_type(const ConfigNode& node);

/// Returns an element as a number. The number is exact except for u64 and s64 values beyond 2^53.
double element_as_real(ElementType type, const std::uint8_t* bytes);
std::uint64_t element_bits(ElementType type, const std::uint8_t* bytes);
/// Returns text such as "3", "-0.25" or "nan". The text has enough digits for different values to have
/// different texts.
std::string element_text(ElementType type, const std::uint8_t* bytes);

inline constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{8} << 30;

}  // namespace heddle::launch
