#include <array>

#include "groups.h"
#include "samples.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

std::string column_of(int width) { return "b" + std::to_string(width); }

int leading_zeros(std::uint64_t value, int width) {
  int count = 0;
  while (count < width && ((value >> (width - 1 - count)) & 1) == 0) ++count;
  return count;
}

std::uint64_t reversed(std::uint64_t value, int width) {
  std::uint64_t result = 0;
  for (int i = 0; i < width; ++i) result |= ((value >> i) & 1) << (width - 1 - i);
  return result;
}

void add_logic(TableWriter& table) {
  for (const int width : {1, 16, 32, 64}) {
    const std::string column = width == 1 ? "pred" : column_of(width);
    std::vector<Pointwise> forms{
        {"and." + column, "both", column, [](const Words& in) { return Expected(in[0] & in[1]); }},
        {"or." + column, "either", column, [](const Words& in) { return Expected(in[0] | in[1]); }},
        {"xor." + column, "differs", column, [](const Words& in) { return Expected(in[0] ^ in[1]); }},
        {"not." + column, "inverse", column,
         [width](const Words& in) { return Expected(truncate(~in[0], width)); }, "%a"}};
    if (width > 1) {
      forms.push_back({"cnot." + column, "is_zero", column,
                       [](const Words& in) { return Expected(in[0] == 0 ? 1 : 0); }, "%a"});
    }
    std::vector<Words> rows;
    if (width > 1) rows = integer_pairs(width, 5);
    for (std::uint64_t i = 0; width == 1 && i < 16; ++i) rows.push_back({i & 1, (i >> 1) & 1});
    add_pointwise(table, FormWriter("logic." + column).in("a", column).in("b", column), forms, rows);
  }
}

Words shift_amounts() {
  return {0, 1, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 255, 256, 0x80000000, 0xffffffff, 0x10001};
}

void add_shifts(TableWriter& table) {
  for (const int width : {16, 32, 64}) {
    const std::string column = column_of(width);
    const auto left = [width](const Words& in) {
      return Expected(in[1] >= static_cast<std::uint64_t>(width) ? 0 : truncate(in[0] << in[1], width));
    };
    const auto right = [width](const Words& in) {
      return Expected(in[1] >= static_cast<std::uint64_t>(width) ? 0 : in[0] >> in[1]);
    };
    const auto arithmetic = [width](const Words& in) {
      const int amount = static_cast<int>(std::min<std::uint64_t>(in[1], 63));
      return Expected(truncate(static_cast<std::uint64_t>(sign_extend(in[0], width) >> amount), width));
    };
    const std::string digits = std::to_string(width);
    std::vector<Words> rows;
    for (const std::uint64_t amount : shift_amounts()) {
      rows.push_back({(1ULL << (width - 1)) + 0x35, amount});
      rows.push_back({mask_of(width) / 5 * 2 + 1, amount});
    }
    add_pointwise(table, FormWriter("shifts." + column).in("a", column).in("amount", "b32"),
                  {{"shl.b" + digits, "left", column, left},
                   {"shr.b" + digits, "right_bits", column, right},
                   {"shr.u" + digits, "right", column, right},
                   {"shr.s" + digits, "arithmetic", column, arithmetic}},
                  rows);
  }
}

void add_funnel_shifts(TableWriter& table) {
  const auto funnel = [](bool left, bool clamps) {
    return [left, clamps](const Words& in) {
      const std::uint64_t amount = clamps ? std::min<std::uint64_t>(in[2], 32) : in[2] & 31;
      const std::uint64_t pair = (in[1] << 32) | in[0];
      if (left) return Expected(amount == 32 ? in[0] : truncate((pair << amount) >> 32, 32));
      return Expected(truncate(pair >> amount, 32));
    };
  };
  std::vector<Words> rows;
  for (const std::uint64_t amount : shift_amounts()) rows.push_back({0x89abcdef, 0x01234567, amount});
  for (const std::uint64_t amount : {7, 31, 32, 40}) rows.push_back({0x00000001, 0x80000000, amount});
  add_pointwise(table, FormWriter("shf").in("low", "b32").in("high", "b32").in("amount", "b32"),
                {{"shf.l.wrap.b32", "left_wrap", "b32", funnel(true, false)},
                 {"shf.l.clamp.b32", "left_clamp", "b32", funnel(true, true)},
                 {"shf.r.wrap.b32", "right_wrap", "b32", funnel(false, false)},
                 {"shf.r.clamp.b32", "right_clamp", "b32", funnel(false, true)}},
                rows);
}

/// Returns the position of the most significant 1 bit or, for a negative signed value, of the most
/// significant 0 bit. Returns all ones if there is no such bit.
std::uint64_t found(std::uint64_t value, int width, bool is_signed, bool as_amount) {
  if (is_signed && sign_extend(value, width) < 0) value = truncate(~value, width);
  if (value == 0) return 0xffffffff;
  const int zeros = leading_zeros(value, width);
  return static_cast<std::uint64_t>(as_amount ? zeros : width - 1 - zeros);
}

void add_counts(TableWriter& table) {
  for (const int width : {32, 64}) {
    const std::string column = column_of(width);
    std::vector<Pointwise> forms{
        {"popc." + column, "ones", "b32",
         [](const Words& in) { return Expected(static_cast<std::uint64_t>(__builtin_popcountll(in[0]))); }},
        {"clz." + column, "zeros", "b32",
         [width](const Words& in) {
           return Expected(static_cast<std::uint64_t>(leading_zeros(in[0], width)));
         }},
        {"brev." + column, "reversed", column,
         [width](const Words& in) { return Expected(reversed(in[0], width)); }}};
    for (const bool is_signed : {false, true}) {
      const std::string type = (is_signed ? "s" : "u") + std::to_string(width);
      forms.push_back({"bfind." + type, "found_" + type, "b32",
                       [=](const Words& in) { return Expected(found(in[0], width, is_signed, false)); }});
      forms.push_back({"bfind.shiftamt." + type, "amount_" + type, "b32",
                       [=](const Words& in) { return Expected(found(in[0], width, is_signed, true)); }});
    }
    add_pointwise(table, FormWriter("bits." + column).in("a", column), forms,
                  rows_of(integer_samples(width, 10)));
  }
}

std::uint64_t extracted(std::uint64_t value, std::uint64_t position, std::uint64_t length, int width,
                        bool is_signed) {
  position &= 0xff;
  length &= 0xff;
  const auto top = static_cast<std::uint64_t>(width - 1);
  std::uint64_t sign = 0;
  if (is_signed && length > 0) sign = (value >> std::min(position + length - 1, top)) & 1;
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i <= top; ++i) {
    const bool inside = i < length && position + i <= top;
    result |= (inside ? (value >> (position + i)) & 1 : sign) << i;
  }
  return result;
}

std::uint64_t inserted(std::uint64_t field, std::uint64_t base, std::uint64_t position, std::uint64_t length,
                       int width) {
  position &= 0xff;
  length &= 0xff;
  for (std::uint64_t i = 0; i < length && position + i < static_cast<std::uint64_t>(width); ++i) {
    const std::uint64_t bit = 1ULL << (position + i);
    base = ((field >> i) & 1) != 0 ? base | bit : base & ~bit;
  }
  return base;
}

const std::array<std::array<std::uint64_t, 2>, 20> kFields{
    {{0, 0},   {0, 1},  {0, 8},  {4, 8},    {31, 1},  {31, 2},   {24, 16}, {0, 32},  {0, 33},     {32, 1},
     {16, 16}, {63, 1}, {60, 8}, {40, 255}, {255, 4}, {256, 12}, {8, 256}, {0, 255}, {0x108, 12}, {5, 0}}};

void add_fields(TableWriter& table) {
  for (const int width : {32, 64}) {
    const std::string column = column_of(width);
    const std::string digits = std::to_string(width);
    std::vector<Words> extracts;
    std::vector<Words> inserts;
    for (const auto& [position, length] : kFields) {
      // For 64-bit words, leave out positions and lengths above 255.
      if (width == 64 && (position > 255 || length > 255)) continue;
      for (const std::uint64_t value : {mask_of(width) / 255 * 0xa5 + 0x18, mask_of(width - 1) / 7 * 5}) {
        extracts.push_back({value, position, length});
        inserts.push_back({value, mask_of(width) / 3, position, length});
      }
    }
    const auto extract = [width](bool is_signed) {
      return [=](const Words& in) { return Expected(extracted(in[0], in[1], in[2], width, is_signed)); };
    };
    add_pointwise(table,
                  FormWriter("bfe." + column).in("a", column).in("position", "b32").in("length", "b32"),
                  {{"bfe.u" + digits, "unsigned", column, extract(false)},
                   {"bfe.s" + digits, "signed", column, extract(true)}},
                  extracts);
    add_pointwise(
        table,
        FormWriter("bfi." + column)
            .in("field", column)
            .in("base", column)
            .in("position", "b32")
            .in("length", "b32"),
        {{"bfi.b" + digits, "d", column,
          [width](const Words& in) { return Expected(inserted(in[0], in[1], in[2], in[3], width)); }}},
        inserts);
  }
}

/// Adds entries for bmsk (returns `length` ones, beginning at bit `position`) and szext (extends the low
/// `length` bits of a value).
void add_masks(TableWriter& table) {
  const auto mask = [](bool clamps) {
    return [clamps](const Words& in) {
      const std::uint64_t position = clamps ? std::min<std::uint64_t>(in[0], 32) : in[0] & 31;
      const std::uint64_t length = clamps ? std::min<std::uint64_t>(in[1], 32) : in[1] & 31;
      return Expected(truncate(((1ULL << length) - 1) << position, 32));
    };
  };
  const auto extend = [](bool clamps, bool is_signed) {
    return [clamps, is_signed](const Words& in) {
      const auto length = static_cast<int>(clamps ? std::min<std::uint64_t>(in[1], 32) : in[1] & 31);
      if (length == 0) return Expected(0);
      const std::uint64_t low = truncate(in[0], length);
      return Expected(is_signed ? truncate(static_cast<std::uint64_t>(sign_extend(low, length)), 32) : low);
    };
  };
  std::vector<Words> positions;
  for (const auto& [position, length] : kFields) positions.push_back({position, length});
  for (const auto& [position, length] :
       {std::array<std::uint64_t, 2>{0xffffffff, 3}, {3, 0xffffffff}, {33, 33}, {1, 31}})
    positions.push_back({position, length});
  add_pointwise(
      table, FormWriter("bmsk").in("a", "b32").in("b", "b32"),
      {{"bmsk.clamp.b32", "clamped", "b32", mask(true)}, {"bmsk.wrap.b32", "wrapped", "b32", mask(false)}},
      positions);
  std::vector<Words> lengths;
  for (const std::uint64_t length : {0, 1, 2, 4, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 1000}) {
    lengths.push_back({0x9a5bc6d9, length});
    lengths.push_back({0x6db6db66, length});
  }
  add_pointwise(table, FormWriter("szext").in("a", "b32").in("length", "b32"),
                {{"szext.clamp.u32", "clamped_u32", "b32", extend(true, false)},
                 {"szext.wrap.u32", "wrapped_u32", "b32", extend(false, false)},
                 {"szext.clamp.s32", "clamped_s32", "b32", extend(true, true)},
                 {"szext.wrap.s32", "wrapped_s32", "b32", extend(false, true)}},
                lengths);
}

/// Adds an entry for lop3. Each result bit is bit (a << 2 | b << 1 | c) of the immediate.
void add_lookups(TableWriter& table) {
  FormWriter form("lop3.b32");
  form.covers("lop3.b32").in("table", "imm").in("a", "b32").in("b", "b32").in("c", "b32").out("d", "b32");
  form.body("lop3.b32 %d, %a, %b, %c, {table};");
  RandomWords random(11);
  for (const std::uint64_t lut :
       {0x00, 0xff, 0xf0, 0xcc, 0xaa, 0x80, 0xfe, 0x96, 0xe8, 0xca, 0x3c, 0x1b, 0x78, 0x6a}) {
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Words in{truncate(random.next(), 32), truncate(random.next(), 32), truncate(random.next(), 32)};
      std::uint64_t result = 0;
      for (int i = 0; i < 32; ++i) {
        const std::uint64_t index = ((in[0] >> i) & 1) << 2 | ((in[1] >> i) & 1) << 1 | ((in[2] >> i) & 1);
        result |= ((lut >> index) & 1) << i;
      }
      form.row_text({std::to_string(lut), hex(in[0], "b32"), hex(in[1], "b32"), hex(in[2], "b32")}, {result});
    }
  }
  table.add(form);
}

/// Adds entries for the position of the offset-th set bit, counted from `base` upward or downward; all ones
/// if there is none.
void add_set_bit_searches(TableWriter& table) {
  const auto search = [](const Words& in) {
    const std::int64_t offset = sign_extend(in[2], 32);
    std::int64_t position = static_cast<std::int64_t>(in[1]);
    if (offset == 0) return Expected(((in[0] >> position) & 1) != 0 ? in[1] : 0xffffffff);
    const int step = offset > 0 ? 1 : -1;
    std::int64_t left = offset > 0 ? offset : -offset;
    for (; position >= 0 && position < 32; position += step) {
      if (((in[0] >> position) & 1) != 0 && --left == 0)
        return Expected(static_cast<std::uint64_t>(position));
    }
    return Expected(0xffffffff);
  };
  std::vector<Words> rows;
  for (const std::uint64_t offset : {0ULL, 1ULL, 2ULL, 3ULL, 32ULL, 0xffffffffULL, 0xfffffffeULL}) {
    for (const std::uint64_t base : {0, 5, 31}) rows.push_back({0x80f00321, base, offset});
  }
  add_pointwise(table, FormWriter("fns").in("mask", "b32").in("base", "b32").in("offset", "b32"),
                {{"fns.b32", "d", "b32", search}}, rows);
}

}  // namespace

void write_bit_operations(const std::string& folder) {
  TableWriter table(folder, "bit_operations", "Logic, shifts, bit fields, counts");
  add_logic(table);
  add_shifts(table);
  add_funnel_shifts(table);
  add_counts(table);
  add_fields(table);
  add_masks(table);
  add_lookups(table);
  add_set_bit_searches(table);
}

}  // namespace heddle::semantics
