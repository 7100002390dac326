#include <string>

#include "groups.h"
#include "samples.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

/// An instruction's value and its carry bit CC.CF.
struct Carried {
  std::uint64_t result;
  std::uint64_t carry;
};

Carried sum(int width, std::uint64_t a, std::uint64_t b, std::uint64_t carry) {
  const UInt128 exact = static_cast<UInt128>(a) + b + carry;
  return {truncate(static_cast<std::uint64_t>(exact), width), static_cast<std::uint64_t>(exact >> width) & 1};
}

/// Returns the difference and the borrow. Only whole chains of subtractions are compared, because PTX does
/// not define how CC.CF represents a borrow.
Carried difference(int width, std::uint64_t a, std::uint64_t b, std::uint64_t borrow) {
  const UInt128 subtrahend = static_cast<UInt128>(b) + borrow;
  return {truncate(a - static_cast<std::uint64_t>(subtrahend), width), a < subtrahend ? 1ULL : 0ULL};
}

std::uint64_t half_of_product(int width, bool is_signed, bool high, std::uint64_t a, std::uint64_t b) {
  UInt128 product = static_cast<UInt128>(a) * b;
  if (is_signed && width < 64) {
    product = static_cast<UInt128>(integer_of(a, width, true) * integer_of(b, width, true));
  } else if (is_signed) {
    if (static_cast<std::int64_t>(a) < 0) product -= static_cast<UInt128>(b) << 64;
    if (static_cast<std::int64_t>(b) < 0) product -= static_cast<UInt128>(a) << 64;
  }
  return truncate(static_cast<std::uint64_t>(high ? product >> width : product), width);
}

std::vector<Words> quadruples(int width) {
  std::vector<Words> rows;
  const std::vector<Words> low = integer_pairs(width, 20);
  const std::vector<Words> high = integer_pairs(width, 45);
  for (std::size_t i = 0; i < low.size(); ++i) {
    const Words& other = high[(i * 7 + 3) % high.size()];
    rows.push_back({low[i][0], low[i][1], other[0], other[1]});
  }
  return rows;
}

/// Adds entries for sums (a, c) + (b, d) and differences (a, c) - (b, d), where (a, c) and (b, d) are numbers
/// of two words. The entries also check the final carry.
void add_pairs(TableWriter& table, const std::string& type, int width) {
  const std::string column = "b" + std::to_string(width);
  for (const bool adds : {true, false}) {
    const std::string first = adds ? "add.cc." : "sub.cc.";
    const std::string next = adds ? "addc." : "subc.";
    const auto step = adds ? sum : difference;
    FormWriter form((adds ? "add-with-carry." : "subtract-with-borrow.") + type);
    form.covers(first + type).covers(next + "cc." + type).covers(next + type);
    form.in("a", column).in("b", column).in("c", column).in("d", column);
    form.out("low", column).out("high", column).out("carry", column);
    form.declare(".reg ." + column + " %zero;");
    form.body("mov." + column + " %zero, 0;");
    form.body(first + type + " %low, %a, %b;");
    form.body(next + "cc." + type + " %high, %c, %d;");
    form.body(next + type + " %carry, %zero, %zero;");
    for (const Words& in : quadruples(width)) {
      const Carried low = step(width, in[0], in[1], 0);
      const Carried high = step(width, in[2], in[3], low.carry);
      form.row(in, {low.result, high.result, step(width, 0, 0, high.carry).result});
    }
    table.add(form);
  }
}

void add_multiply_adds(TableWriter& table, const std::string& type, int width) {
  const bool is_signed = type[0] == 's';
  const std::string column = "b" + std::to_string(width);
  for (const bool high : {false, true}) {
    const std::string half = high ? "hi." : "lo.";
    FormWriter form("multiply-add-with-carry." + half + type);
    form.covers("mad." + half + "cc." + type)
        .covers("madc." + half + "cc." + type)
        .covers("madc." + half + type);
    form.in("a", column).in("b", column).in("c", column).in("d", column);
    form.out("first", column).out("second", column).out("third", column);
    form.body("mad." + half + "cc." + type + " %first, %a, %b, %c;");
    form.body("madc." + half + "cc." + type + " %second, %a, %c, %d;");
    form.body("madc." + half + type + " %third, %b, %d, %a;");
    for (const Words& in : quadruples(width)) {
      const Carried first = sum(width, half_of_product(width, is_signed, high, in[0], in[1]), in[2], 0);
      const Carried second =
          sum(width, half_of_product(width, is_signed, high, in[0], in[2]), in[3], first.carry);
      const Carried third =
          sum(width, half_of_product(width, is_signed, high, in[1], in[3]), in[0], second.carry);
      form.row(in, {first.result, second.result, third.result});
    }
    table.add(form);
  }
}

/// Adds an entry for the 128-bit product of two 64-bit numbers, by the instructions that compilers generate.
void add_wide_product(TableWriter& table) {
  FormWriter form("product-of-128-bits");
  form.covers("mad.lo.cc.u32").covers("madc.hi.cc.u32").covers("madc.hi.u32").covers("addc.u32");
  form.in("a", "b64").in("b", "b64").out("low", "b64").out("high", "b64");
  form.declare(".reg .b32 %a0, %a1, %b0, %b1, %w<4>;");
  for (const char* line :
       {"mov.b64 {%a0, %a1}, %a;", "mov.b64 {%b0, %b1}, %b;", "mul.lo.u32 %w0, %a0, %b0;",
        "mul.hi.u32 %w1, %a0, %b0;", "mad.lo.cc.u32 %w1, %a0, %b1, %w1;", "madc.hi.u32 %w2, %a0, %b1, 0;",
        "mad.lo.cc.u32 %w1, %a1, %b0, %w1;", "madc.hi.cc.u32 %w2, %a1, %b0, %w2;", "addc.u32 %w3, 0, 0;",
        "mad.lo.cc.u32 %w2, %a1, %b1, %w2;", "madc.hi.u32 %w3, %a1, %b1, %w3;", "mov.b64 %low, {%w0, %w1};",
        "mov.b64 %high, {%w2, %w3};"}) {
    form.body(line);
  }
  for (const Words& in : integer_pairs(64, 15)) {
    const UInt128 product = static_cast<UInt128>(in[0]) * in[1];
    form.row(in, {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)});
  }
  table.add(form);
}

}  // namespace

void write_carry_chains(const std::string& folder) {
  TableWriter table(folder, "carry_chains", "Extended-precision integer arithmetic");
  for (const char* type : {"u32", "s32"}) {
    add_pairs(table, type, 32);
    add_multiply_adds(table, type, 32);
  }
  for (const char* type : {"u64", "s64"}) {
    add_pairs(table, type, 64);
    add_multiply_adds(table, type, 64);
  }
  add_wide_product(table);
}

}  // namespace heddle::semantics
