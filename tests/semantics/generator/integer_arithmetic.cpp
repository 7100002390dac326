#include <array>

#include "groups.h"
#include "samples.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

struct IntegerType {
  std::string name;
  int width;
  bool is_signed;

  std::string column() const { return "b" + std::to_string(width); }
  Int128 value(std::uint64_t bits) const { return integer_of(bits, width, is_signed); }
  std::uint64_t bits(Int128 value) const { return truncate(static_cast<std::uint64_t>(value), width); }
};

const std::array<IntegerType, 6> kTypes{{{"u16", 16, false},
                                         {"s16", 16, true},
                                         {"u32", 32, false},
                                         {"s32", 32, true},
                                         {"u64", 64, false},
                                         {"s64", 64, true}}};

FormWriter binary(const std::string& name, const std::string& column) {
  return FormWriter(name).in("a", column).in("b", column);
}

FormWriter ternary(const std::string& name, const std::string& column) {
  return binary(name, column).in("c", column);
}

/// The full product of two operands. The product of two 64-bit operands is computed with unsigned 128-bit
/// integers.
struct Product {
  std::uint64_t low;
  std::uint64_t high;
};

Product product_of(const IntegerType& type, std::uint64_t a, std::uint64_t b) {
  if (type.width < 64) {
    const Int128 product = type.value(a) * type.value(b);
    return {type.bits(product), type.bits(product >> type.width)};
  }
  UInt128 product = static_cast<UInt128>(a) * b;
  if (type.is_signed) {
    if (static_cast<std::int64_t>(a) < 0) product -= static_cast<UInt128>(b) << 64;
    if (static_cast<std::int64_t>(b) < 0) product -= static_cast<UInt128>(a) << 64;
  }
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
}

void add_sums(TableWriter& table) {
  for (const IntegerType& type : kTypes) {
    const std::string column = type.column();
    std::vector<Pointwise> forms;
    forms.push_back({"add." + type.name, "sum", column,
                     [type](const Words& in) { return Expected(truncate(in[0] + in[1], type.width)); }});
    forms.push_back({"sub." + type.name, "difference", column,
                     [type](const Words& in) { return Expected(truncate(in[0] - in[1], type.width)); }});
    for (const bool least_of : {true, false}) {
      forms.push_back({(least_of ? "min." : "max.") + type.name, least_of ? "least" : "greatest", column,
                       [type, least_of](const Words& in) {
                         const bool first = type.value(in[0]) < type.value(in[1]);
                         return Expected(first == least_of ? in[0] : in[1]);
                       }});
    }
    if (type.name == "s32") {
      for (const bool adds : {true, false}) {
        forms.push_back({adds ? "add.sat.s32" : "sub.sat.s32", adds ? "sum_sat" : "difference_sat", column,
                         [type, adds](const Words& in) {
                           const Int128 a = type.value(in[0]);
                           const Int128 b = type.value(in[1]);
                           return Expected(type.bits(clamp_to(adds ? a + b : a - b, 32, true)));
                         }});
      }
    }
    add_pointwise(table, binary("sums." + type.name, column), forms, integer_pairs(type.width, 15));
  }
}

void add_products(TableWriter& table) {
  for (const IntegerType& type : kTypes) {
    const std::string column = type.column();
    const std::string wide = "b" + std::to_string(2 * type.width);
    std::vector<Pointwise> products;
    std::vector<Pointwise> sums;
    const auto low = [type](const Words& in) { return Expected(product_of(type, in[0], in[1]).low); };
    const auto high = [type](const Words& in) { return Expected(product_of(type, in[0], in[1]).high); };
    products.push_back({"mul.lo." + type.name, "low", column, low});
    products.push_back({"mul.hi." + type.name, "high", column, high});
    sums.push_back({"mad.lo." + type.name, "low", column, [type](const Words& in) {
                      return Expected(truncate(product_of(type, in[0], in[1]).low + in[2], type.width));
                    }});
    sums.push_back({"mad.hi." + type.name, "high", column, [type](const Words& in) {
                      return Expected(truncate(product_of(type, in[0], in[1]).high + in[2], type.width));
                    }});
    if (type.name == "s32") {
      sums.push_back({"mad.hi.sat.s32", "high_sat", column, [type](const Words& in) {
                        const Int128 high_half = type.value(product_of(type, in[0], in[1]).high);
                        return Expected(type.bits(clamp_to(high_half + type.value(in[2]), 32, true)));
                      }});
    }
    if (type.width < 64) {
      products.push_back({"mul.wide." + type.name, "wide", wide, [type](const Words& in) {
                            const Product product = product_of(type, in[0], in[1]);
                            return Expected(product.low | (product.high << type.width));
                          }});
    }
    add_pointwise(table, binary("products." + type.name, column), products, integer_pairs(type.width, 15));
    add_pointwise(table, ternary("multiply-adds." + type.name, column), sums,
                  integer_triples(type.width, 10));
    if (type.width == 64) continue;
    std::vector<Words> rows = integer_triples(type.width, 10);
    const Words addends = integer_samples(2 * type.width, 30);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][2] = addends[i % addends.size()];
    add_pointwise(
        table, binary("mad.wide." + type.name, column).in("c", wide),
        {{"mad.wide." + type.name, "d", wide,
          [type](const Words& in) {
            const Product product = product_of(type, in[0], in[1]);
            return Expected(truncate((product.low | (product.high << type.width)) + in[2], 2 * type.width));
          }}},
        rows);
  }
}

void add_products_of_24_bits(TableWriter& table) {
  for (const IntegerType& type : {kTypes[2], kTypes[3]}) {
    const auto product = [type](const Words& in) {
      return integer_of(in[0], 24, type.is_signed) * integer_of(in[1], 24, type.is_signed);
    };
    std::vector<Pointwise> forms{
        {"mul24.lo." + type.name, "low", "b32",
         [=](const Words& in) { return Expected(type.bits(product(in))); }, "%a, %b"},
        {"mul24.hi." + type.name, "high", "b32",
         [=](const Words& in) { return Expected(type.bits(product(in) >> 16)); }, "%a, %b"},
        {"mad24.lo." + type.name, "low_sum", "b32",
         [=](const Words& in) { return Expected(type.bits(product(in) + type.value(in[2]))); }},
        {"mad24.hi." + type.name, "high_sum", "b32",
         [=](const Words& in) { return Expected(type.bits((product(in) >> 16) + type.value(in[2]))); }}};
    if (type.is_signed) {
      forms.push_back({"mad24.hi.sat.s32", "high_sat", "b32", [=](const Words& in) {
                         const Int128 high = type.value(type.bits(product(in) >> 16));
                         return Expected(type.bits(clamp_to(high + type.value(in[2]), 32, true)));
                       }});
    }
    std::vector<Words> rows = integer_triples(32, 10);
    rows.push_back({0x800000, 0x800000, 1});
    rows.push_back({0x7fffff, 0x800000, 0});
    rows.push_back({0xffffff, 0xffffff, 0x80000000});
    rows.push_back({0xff123456, 0x00654321, 0x7fffffff});
    add_pointwise(table, ternary("products-of-24-bits." + type.name, "b32"), forms, rows);
  }
}

/// Adds entries for quotients and remainders. PTX does not define division by zero; the tables expect all
/// ones for quotient and remainder.
void add_quotients(TableWriter& table) {
  for (const IntegerType& type : kTypes) {
    const std::uint64_t ones = mask_of(type.width);
    const auto quotient = [type, ones](const Words& in) {
      return Expected(in[1] == 0 ? ones : type.bits(type.value(in[0]) / type.value(in[1])));
    };
    const auto remainder = [type, ones](const Words& in) {
      return Expected(in[1] == 0 ? ones : type.bits(type.value(in[0]) % type.value(in[1])));
    };
    std::vector<Words> rows = integer_pairs(type.width, 20);
    for (const int divisor : {3, 7, 10, -3, -10}) {
      rows.push_back({type.bits(-7), type.bits(divisor)});
      rows.push_back({type.bits(1000), type.bits(divisor)});
    }
    if (type.width == 64) {
      rows.push_back({0x123456789abcdef0, 0x100000000});
      rows.push_back({0xfedcba9876543210, 0xffffffff});
      rows.push_back({0xffffffffffffffff, 0xfffffffffffffffe});
    }
    add_pointwise(table, binary("quotients." + type.name, type.column()),
                  {{"div." + type.name, "quotient", type.column(), quotient},
                   {"rem." + type.name, "remainder", type.column(), remainder}},
                  rows);
  }
}

void add_signs(TableWriter& table) {
  for (const IntegerType& type : {kTypes[1], kTypes[3], kTypes[5]}) {
    const auto negative = [type](const Words& in) { return Expected(type.bits(-type.value(in[0]))); };
    const auto magnitude = [type](const Words& in) {
      return Expected(type.bits(type.value(in[0]) < 0 ? -type.value(in[0]) : type.value(in[0])));
    };
    add_pointwise(table, FormWriter("signs." + type.name).in("a", type.column()),
                  {{"neg." + type.name, "negative", type.column(), negative},
                   {"abs." + type.name, "magnitude", type.column(), magnitude}},
                  rows_of(integer_samples(type.width, 8)));
  }
}

void add_distances(TableWriter& table) {
  for (const IntegerType& type : kTypes) {
    const auto sum = [type](const Words& in) {
      const bool below = type.value(in[0]) < type.value(in[1]);
      const std::uint64_t distance = below ? in[1] - in[0] : in[0] - in[1];
      return Expected(truncate(in[2] + distance, type.width));
    };
    add_pointwise(table, ternary("sad." + type.name, type.column()),
                  {{"sad." + type.name, "d", type.column(), sum}}, integer_triples(type.width, 10));
  }
}

}  // namespace

void write_integer_arithmetic(const std::string& folder) {
  TableWriter sums(folder, "integer_arithmetic", "Integer sums, extremes, quotients, signs");
  add_sums(sums);
  add_quotients(sums);
  add_signs(sums);
  add_distances(sums);
  TableWriter products(folder, "integer_products", "Integer products and multiply-adds");
  add_products(products);
  add_products_of_24_bits(products);
}

}  // namespace heddle::semantics
