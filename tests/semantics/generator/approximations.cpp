#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

// Writes table entries for approximate operations. A row has the interval that the accuracy bound of the PTX
// ISA permits; if versions of the ISA differ, it is the widest interval. Special values are exact.

namespace heddle::semantics {

namespace {

/// Greatest permitted distance from the exact value. If several members are not zero, the one that permits
/// the largest distance counts.
struct Bound {
  double ulps = 0;
  double relative = 0;
  double absolute = 0;
};

Real distance_of(const Format& format, const Real& exact, const Bound& bound) {
  Real widest;
  mpfr_set_d(widest.get(), bound.absolute, MPFR_RNDN);
  Real part;
  mpfr_abs(part.get(), exact.get(), MPFR_RNDN);
  mpfr_mul_d(part.get(), part.get(), bound.relative, MPFR_RNDN);
  mpfr_max(widest.get(), widest.get(), part.get(), MPFR_RNDN);
  if (exact.sign() != 0) {
    const long exponent = std::max<long>(mpfr_get_exp(exact.get()) - 1, format.exponent_min);
    mpfr_set_d(part.get(), bound.ulps, MPFR_RNDN);
    mpfr_mul_2si(part.get(), part.get(), exponent - (format.precision - 1), MPFR_RNDN);
    mpfr_max(widest.get(), widest.get(), part.get(), MPFR_RNDN);
  }
  return widest;
}

/// Returns an interval of numbers of the format: all numbers that differ from `exact` by at most the bound.
/// The interval contains at least the number nearest to `exact`.
Expected around(const Format& format, const Real& exact, const Bound& bound, bool flushes) {
  const Real distance = distance_of(format, exact, bound);
  Real low;
  Real high;
  mpfr_sub(low.get(), exact.get(), distance.get(), MPFR_RNDN);
  mpfr_add(high.get(), exact.get(), distance.get(), MPFR_RNDN);
  std::uint64_t least = rounded(format, low, Round::up, exact.sign() < 0);
  std::uint64_t greatest = rounded(format, high, Round::down, exact.sign() < 0);
  const std::uint64_t nearest = rounded(format, exact, Round::nearest, exact.sign() < 0);
  if (compared(format, nearest, least) < 0) least = nearest;
  if (compared(format, nearest, greatest) > 0) greatest = nearest;
  if (flushes) {
    least = flushed(format, least);
    greatest = flushed(format, greatest);
  }
  return Expected::between(least, greatest);
}

using Function = std::function<void(Real&)>;

struct Approximation {
  std::string name;
  Bound bound;
  std::function<bool(std::uint64_t, std::uint64_t&)> special;
  Function function;
};

std::uint64_t nan() { return f32.canonical_nan(); }
constexpr std::uint64_t kInfinity = 0x7f800000;
constexpr std::uint64_t kSign = 0x80000000;

bool is_below_zero(std::uint64_t a) { return f32.is_negative(a) && !f32.is_zero(a); }

std::vector<Approximation> approximations() {
  return {
      {"rcp",
       {.ulps = 1},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = a | kInfinity;
         if (f32.is_infinite(a)) d = a & kSign;
         return f32.is_zero(a) || f32.is_infinite(a);
       },
       [](Real& x) { mpfr_ui_div(x.get(), 1, x.get(), MPFR_RNDN); }},
      {"sqrt",
       {.relative = 0x1p-22},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a) || a == kInfinity) d = a;
         if (is_below_zero(a)) d = nan();
         return f32.is_zero(a) || a == kInfinity || is_below_zero(a);
       },
       [](Real& x) { mpfr_sqrt(x.get(), x.get(), MPFR_RNDN); }},
      {"rsqrt",
       {.relative = 0x1p-22},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = a | kInfinity;
         if (a == kInfinity) d = 0;
         if (is_below_zero(a)) d = nan();
         return f32.is_zero(a) || a == kInfinity || is_below_zero(a);
       },
       [](Real& x) { mpfr_rec_sqrt(x.get(), x.get(), MPFR_RNDN); }},
      {"lg2",
       {.absolute = 0x1p-22},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = kSign | kInfinity;
         if (a == kInfinity) d = a;
         if (is_below_zero(a)) d = nan();
         return f32.is_zero(a) || a == kInfinity || is_below_zero(a);
       },
       [](Real& x) { mpfr_log2(x.get(), x.get(), MPFR_RNDN); }},
      {"ex2",
       {.ulps = 2, .relative = 0x1p-22},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = 0x3f800000;
         if (a == kInfinity) d = a;
         if (a == (kInfinity | kSign)) d = 0;
         return f32.is_zero(a) || f32.is_infinite(a);
       },
       [](Real& x) { mpfr_exp2(x.get(), x.get(), MPFR_RNDN); }},
      {"sin",
       {.absolute = 0x1.15p-21},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = a;
         if (f32.is_infinite(a)) d = nan();
         return f32.is_zero(a) || f32.is_infinite(a);
       },
       [](Real& x) { mpfr_sin(x.get(), x.get(), MPFR_RNDN); }},
      {"cos",
       {.absolute = 0x1.15p-21},
       [](std::uint64_t a, std::uint64_t& d) {
         if (f32.is_zero(a)) d = 0x3f800000;
         if (f32.is_infinite(a)) d = nan();
         return f32.is_zero(a) || f32.is_infinite(a);
       },
       [](Real& x) { mpfr_cos(x.get(), x.get(), MPFR_RNDN); }},
  };
}

/// Returns the error bound for an argument. For sin and cos, the bound is wider outside of [-pi, pi]. For
/// lg2, the bound is relative outside of (0.5, 2).
Bound bound_at(const Approximation& operation, std::uint64_t a) {
  const std::uint64_t magnitude = a & ~kSign;
  if (operation.name == "lg2" && (a <= 0x3f000000 || a >= 0x40000000)) return {.relative = 0x1p-22};
  if (operation.name == "sin" || operation.name == "cos") {
    if (magnitude > 0x40c90fdb) return {.absolute = 0x1.4p-15};
    if (magnitude > 0x40490fdb) return {.absolute = 0x1.7p-21};
  }
  return operation.bound;
}

Words arguments_of(const std::string& name) {
  Words words = float_specials(f32);
  const auto append = [&words](std::initializer_list<std::uint64_t> more) {
    words.insert(words.end(), more);
  };
  if (name == "sin" || name == "cos") {
    words.erase(words.begin() + 8,
                // leave out the greatest numbers, for which the PTX ISA promises no accuracy
                words.begin() + 10);
    append({0x3f800000, 0xbf800000, 0x3fc90fdb, 0xbfc90fdb, 0x40490fdb, 0xc0490fdb, 0x3f490fdb, 0x40000000,
            0x3dcccccd, 0x3a83126f, 0x40200000, 0x40c90fdb, 0xc0c00000, 0x42c80000, 0xc3160000, 0x3f000000});
  } else if (name == "ex2") {
    append({0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x42fc0000, 0x42feffff, 0x43000000, 0xc2fc0000,
            0xc2fc8000, 0xc3030000, 0xc3140000, 0xc3150000, 0xc3170000, 0x40490fdb, 0x3dcccccd, 0xc1200001,
            0x41a3d70a});
  } else {
    append({0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0x40400000, 0x40800000, 0x3f000000,
            0x3fb504f3, 0x40490fdb, 0x41200000, 0x3dcccccd, 0x00800001, 0x01000000, 0x7e800000, 0x7e800001,
            0x7f000000, 0x47c35000});
  }
  RandomWords random(23);
  for (int i = 0; i < 6; ++i)
    append({random_float(f32, random, name == "ex2" ? 5 : 1) & (name == "ex2" ? ~0ULL : ~kSign)});
  return words;
}

Expected value_of(const Approximation& operation, std::uint64_t a, bool flushes) {
  if (flushes) a = flushed(f32, a);
  if (f32.is_nan(a)) return nan();
  std::uint64_t literal = 0;
  if (operation.special(a, literal)) return literal;
  Real x = Real::of(f32, a);
  operation.function(x);
  if (x.sign() == 0) return rounded(f32, x, Round::nearest);
  return around(f32, x, bound_at(operation, a), flushes);
}

void add_functions(TableWriter& table) {
  mpfr_set_default_prec(256);
  for (const Approximation& operation : approximations()) {
    std::vector<Pointwise> forms;
    for (const bool flushes : {false, true}) {
      forms.push_back({operation.name + (flushes ? ".approx.ftz.f32" : ".approx.f32"),
                       flushes ? "d_ftz" : "d", "f32",
                       [=](const Words& in) { return value_of(operation, in[0], flushes); }});
    }
    add_pointwise(table, FormWriter(operation.name + ".approx").in("a", "f32"), forms,
                  rows_of(arguments_of(operation.name)));
  }
}

void add_tangent(TableWriter& table) {
  Words words = float_samples(f32, 12);
  const auto value = [](const Words& in) {
    if (f32.is_nan(in[0])) return Expected(nan());
    if (f32.is_zero(in[0])) return Expected(in[0]);
    if (f32.is_infinite(in[0])) return Expected((in[0] & kSign) | 0x3f800000);
    Real x = Real::of(f32, in[0]);
    // For large arguments, the exact tanh differs from 1 by less than the precision of Real.
    if ((in[0] & ~kSign) > 0x44000000)
      return Expected::between(x.sign() < 0 ? 0xbf800000 : 0x3f7fe000,
                               x.sign() < 0 ? 0xbf7fe000 : 0x3f800000);
    mpfr_tanh(x.get(), x.get(), MPFR_RNDN);
    return around(f32, x, {.ulps = 1, .relative = 0x1p-11}, false);
  };
  add_pointwise(table, FormWriter("tanh.approx").in("a", "f32"), {{"tanh.approx.f32", "d", "f32", value}},
                rows_of(words));
}

/// div.approx promises 2 ulp for divisors from 2^-126 to 2^126. For larger divisors it returns zero, or NaN
/// if the dividend is infinite. div.full promises 2 ulp.
Expected quotient(std::uint64_t a, std::uint64_t b, bool full, bool flushes) {
  if (flushes) {
    a = flushed(f32, a);
    b = flushed(f32, b);
  }
  const std::uint64_t sign = (a ^ b) & kSign;
  const bool huge_divisor = !full && (b & ~kSign) > 0x7e800000 && (b & ~kSign) < kInfinity;
  if (huge_divisor && !f32.is_nan(a)) return f32.is_infinite(a) ? Expected(nan()) : Expected(sign);
  const bool special = f32.is_nan(a) || f32.is_nan(b) || f32.is_infinite(a) || f32.is_infinite(b) ||
                       f32.is_zero(a) || f32.is_zero(b);
  if (special) return divide(f32, a, b, Round::nearest);
  Real x = Real::of(f32, a);
  mpfr_div(x.get(), x.get(), Real::of(f32, b).get(), MPFR_RNDN);
  return around(f32, x, {.ulps = 2}, flushes);
}

void add_quotients(TableWriter& table) {
  std::vector<Pointwise> forms;
  for (const bool full : {false, true}) {
    for (const bool flushes : {false, true}) {
      const std::string name = full ? "full" : "approx";
      forms.push_back({"div." + name + (flushes ? ".ftz.f32" : ".f32"), name + (flushes ? "_ftz" : ""), "f32",
                       [=](const Words& in) { return quotient(in[0], in[1], full, flushes); }});
    }
  }
  std::vector<Words> rows;
  for (const Words& row : float_pairs(f32, 0)) {
    // Leave out subnormal operands: the PTX ISA states no accuracy for subnormal divisors, or for quotients
    // that underflow.
    const bool outside = f32.is_subnormal(row[1]) || f32.is_subnormal(row[0]);
    if (!outside) rows.push_back(row);
  }
  RandomWords random(29);
  for (int i = 0; i < 16; ++i) rows.push_back({random_float(f32, random, 30), random_float(f32, random, 30)});
  rows.push_back({0x40000000, 0x7f000000});
  rows.push_back({0xc0000000, 0x7e800001});
  rows.push_back({0x40000000, 0x7e800000});
  rows.push_back({kInfinity, 0x7f000000});
  add_pointwise(table, FormWriter("div.approx").in("a", "f32").in("b", "f32"), forms, rows);
}

/// Returns the result of rcp or rsqrt for f64. An instruction with `.ftz` reads only the upper 32 bits of the
/// operand, and returns zeros in the lower 32 bits.
Expected wide_value(std::uint64_t a, bool reciprocal, bool gross) {
  if (gross) a = flushed(f64, a);
  if (f64.is_nan(a)) return f64.canonical_nan();
  if (f64.is_zero(a)) return f64.infinity() | a;
  if (!reciprocal && f64.is_negative(a)) return f64.canonical_nan();
  if (f64.is_infinite(a)) return a & f64.sign_bit();
  Real x = Real::of(f64, a);
  if (reciprocal) {
    mpfr_ui_div(x.get(), 1, x.get(), MPFR_RNDN);
  } else {
    mpfr_rec_sqrt(x.get(), x.get(), MPFR_RNDN);
  }
  return around(f64, x, gross ? Bound{.relative = 0x1p-18} : Bound{.ulps = 1}, gross);
}

void add_wide(TableWriter& table) {
  const auto value = [](bool reciprocal, bool gross) {
    return [=](const Words& in) { return wide_value(in[0], reciprocal, gross); };
  };
  Words words = float_samples(f64, 10);
  FormWriter gross("gross.f64");
  gross.covers("rcp.approx.ftz.f64").covers("rsqrt.approx.ftz.f64").in("a", "f64");
  gross.out("reciprocal", "f64").out("reciprocal_low", "b32").out("root", "f64").out("root_low", "b32");
  gross.declare(".reg .b32 %high;");
  gross.body("rcp.approx.ftz.f64 %reciprocal, %a;");
  gross.body("mov.b64 {%reciprocal_low, %high}, %reciprocal;");
  gross.body("rsqrt.approx.ftz.f64 %root, %a;");
  gross.body("mov.b64 {%root_low, %high}, %root;");
  for (const std::uint64_t a : words) {
    // Leave out a NaN whose upper 32 bits equal those of an infinity, because the instruction reads only
    // these bits.
    if (f64.is_nan(a) && (a & 0xfffff00000000) == 0) continue;
    gross.row({a}, {value(true, true)({a}), 0, value(false, true)({a}), 0});
  }
  table.add(gross);
  add_pointwise(table, FormWriter("rsqrt.f64").in("a", "f64"),
                {{"rsqrt.approx.f64", "d", "f64", value(false, false)}}, rows_of(words));
}

}  // namespace

void write_approximations(const std::string& folder) {
  TableWriter table(folder, "approximations", "Approximate operations, with the interval that PTX allows");
  add_functions(table);
  add_tangent(table);
  add_quotients(table);
  add_wide(table);
}

}  // namespace heddle::semantics
