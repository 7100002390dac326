#include "models/isa/runtime_call.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>

#include "models/core/error.h"
#include "models/isa/own_variables.h"

namespace heddle::isa {
namespace {

bool is_one_of(char c, const char* set) {
  for (; *set; ++set)
    if (*set == c) return true;
  return false;
}

/// Largest number of characters of one printf conversion. C guarantees 4095 (ISO C, 7.21.6.1).
constexpr int kLongest = 4096;

/// Returns true if field width and precision of a printf conversion are at most kLongest; the precision of %s
/// has no limit. Larger values are refused, because the C library allocates memory for them. `stars`: values
/// for `*` widths and precisions.
bool is_bounded(const std::string& format, const std::vector<int>& stars) {
  bool after_point = false;
  std::size_t star = 0;
  std::int64_t number = 0;
  for (const char c : format) {
    if (c == '.') after_point = true;
    if (c == '*')
      number = stars[star++];
    else
      number = std::isdigit(static_cast<unsigned char>(c)) ? number * 10 + (c - '0') : 0;
    if (number < 0)
      // A negative `*` precision means no precision. A negative `*` width means left-justified.
      number = after_point ? 0 : -number;
    if (number > kLongest && !(after_point && format.back() == 's')) return false;
    number = std::min<std::int64_t>(number, kLongest);
  }
  return true;
}

template <class Value>
std::string formatted(const std::string& format, const std::vector<int>& stars, Value value) {
  const auto write = [&](char* into, std::size_t size) {
    if (stars.empty()) return std::snprintf(into, size, format.c_str(), value);
    if (stars.size() == 1) return std::snprintf(into, size, format.c_str(), stars[0], value);
    return std::snprintf(into, size, format.c_str(), stars[0], stars[1], value);
  };
  constexpr const char* kTooLong = "(a width beyond all bounds)";
  if (!is_bounded(format, stars)) return kTooLong;
  const int length = write(nullptr, 0);
  if (length < 0 || length > kLongest) return kTooLong;
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  write(text.data(), text.size());
  text.pop_back();
  return text;
}

std::string integer(const PrintfField& field, const std::vector<int>& stars, std::uint64_t value) {
  std::string format = field.text;
  if (field.conversion == 'c') return formatted(format, stars, static_cast<int>(value));
  format.insert(format.size() - 1, "ll");
  const int bytes = field.narrow ? field.narrow : field.bytes;
  const int unused = 64 - 8 * bytes;
  if (is_one_of(field.conversion, "di"))
    return formatted(format, stars, static_cast<long long>(value << unused) >> unused);
  return formatted(format, stars, static_cast<unsigned long long>(value << unused >> unused));
}

PrintfField read_conversion(const std::string& format, std::size_t& at, int address_bits,
                            const std::string& where) {
  PrintfField field;
  field.text = "%";
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto take = [&] { field.text += format[at++]; };
  const auto number = [&] {
    if (next() == '*') {
      ++field.stars;
      take();
    }
    while (std::isdigit(static_cast<unsigned char>(next()))) take();
  };
  while (is_one_of(next(), "-+ #0") && next() != '\0') take();
  number();
  if (next() == '.') {
    take();
    number();
  }
  int longs = 0;
  for (; next() != '\0' && is_one_of(next(), "hlLqjzt"); ++at) {
    if (next() == 'h')
      field.narrow = field.narrow ? 1 : 2;
    else
      longs += next() == 'l' || next() == 'q' || next() == 'j' || next() == 'z' || next() == 't';
  }
  const char conversion = next();
  if (conversion == '\0' || !is_one_of(conversion, "diuoxXceEfFgGaAsp"))
    throw Error(
        where,
        "printf with the conversion \"" + field.text + (conversion ? std::string(1, conversion) : "") + "\"",
        "d i u o x X c e f g a s p");
  take();
  field.conversion = conversion;
  if (is_one_of(conversion, "diuoxX"))
    field.bytes = longs ? 8 : 4;
  else if (conversion == 'c')
    field.bytes = 4;
  else if (is_one_of(conversion, "sp"))
    field.bytes = static_cast<std::uint8_t>(address_bits / 8);
  else
    field.bytes = 8;
  return field;
}

}  // namespace

std::string assertion_text(const RuntimeCall& call) {
  const std::string what =
      call.kind == RuntimeCall::Kind::failure ? call.text : "assertion `" + call.text + "' failed";
  return what + " (" + call.file + ":" + std::to_string(call.line) +
         (call.function.empty() ? "" : ", in " + call.function) + ")";
}

std::vector<PrintfField> parse_printf(const std::string& format, int address_bits, const std::string& where) {
  std::vector<PrintfField> fields;
  PrintfField plain;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      plain.text += format[at++];
    } else if (at + 1 < format.size() && format[at + 1] == '%') {
      plain.text += '%';
      at += 2;
    } else {
      if (!plain.text.empty()) fields.push_back(plain);
      plain.text.clear();
      fields.push_back(read_conversion(format, ++at, address_bits, where));
    }
  }
  if (!plain.text.empty()) fields.push_back(plain);
  return fields;
}

std::vector<std::uint8_t> value_bytes(const std::vector<PrintfField>& fields) {
  std::vector<std::uint8_t> bytes;
  for (const PrintfField& field : fields) {
    if (!field.conversion) continue;
    bytes.insert(bytes.end(), field.stars, 4);
    bytes.push_back(field.bytes);
  }
  return bytes;
}

std::string print(const std::vector<PrintfField>& fields, const std::vector<std::uint64_t>& values,
                  const std::function<std::string(std::uint64_t)>& string_at) {
  std::string text;
  std::size_t next = 0;
  for (const PrintfField& field : fields) {
    if (!field.conversion) {
      text += field.text;
      continue;
    }
    std::vector<int> stars;
    for (int s = 0; s < field.stars; ++s) stars.push_back(static_cast<int>(values[next++]));
    const std::uint64_t value = values[next++];
    if (is_one_of(field.conversion, "diuoxXc"))
      text += integer(field, stars, value);
    else if (field.conversion == 's')
      text += formatted(field.text, stars, string_at(value).c_str());
    else if (field.conversion == 'p')
      text += formatted(field.text.substr(0, field.text.size() - 1) + "s", stars,
                        formatted("0x%llx", {}, static_cast<unsigned long long>(value)).c_str());
    else
      text += formatted(field.text, stars, std::bit_cast<double>(value));
  }
  return text;
}

bool is_of_run_time(const std::string& variable) {
  return variable == kPrintfBuffer || variable == kGridWorkspace || variable == kHeap;
}

std::vector<std::uint8_t> heap_beginning(std::uint64_t bytes) {
  constexpr std::size_t kSizeAt = 4;
  std::vector<std::uint8_t> beginning(2 * kSizeAt);
  for (std::size_t i = 0; i < kSizeAt; ++i)
    beginning[kSizeAt + i] = static_cast<std::uint8_t>(bytes >> (8 * i));
  return beginning;
}

}  // namespace heddle::isa
