#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

using Operation = std::function<std::uint64_t(const Words&, Round)>;

struct Mode {
  std::string suffix;
  Round round;
};

const std::array<Mode, 4> kModes{
    {{".rn", Round::nearest}, {".rz", Round::zero}, {".rm", Round::down}, {".rp", Round::up}}};

using OperationIn = std::function<std::uint64_t(const Format&, const Words&, Round)>;

/// A format with the precision of f32 and a wider range of exponents, so that no result is subnormal or
/// infinite.
constexpr Format kDeep{64, f32.precision, -1022, 1023};

/// Returns the operation with .ftz: subnormal inputs and results become zeros of the same sign. A result
/// counts as subnormal if it is below the normal numbers after rounding to their precision
/// (docs/on-gpu.md). `near_least` computes this rounding: it is the same operation, but takes the format as
/// an argument. If `near_least` is empty, the result in `format` decides.
Operation with_flush(const Format& format, const Operation& operation, const OperationIn& near_least) {
  return [&format, operation, near_least](const Words& in, Round round) {
    Words inputs, deep;
    for (const std::uint64_t word : in) {
      inputs.push_back(flushed(format, word));
      deep.push_back(converted(format, inputs.back(), kDeep, Round::nearest));
    }
    const std::uint64_t result = flushed(format, operation(inputs, round));
    if (!near_least || format.is_nan(result)) return result;
    const std::uint64_t least = static_cast<std::uint64_t>(f32.exponent_min - kDeep.exponent_min + 1)
                                << (kDeep.precision - 1);
    const bool tiny = (near_least(kDeep, deep, round) & ~kDeep.sign_bit()) < least;
    return tiny ? result & format.sign_bit() : result;
  };
}

/// Returns all variants name{.rnd}{.ftz}{.sat}.type of PTX. `has_default`: the spelling without rounding is
/// permitted.
std::vector<Pointwise> variants(const std::string& name, const Format& format, const Operation& operation,
                                bool has_default, bool has_saturation, const OperationIn& near_least = {}) {
  const std::string type = ".f" + std::to_string(format.width);
  std::vector<Mode> modes(kModes.begin(), kModes.end());
  if (has_default) modes.insert(modes.begin(), {"", Round::nearest});
  std::vector<Pointwise> forms;
  for (const Mode& mode : modes) {
    const std::string column = mode.suffix.empty() ? "d" : mode.suffix.substr(1);
    const Round round = mode.round;
    forms.push_back({name + mode.suffix + type, column, type.substr(1),
                     [=](const Words& in) { return Expected(operation(in, round)); }});
    if (format.width == 64) continue;
    const Operation flushing = with_flush(format, operation, near_least);
    forms.push_back({name + mode.suffix + ".ftz" + type, column + "_ftz", type.substr(1),
                     [=](const Words& in) { return Expected(flushing(in, round)); }});
    if (!has_saturation) continue;
    forms.push_back({name + mode.suffix + ".sat" + type, column + "_sat", type.substr(1),
                     [=](const Words& in) { return Expected(saturated(f32, operation(in, round))); }});
    forms.push_back({name + mode.suffix + ".ftz.sat" + type, column + "_ftz_sat", type.substr(1),
                     [=](const Words& in) { return Expected(saturated(f32, flushing(in, round))); }});
  }
  return forms;
}

FormWriter with_inputs(const std::string& name, const Format& format, int count) {
  FormWriter form(name + ".f" + std::to_string(format.width));
  for (int i = 0; i < count; ++i)
    form.in(std::string(1, static_cast<char>('a' + i)), "f" + std::to_string(format.width));
  return form;
}

/// Factors whose products lie 0.70, 1.48, 1.75, 0.24 and 3.50 times 2^-151 below f32's least normal number.
/// As subnormals, these products have a spacing of 4 x 2^-151, so all but the last round to the least normal
/// number. With the precision of normal numbers (24 bits), the spacing is 2 x 2^-151, and only the first and
/// the fourth product do.
const std::vector<Words> kBelowLeast{{0x201027c4, 0x1fe34f73},
                                     {0x20414c34, 0x1fa9855b},
                                     {0x2078e510, 0x9f83a76e},
                                     {0xa035bf99, 0x1fb44b0d},
                                     {0x20216363, 0x1fcb09d0}};

void add_sums_and_products(TableWriter& table, const Format& format) {
  const Operation sum = [&format](const Words& in, Round round) { return add(format, in[0], in[1], round); };
  const Operation difference = [&format](const Words& in, Round round) {
    return subtract(format, in[0], in[1], round);
  };
  const OperationIn product_in = [](const Format& f, const Words& in, Round round) {
    return multiply(f, in[0], in[1], round);
  };
  const Operation product = [&format, product_in](const Words& in, Round round) {
    return product_in(format, in, round);
  };
  std::vector<Words> rows = float_pairs(format, 12);
  add_pointwise(table, with_inputs("add", format, 2), variants("add", format, sum, true, true), rows);
  add_pointwise(table, with_inputs("sub", format, 2), variants("sub", format, difference, true, true), rows);
  if (format.width == 32) rows.insert(rows.end(), kBelowLeast.begin(), kBelowLeast.end());
  add_pointwise(table, with_inputs("mul", format, 2),
                variants("mul", format, product, true, true, product_in), rows);
}

void add_fused(TableWriter& table, const Format& format) {
  const OperationIn fused_in = [](const Format& f, const Words& in, Round round) {
    return multiply_add(f, in[0], in[1], in[2], round);
  };
  const Operation fused = [&format, fused_in](const Words& in, Round round) {
    return fused_in(format, in, round);
  };
  std::vector<Words> rows = float_triples(format, 12);
  if (format.width == 32) {
    for (Words row : kBelowLeast) rows.push_back({row[0], row[1], row[0] & 0x80000000});
    // sums just below the least normal number: 2^-126 - 1.5 * 2^-151, and 2^-126 - 0.75 * 2^-151
    for (const std::uint64_t factor : {0x13c00000, 0x13400000})
      rows.push_back({0xa0000000, factor, 0x00800000});
    // Rows in which the product is near the greatest number, and the addend has the opposite sign.
    rows.insert(rows.end(), {{0x7ac7a167, 0x3f800000, 0xff7fffff},
                             {0x7f7fffff, 0xbf800000, 0x773e44b1},
                             {0xfc5a8b83, 0xbf800000, 0xf64ee568},
                             {0x763ae4e5, 0xbf800000, 0x7f7fffff}});
  }
  add_pointwise(table, with_inputs("fma", format, 3), variants("fma", format, fused, false, true, fused_in),
                rows);
  std::vector<Words> fewer;
  for (std::size_t i = 0; i < rows.size(); i += 2) fewer.push_back(rows[i]);
  add_pointwise(table, with_inputs("mad", format, 3), variants("mad", format, fused, false, true, fused_in),
                fewer);
}

void add_quotients_and_roots(TableWriter& table, const Format& format) {
  const Operation quotient = [&format](const Words& in, Round round) {
    return divide(format, in[0], in[1], round);
  };
  const Operation reciprocal = [&format](const Words& in, Round round) {
    return divide(format, format.one(), in[0], round);
  };
  const Operation root = [&format](const Words& in, Round round) {
    return square_root(format, in[0], round);
  };
  add_pointwise(table, with_inputs("div", format, 2), variants("div", format, quotient, false, false),
                float_pairs(format, 14));
  Words values = float_samples(format, 10);
  for (const std::uint64_t word : {2, 3, 5})
    values.push_back(format.one() + (word << (format.precision - 2)));
  values.push_back(format.one() * 2 + 7);
  values.push_back(format.greatest_finite() / 2 + 12345);
  add_pointwise(table, with_inputs("rcp", format, 1), variants("rcp", format, reciprocal, false, false),
                rows_of(values));
  add_pointwise(table, with_inputs("sqrt", format, 1), variants("sqrt", format, root, false, false),
                rows_of(values));
}

/// Returns min or max. -0 is less than +0. If one operand is a NaN, the result is the canonical NaN with
/// `keeps_nan`, and the other operand without `keeps_nan`. Two NaNs give the canonical NaN.
std::uint64_t extreme(const Format& format, std::uint64_t a, std::uint64_t b, bool least_of, bool keeps_nan) {
  if (format.is_nan(a) || format.is_nan(b)) {
    if (keeps_nan || (format.is_nan(a) && format.is_nan(b))) return format.canonical_nan();
    return format.is_nan(a) ? b : a;
  }
  const int order = compared(format, a, b);
  if (order == 0) return least_of == format.is_negative(a) ? a : b;
  return (order < 0) == least_of ? a : b;
}

void add_extremes(TableWriter& table, const Format& format) {
  const std::string type = ".f" + std::to_string(format.width);
  std::vector<Pointwise> forms;
  std::vector<Pointwise> with_nan;
  for (const bool least_of : {true, false}) {
    const std::string name = least_of ? "min" : "max";
    forms.push_back({name + type, name, type.substr(1), [=, &format](const Words& in) {
                       return Expected(extreme(format, in[0], in[1], least_of, false));
                     }});
    if (format.width == 64) continue;
    forms.push_back({name + ".ftz" + type, name + "_ftz", type.substr(1), [=](const Words& in) {
                       return Expected(
                           extreme(f32, flushed(f32, in[0]), flushed(f32, in[1]), least_of, false));
                     }});
    with_nan.push_back({name + ".NaN" + type, name + "_nan", type.substr(1), [=](const Words& in) {
                          return Expected(extreme(f32, in[0], in[1], least_of, true));
                        }});
    with_nan.push_back({name + ".ftz.NaN" + type, name + "_ftz_nan", type.substr(1), [=](const Words& in) {
                          return Expected(
                              extreme(f32, flushed(f32, in[0]), flushed(f32, in[1]), least_of, true));
                        }});
  }
  const std::vector<Words> rows = float_pairs(format, 4);
  add_pointwise(table, with_inputs("extremes", format, 2), forms, rows);
  if (!with_nan.empty()) {
    add_pointwise(table, with_inputs("extremes.NaN", format, 2).ptx("7.8", "sm_80"), with_nan, rows);
  }
}

/// Returns what abs and neg give for a NaN on an H200: for f64 the quiet form of the operand, for f32 the
/// canonical NaN.
std::uint64_t nan_of_sign(const Format& format, std::uint64_t a) {
  return format.width == 64 ? a | format.canonical_nan() : format.canonical_nan();
}

void add_signs(TableWriter& table, const Format& format) {
  const std::string type = ".f" + std::to_string(format.width);
  const std::uint64_t sign = format.sign_bit();
  const auto absolute = [=](const Words& in) {
    return Expected(format.is_nan(in[0]) ? nan_of_sign(format, in[0]) : in[0] & ~sign);
  };
  const auto negative = [=](const Words& in) {
    return Expected(format.is_nan(in[0]) ? nan_of_sign(format, in[0]) : in[0] ^ sign);
  };
  // copysign d, a, b: the magnitude of b with the sign of a
  const auto copied = [sign](const Words& in) { return Expected((in[1] & ~sign) | (in[0] & sign)); };
  add_pointwise(table, with_inputs("signs", format, 2),
                {{"abs" + type, "absolute", type.substr(1), absolute, "%a"},
                 {"neg" + type, "negative", type.substr(1), negative, "%a"},
                 {"copysign" + type, "copied", type.substr(1), copied}},
                float_pairs(format, 4));
  if (format.width == 64) return;
  std::vector<Words> words;
  for (const std::uint64_t word : float_samples(f32, 4)) words.push_back({word});
  const auto sign_of = [](std::uint64_t a, std::uint64_t result) {
    return Expected(f32.is_nan(a) ? f32.canonical_nan() : result);
  };
  add_pointwise(table, with_inputs("signs.ftz", format, 1),
                {{"abs.ftz.f32", "absolute", "f32",
                  [=](const Words& in) { return sign_of(in[0], flushed(f32, in[0]) & 0x7fffffff); }},
                 {"neg.ftz.f32", "negative", "f32",
                  [=](const Words& in) { return sign_of(in[0], flushed(f32, in[0]) ^ 0x80000000); }}},
                words);
}

}  // namespace

void write_float_arithmetic(const std::string& folder) {
  TableWriter sums(folder, "float_sums", "Floating-point sums and products in every rounding");
  TableWriter fused(folder, "float_multiply_adds", "Fused multiply-adds in every rounding");
  TableWriter quotients(folder, "float_quotients", "Correctly rounded quotients, reciprocals, square roots");
  TableWriter signs(folder, "float_signs", "Floating-point extremes and signs");
  for (const Format* format : {&f32, &f64}) {
    add_sums_and_products(sums, *format);
    add_fused(fused, *format);
    add_quotients_and_roots(quotients, *format);
    add_extremes(signs, *format);
    add_signs(signs, *format);
  }
}

}  // namespace heddle::semantics
