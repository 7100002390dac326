#include <array>

#include "groups.h"
#include "samples.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

std::uint64_t byte_of(std::uint64_t word, std::uint64_t index) { return (word >> (8 * index)) & 0xff; }

/// Returns which four bytes of the pair (b, a) prmt selects in a named mode. The low two bits of the selector
/// choose them.
std::array<std::uint64_t, 4> mode_bytes(const std::string& mode, std::uint64_t selector) {
  const std::uint64_t n = selector & 3;
  if (mode == "f4e") return {n, n + 1, n + 2, n + 3};
  if (mode == "b4e") return {n, (n + 7) & 7, (n + 6) & 7, (n + 5) & 7};
  if (mode == "rc8") return {n, n, n, n};
  if (mode == "ecl")
    return {std::max<std::uint64_t>(n, 0), std::max<std::uint64_t>(n, 1), std::max<std::uint64_t>(n, 2), 3};
  if (mode == "ecr")
    return {0, std::min<std::uint64_t>(n, 1), std::min<std::uint64_t>(n, 2), std::min<std::uint64_t>(n, 3)};
  const std::uint64_t half = (n & 1) * 2;
  return {half, half + 1, half, half + 1};
}

std::uint64_t permuted(const Words& in) {
  const std::uint64_t pair = in[0] | (in[1] << 32);
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::uint64_t control = (in[2] >> (4 * i)) & 0xf;
    std::uint64_t byte = byte_of(pair, control & 7);
    if ((control & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

void add_permutations(TableWriter& table) {
  std::vector<Words> rows;
  for (const std::uint64_t selector : {0x3210, 0x7654, 0x0123, 0x4567, 0x5410, 0x7632, 0x0000, 0x7777, 0x8888,
                                       0xba98, 0xfedc, 0x3f1a, 0x4440, 0x0321}) {
    rows.push_back({0x83c27f10, 0x9e0a55fd, selector});
  }
  rows.push_back({0x01020304, 0xa0b0c0d0, 0xffff7531});
  rows.push_back({0xffffffff, 0x00000000, 0x0f4c});
  std::vector<Pointwise> forms{
      {"prmt.b32", "d", "b32", [](const Words& in) { return Expected(permuted(in)); }}};
  for (const std::string mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) {
    forms.push_back({"prmt.b32." + mode, mode, "b32", [mode](const Words& in) {
                       const std::uint64_t pair = in[0] | (in[1] << 32);
                       const auto bytes = mode_bytes(mode, in[2]);
                       std::uint64_t result = 0;
                       for (std::uint64_t i = 0; i < 4; ++i) result |= byte_of(pair, bytes[i]) << (8 * i);
                       return Expected(result);
                     }});
  }
  for (std::uint64_t n = 0; n < 4; ++n) rows.push_back({0x13121110, 0x17161514, n});
  rows.push_back({0x13121110, 0x17161514, 0xfffffffd});
  add_pointwise(table, FormWriter("prmt").in("a", "b32").in("b", "b32").in("selector", "b32"), forms, rows);
}

std::vector<Words> packed_rows() {
  std::vector<Words> rows{{0, 0, 0},
                          {0xffffffff, 0xffffffff, 0},
                          {0xffffffff, 0xffffffff, 1},
                          {0x80808080, 0x80808080, 0x7fffffff},
                          {0x7f7f7f7f, 0x80808080, 0x80000000},
                          {0x80808080, 0x7f7f7f7f, 0xffffffff},
                          {0x01020304, 0x05060708, 100},
                          {0x00ff00ff, 0xff00ff00, 0},
                          {0xff000000, 0x00000001, 0xfffffffe},
                          {0x80008000, 0xffffffff, 5}};
  RandomWords random(17);
  while (rows.size() < 20)
    rows.push_back({truncate(random.next(), 32), truncate(random.next(), 32), truncate(random.next(), 32)});
  return rows;
}

void add_dot_products(TableWriter& table) {
  std::vector<Pointwise> forms;
  for (const bool a_signed : {false, true}) {
    for (const bool b_signed : {false, true}) {
      const std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
      const std::string suffix = std::string(a_signed ? "s" : "u") + (b_signed ? "s" : "u");
      forms.push_back({"dp4a" + types, "four_" + suffix, "b32", [=](const Words& in) {
                         Int128 sum = static_cast<Int128>(in[2]);
                         for (std::uint64_t i = 0; i < 4; ++i)
                           sum += integer_of(byte_of(in[0], i), 8, a_signed) *
                                  integer_of(byte_of(in[1], i), 8, b_signed);
                         return Expected(truncate(static_cast<std::uint64_t>(sum), 32));
                       }});
      for (const std::uint64_t first : {0, 2}) {
        const std::string half = first == 0 ? "lo" : "hi";
        forms.push_back({"dp2a." + half + types, half + "_" + suffix, "b32", [=](const Words& in) {
                           Int128 sum = static_cast<Int128>(in[2]);
                           for (std::uint64_t i = 0; i < 2; ++i)
                             sum += integer_of(in[0] >> (16 * i), 16, a_signed) *
                                    integer_of(byte_of(in[1], first + i), 8, b_signed);
                           return Expected(truncate(static_cast<std::uint64_t>(sum), 32));
                         }});
      }
    }
  }
  add_pointwise(table, FormWriter("dot-products").in("a", "b32").in("b", "b32").in("c", "b32"), forms,
                packed_rows());
}

void add_byte_distances(TableWriter& table) {
  const auto distance = [](const Words& in, std::uint64_t i, bool is_signed) {
    const Int128 difference =
        integer_of(byte_of(in[0], i), 8, is_signed) - integer_of(byte_of(in[1], i), 8, is_signed);
    return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
  };
  std::vector<Pointwise> forms;
  for (const bool is_signed : {false, true}) {
    const std::string source = is_signed ? "s32" : "u32";
    const std::string name = "vabsdiff4.u32." + source + "." + source;
    forms.push_back({name + ".add", "sum_" + source, "b32", [=](const Words& in) {
                       std::uint64_t sum = in[2];
                       for (std::uint64_t i = 0; i < 4; ++i) sum += distance(in, i, is_signed);
                       return Expected(truncate(sum, 32));
                     }});
    forms.push_back({name, "packed_" + source, "b32", [=](const Words& in) {
                       std::uint64_t result = 0;
                       for (std::uint64_t i = 0; i < 4; ++i)
                         result |= (distance(in, i, is_signed) & 0xff) << (8 * i);
                       return Expected(result);
                     }});
  }
  forms.push_back({"vabsdiff4.s32.u32.u32.sat", "packed_saturated", "b32", [=](const Words& in) {
                     std::uint64_t result = 0;
                     for (std::uint64_t i = 0; i < 4; ++i)
                       result |= std::min<std::uint64_t>(distance(in, i, false), 127) << (8 * i);
                     return Expected(result);
                   }});
  add_pointwise(table, FormWriter("vabsdiff4").in("a", "b32").in("b", "b32").in("c", "b32"), forms,
                packed_rows());
}

void add_half_distances(TableWriter& table) {
  std::vector<Pointwise> forms;
  for (const bool is_signed : {false, true}) {
    const std::string source = is_signed ? "s32" : "u32";
    forms.push_back(
        {"vabsdiff2.u32." + source + "." + source + ".add", "sum_" + source, "b32", [=](const Words& in) {
           Int128 sum = static_cast<Int128>(in[2]);
           for (int shift = 0; shift < 32; shift += 16) {
             const Int128 difference =
                 integer_of(in[0] >> shift, 16, is_signed) - integer_of(in[1] >> shift, 16, is_signed);
             sum += difference < 0 ? -difference : difference;
           }
           return Expected(truncate(static_cast<std::uint64_t>(sum), 32));
         }});
  }
  add_pointwise(table, FormWriter("vabsdiff2").in("a", "b32").in("b", "b32").in("c", "b32"), forms,
                packed_rows());
}

}  // namespace

void write_byte_operations(const std::string& folder) {
  TableWriter table(folder, "byte_operations", "Byte permutations, dot products, distances of packed bytes");
  add_permutations(table);
  add_dot_products(table);
  add_byte_distances(table);
  add_half_distances(table);
}

}  // namespace heddle::semantics
