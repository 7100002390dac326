#include "testbench/launch/npy.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::launch {
namespace {

constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 20;

constexpr std::string_view kMagic = "\x93NUMPY";

struct TypeCode {
  ElementType type;
  const char* code;
};
constexpr std::array<TypeCode, 10> kCodes = {{{ElementType::u8, "|u1"},
                                              {ElementType::s8, "|i1"},
                                              {ElementType::u16, "<u2"},
                                              {ElementType::s16, "<i2"},
                                              {ElementType::u32, "<u4"},
                                              {ElementType::s32, "<i4"},
                                              {ElementType::u64, "<u8"},
                                              {ElementType::s64, "<i8"},
                                              {ElementType::f32, "<f4"},
                                              {ElementType::f64, "<f8"}}};

/// Returns the text after `'key':` in the header's Python dictionary.
std::string_view field(std::string_view header, std::string_view key, const std::string& path) {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) throw Error(path, fmt::format("its .npy header has no '{}'", key));
  std::string_view rest = header.substr(colon + 1);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return rest;
}

ElementType parse_type(std::string_view text, const std::string& path) {
  for (const TypeCode& row : kCodes) {
    const std::string_view code = row.code;
    const std::string swapped = fmt::format("'<{}'", code.substr(1));
    if (text.starts_with(fmt::format("'{}'", code)) || text.starts_with(swapped)) return row.type;
  }
  throw Error(
      path,
      fmt::format("its .npy element type {} is none of the launch format's", text.substr(0, text.find(','))),
      "little-endian i1..i8, u1..u8, f4, f8");
}

std::vector<std::uint64_t> parse_shape(std::string_view text, const std::string& path) {
  std::vector<std::uint64_t> shape;
  const std::size_t close = text.find(')');
  if (!text.starts_with("(") || close == std::string_view::npos)
    throw Error(path, "its .npy header has no proper 'shape'");
  for (text = text.substr(1, close - 1); !text.empty();) {
    if (text.front() == ' ' || text.front() == ',') {
      text.remove_prefix(1);
      continue;
    }
    std::uint64_t extent = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (end.ec != std::errc{}) throw Error(path, "its .npy header has no proper 'shape'");
    text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
    shape.push_back(extent);
  }
  return shape;
}

}  // namespace

std::string read_binary(const std::string& path) {
  return read_whole_file(path, "this file", kMaxBufferBytes + kMostHeaderBytes);
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  const std::string text = read_binary(path);
  const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
  return {first, first + text.size()};
}

NpyArray read_npy(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() < 12 || !text.starts_with(kMagic)) throw Error(path, "not a .npy file");
  const int version = bytes[6];
  if (version < 1 || version > 3) throw Error(path, fmt::format(".npy version {}", version), "1, 2, 3");
  std::uint32_t length = 0;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  const std::size_t start = 8 + length_bytes;
  if (length > bytes.size() - start) throw Error(path, "its .npy header is cut off");
  const std::string_view header = text.substr(start, length);

  NpyArray array;
  array.type = parse_type(field(header, "descr", path), path);
  array.shape = parse_shape(field(header, "shape", path), path);
  if (field(header, "fortran_order", path).starts_with("True") && array.shape.size() > 1)
    throw Error(path, "in Fortran order", "C order (numpy.ascontiguousarray)");
  std::uint64_t expected = bytes_of(array.type);
  for (std::uint64_t extent : array.shape) {
    if (__builtin_mul_overflow(expected, extent, &expected)) throw Error(path, "its shape is too large");
  }
  const std::size_t data = start + length;
  if (bytes.size() - data != expected)
    throw Error(path, fmt::format("{} bytes of data", bytes.size() - data),
                fmt::format("{} by its shape", expected));
  array.data.assign(bytes.begin() + static_cast<std::ptrdiff_t>(data), bytes.end());
  return array;
}

void write_npy(const std::function<void(std::string_view)>& write, ElementType type,
               std::span<const std::uint8_t> data) {
  const std::size_t count = data.size() / bytes_of(type);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}",
                                   kCodes[static_cast<std::size_t>(type)].code, count);
  const std::size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  const char sizes[4] = {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  write(kMagic);
  write({sizes, 4});
  write(header);
  write({reinterpret_cast<const char*>(data.data()), data.size()});
}

}  // namespace heddle::launch
