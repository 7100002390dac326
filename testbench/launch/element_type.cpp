#include "testbench/launch/element_type.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

struct TypeRow {
  const char* name;
  std::size_t bytes;
  bool real;
  bool has_sign;
};
constexpr std::array<TypeRow, 10> kTypes = {{{"u8", 1, false, false},
                                             {"s8", 1, false, true},
                                             {"u16", 2, false, false},
                                             {"s16", 2, false, true},
                                             {"u32", 4, false, false},
                                             {"s32", 4, false, true},
                                             {"u64", 8, false, false},
                                             {"s64", 8, false, true},
                                             {"f32", 4, true, true},
                                             {"f64", 8, true, true}}};

const TypeRow& row(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

std::int64_t sign_extended(ElementType type, std::uint64_t bits) {
  const int shift = 64 - 8 * static_cast<int>(bytes_of(type));
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

}  // namespace

std::size_t bytes_of(ElementType type) { return row(type).bytes; }
const char* name_of(ElementType type) { return row(type).name; }
bool is_real(ElementType type) { return row(type).real; }
bool is_signed(ElementType type) { return row(type).has_sign; }

bool find_element_type(const std::string& name, ElementType& type) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (name == kTypes[i].name) {
      type = static_cast<ElementType>(i);
      return true;
    }
  }
  return false;
}

ElementType read_element_type(const ConfigNode& node) {
  ElementType type{};
  if (!node.is_string() || !find_element_type(node.text, type))
    throw Error(node.where(), "not an element type" + (node.is_string() ? ": \"" + node.text + "\"" : ""),
                "u8, s8, u16, s16, u32, s32, u64, s64, f32, f64");
  return type;
}

std::uint64_t element_bits(ElementType type, const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, bytes_of(type));
  return bits;
}

double element_as_real(ElementType type, const std::uint8_t* bytes) {
  const std::uint64_t bits = element_bits(type, bytes);
  if (type == ElementType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == ElementType::f64) return std::bit_cast<double>(bits);
  return is_signed(type) ? static_cast<double>(sign_extended(type, bits)) : static_cast<double>(bits);
}

std::string element_text(ElementType type, const std::uint8_t* bytes) {
  const std::uint64_t bits = element_bits(type, bytes);
  if (type == ElementType::f32) return fmt::format("{:.9g}", element_as_real(type, bytes));
  if (type == ElementType::f64) return fmt::format("{:.17g}", element_as_real(type, bytes));
  return is_signed(type) ? std::to_string(sign_extended(type, bits)) : std::to_string(bits);
}

}  // namespace heddle::launch
