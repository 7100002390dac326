#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

struct IntegerType {
  std::string name;
  int width;
  bool is_signed;

  /// 8-bit values need a 16-bit register, because PTX has no smaller ones.
  std::string column() const { return "b" + std::to_string(register_width()); }
  int register_width() const { return std::max(width, 16); }
};

const std::array<IntegerType, 8> kTypes{{{"u8", 8, false},
                                         {"s8", 8, true},
                                         {"u16", 16, false},
                                         {"s16", 16, true},
                                         {"u32", 32, false},
                                         {"s32", 32, true},
                                         {"u64", 64, false},
                                         {"s64", 64, true}}};

struct Mode {
  std::string name;
  Round round;
};

const std::array<Mode, 4> kFloatModes{
    {{"rn", Round::nearest}, {"rz", Round::zero}, {"rm", Round::down}, {"rp", Round::up}}};
const std::array<Mode, 4> kIntegerModes{
    {{"rni", Round::nearest}, {"rzi", Round::zero}, {"rmi", Round::down}, {"rpi", Round::up}}};

std::string float_name(const Format& format) { return "f" + std::to_string(format.width); }

/// Returns the low bits of `value` as `type`, extended to register width by sign or zeros.
std::uint64_t in_register(const IntegerType& type, std::uint64_t value) {
  const Int128 integer = integer_of(value, type.width, type.is_signed);
  return truncate(static_cast<std::uint64_t>(integer), type.register_width());
}

bool fits(const IntegerType& from, const IntegerType& to) {
  return least(from.width, from.is_signed) >= least(to.width, to.is_signed) &&
         greatest(from.width, from.is_signed) <= greatest(to.width, to.is_signed);
}

void add_between_integers(TableWriter& table) {
  for (const IntegerType& from : kTypes) {
    std::vector<Pointwise> forms;
    for (const bool saturates : {false, true}) {
      for (const IntegerType& to : kTypes) {
        // PTX has no .sat for a conversion in which every value fits.
        if (saturates && fits(from, to)) continue;
        forms.push_back({std::string(saturates ? "cvt.sat." : "cvt.") + to.name + "." + from.name,
                         std::string(saturates ? "sat_" : "to_") + to.name, to.column(),
                         [=](const Words& in) {
                           const Int128 value = integer_of(in[0], from.width, from.is_signed);
                           const Int128 kept = saturates ? clamp_to(value, to.width, to.is_signed) : value;
                           return Expected(in_register(to, static_cast<std::uint64_t>(kept)));
                         }});
      }
    }
    Words words = integer_samples(from.register_width(), 6);
    for (const std::uint64_t word :
         {0x7fULL, 0x80ULL, 0xffULL, 0x100ULL, 0x7fffULL, 0x8000ULL, 0xffffULL, 0x7fffffffULL, 0x80000000ULL,
          0xffffffffffffff7fULL, 0xffffffff80000000ULL, 0xffffffffffff8000ULL})
      words.push_back(truncate(word, from.register_width()));
    add_pointwise(table, FormWriter("cvt.integer." + from.name).in("a", from.column()), forms,
                  rows_of(words));
  }
}

void add_from_integers(TableWriter& table) {
  for (const IntegerType& from : kTypes) {
    std::vector<Pointwise> forms;
    for (const Format* to : {&f32, &f64}) {
      for (const Mode& mode : kFloatModes) {
        forms.push_back({"cvt." + mode.name + "." + float_name(*to) + "." + from.name,
                         float_name(*to) + "_" + mode.name, float_name(*to), [=](const Words& in) {
                           return Expected(rounded(
                               *to, Real::of(integer_of(in[0], from.width, from.is_signed)), mode.round));
                         }});
      }
    }
    forms.push_back(
        {"cvt.rn.sat.f32." + from.name, "f32_rn_sat", "f32", [=](const Words& in) {
           return Expected(saturated(
               f32, rounded(f32, Real::of(integer_of(in[0], from.width, from.is_signed)), Round::nearest)));
         }});
    Words words = integer_samples(from.register_width(), 6);
    // Integers that are midpoints of neighbouring f32 or f64 numbers, or lie next to such midpoints.
    for (const std::uint64_t word :
         {0x1000001ULL, 0x1000003ULL, 0x2000005ULL, 0x2000007ULL, 0x20000000000001ULL, 0x20000000000003ULL,
          0x7fffffbfffffffffULL, 0x7fffffc000000000ULL, 0xffffff7fffffffffULL, 0xfffffffffffffbffULL,
          0xfffffffffffffc00ULL})
      words.push_back(truncate(word, from.register_width()));
    add_pointwise(table, FormWriter("cvt.from." + from.name).in("a", from.column()), forms, rows_of(words));
  }
}

std::uint64_t float_near(const Format& format, Int128 integer, int offset_in_quarters) {
  Real x = Real::of(integer * 4 + offset_in_quarters);
  mpfr_div_ui(x.get(), x.get(), 4, MPFR_RNDN);
  return rounded(format, x, Round::nearest);
}

Words integer_boundaries(const Format& format) {
  Words words = float_specials(format);
  for (const int quarters : {1, 2, 3, 6, 10, 14, -1, -2, -3, -6, -10})
    words.push_back(float_near(format, 0, quarters));
  for (const int width : {8, 16, 32, 64}) {
    for (const bool is_signed : {false, true}) {
      const Int128 top = greatest(width, is_signed);
      for (const int quarters : {-2, 0, 2, 3, 4}) words.push_back(float_near(format, top, quarters));
      if (is_signed) words.push_back(float_near(format, -top - 1, 0));
      if (is_signed) words.push_back(float_near(format, -top - 1, -3));
    }
  }
  Words unique;
  for (const std::uint64_t word : words) {
    if (std::find(unique.begin(), unique.end(), word) == unique.end()) unique.push_back(word);
  }
  return unique;
}

void add_to_integers(TableWriter& table) {
  for (const Format* from : {&f32, &f64}) {
    for (const IntegerType& to : kTypes) {
      std::vector<Pointwise> forms;
      for (const Mode& mode : kIntegerModes) {
        const auto value = [=](bool flushes) {
          return [=](const Words& in) {
            const std::uint64_t a = flushes ? flushed(f32, in[0]) : in[0];
            return Expected(in_register(to, to_integer(*from, a, to.width, to.is_signed, mode.round)));
          };
        };
        const std::string types = to.name + "." + float_name(*from);
        forms.push_back({"cvt." + mode.name + "." + types, mode.name, to.column(), value(false)});
        if (mode.name == "rzi")
          forms.push_back({"cvt.rzi.sat." + types, "rzi_sat", to.column(), value(false)});
        if (from == &f32 && (mode.name == "rzi" || mode.name == "rpi")) {
          forms.push_back(
              {"cvt." + mode.name + ".ftz." + types, mode.name + "_ftz", to.column(), value(true)});
        }
      }
      add_pointwise(table,
                    FormWriter("cvt.to." + to.name + "." + float_name(*from)).in("a", float_name(*from)),
                    forms, rows_of(integer_boundaries(*from)));
    }
  }
}

void add_integral(TableWriter& table) {
  for (const Format* format : {&f32, &f64}) {
    const std::string types = float_name(*format) + "." + float_name(*format);
    std::vector<Pointwise> forms;
    for (const Mode& mode : kIntegerModes) {
      forms.push_back({"cvt." + mode.name + "." + types, mode.name, float_name(*format),
                       [=](const Words& in) { return Expected(integral(*format, in[0], mode.round)); }});
      if (format == &f64) continue;
      forms.push_back({"cvt." + mode.name + ".ftz." + types, mode.name + "_ftz", "f32", [=](const Words& in) {
                         return Expected(integral(f32, flushed(f32, in[0]), mode.round));
                       }});
      forms.push_back({"cvt." + mode.name + ".sat." + types, mode.name + "_sat", "f32", [=](const Words& in) {
                         return Expected(saturated(f32, integral(f32, in[0], mode.round)));
                       }});
    }
    if (format == &f32) {
      forms.push_back(
          {"cvt.sat.f32.f32", "sat", "f32", [](const Words& in) { return Expected(saturated(f32, in[0])); }});
      forms.push_back({"cvt.ftz.sat.f32.f32", "ftz_sat", "f32",
                       [](const Words& in) { return Expected(saturated(f32, flushed(f32, in[0]))); }});
    }
    add_pointwise(table, FormWriter("cvt.integral." + float_name(*format)).in("a", float_name(*format)),
                  forms, rows_of(float_samples(*format, 8)));
  }
}

Words narrowing_samples() {
  Words words = float_samples(f64, 10);
  for (const std::uint64_t word :
       {0x47efffffe0000000ULL, 0x47efffffefffffffULL, 0x47effffff0000000ULL, 0x47f0000000000000ULL,
        0xc7effffff0000000ULL, 0x3810000000000000ULL, 0x380fffffffffffffULL, 0x380fffffc0000000ULL,
        0x380ffffff0000000ULL, 0x36a0000000000000ULL, 0x3690000000000000ULL, 0x3690000000000001ULL,
        0x3680000000000000ULL, 0xb690000000000001ULL, 0x36b8000000000000ULL, 0x3ff0000010000000ULL,
        0x3ff0000030000000ULL, 0x3ff0000010000001ULL, 0xbff0000010000000ULL, 0x3fefffffffffffffULL}) {
    words.push_back(word);
  }
  return words;
}

void add_between_formats(TableWriter& table) {
  std::vector<Pointwise> narrowing;
  for (const Mode& mode : kFloatModes) {
    narrowing.push_back({"cvt." + mode.name + ".f32.f64", mode.name, "f32",
                         [=](const Words& in) { return Expected(converted(f64, in[0], f32, mode.round)); }});
  }
  narrowing.push_back({"cvt.rn.sat.f32.f64", "rn_sat", "f32", [](const Words& in) {
                         return Expected(saturated(f32, converted(f64, in[0], f32, Round::nearest)));
                       }});
  add_pointwise(table, FormWriter("cvt.narrowing").in("a", "f64"), narrowing, rows_of(narrowing_samples()));
  Words unflushed;
  for (const std::uint64_t word : narrowing_samples()) {
    // PTX does not say whether values that are subnormal only before rounding are flushed, so rows with .ftz
    // leave out such values.
    const std::uint64_t magnitude = word & ~f64.sign_bit();
    if (magnitude < 0x380fffffc0000000ULL || magnitude >= 0x3810000000000000ULL) unflushed.push_back(word);
  }
  add_pointwise(
      table, FormWriter("cvt.narrowing.ftz").in("a", "f64"),
      {{"cvt.rn.ftz.f32.f64", "rn", "f32",
        [](const Words& in) { return Expected(flushed(f32, converted(f64, in[0], f32, Round::nearest))); }},
       {"cvt.rz.ftz.f32.f64", "rz", "f32",
        [](const Words& in) { return Expected(flushed(f32, converted(f64, in[0], f32, Round::zero))); }}},
      rows_of(unflushed));
  add_pointwise(
      table, FormWriter("cvt.widening").in("a", "f32"),
      {{"cvt.f64.f32", "d", "f64",
        [](const Words& in) { return Expected(converted(f32, in[0], f64, Round::nearest)); }},
       {"cvt.ftz.f64.f32", "d_ftz", "f64",
        [](const Words& in) { return Expected(converted(f32, flushed(f32, in[0]), f64, Round::nearest)); }}},
      rows_of(float_samples(f32, 10)));
}

void add_saturating(TableWriter& table) {
  const auto to_double = [](const Words& in) {
    return saturated(f64, converted(f32, in[0], f64, Round::nearest));
  };
  add_pointwise(
      table, FormWriter("cvt.sat.f32").in("a", "f32"),
      {{"cvt.sat.f64.f32", "f64", "f64", [=](const Words& in) { return Expected(to_double(in)); }},
       {"cvt.rzi.sat.s32.f32", "s32", "b32",
        [](const Words& in) { return Expected(to_integer(f32, in[0], 32, true, Round::zero)); }},
       {"cvt.rni.sat.u32.f32", "u32", "b32",
        [](const Words& in) { return Expected(to_integer(f32, in[0], 32, false, Round::nearest)); }}},
      rows_of(integer_boundaries(f32)));
  add_pointwise(
      table, FormWriter("cvt.sat.f64").in("a", "f64"),
      {{"cvt.sat.f64.f64", "f64", "f64", [](const Words& in) { return Expected(saturated(f64, in[0])); }},
       {"cvt.rpi.sat.f64.f64", "up", "f64",
        [](const Words& in) { return Expected(saturated(f64, integral(f64, in[0], Round::up))); }}},
      rows_of(float_samples(f64, 6)));
  Words numbers;
  for (const std::uint64_t word : float_samples(f32, 4)) {
    if (!f32.is_nan(word)) numbers.push_back(word);
  }
  add_pointwise(
      table, FormWriter("cvt.f32.f32").in("a", "f32"),
      {{"cvt.f32.f32", "same", "f32", [](const Words& in) { return Expected(in[0]); }},
       {"cvt.ftz.f32.f32", "ftz", "f32", [](const Words& in) { return Expected(flushed(f32, in[0])); }}},
      rows_of(numbers));
}

/// Adds an entry for conversions with registers wider than the type: the source's upper bits are ignored, and
/// the result is extended to the register's width.
void add_wide_registers(TableWriter& table) {
  FormWriter form("cvt.wide-registers");
  form.in("a", "b32").in("b", "b64");
  const std::array<IntegerType, 4> narrow{kTypes[0], kTypes[1], kTypes[2], kTypes[3]};
  for (const IntegerType& type : narrow) {
    form.out("from_" + type.name, "b32").out("to_" + type.name, "b32").out("long_" + type.name, "b64");
    form.body("cvt.u32." + type.name + " %from_" + type.name + ", %a;");
    form.body("cvt." + type.name + ".u32 %to_" + type.name + ", %a;");
    form.body("cvt.s64." + type.name + " %long_" + type.name + ", %b;");
  }
  const Words words = integer_samples(64, 10);
  for (const std::uint64_t word : words) {
    std::vector<Expected> outputs;
    for (const IntegerType& type : narrow) {
      const auto value = static_cast<std::uint64_t>(integer_of(word, type.width, type.is_signed));
      outputs.emplace_back(truncate(value, 32));
      outputs.emplace_back(truncate(value, 32));
      outputs.emplace_back(value);
    }
    form.row({truncate(word, 32), word}, outputs);
  }
  table.add(form);
}

}  // namespace

void write_conversions(const std::string& folder) {
  TableWriter integers(folder, "conversions_integer", "Conversions between integers");
  add_between_integers(integers);
  add_wide_registers(integers);
  TableWriter floats(folder, "conversions_float", "Conversions from and to floating point");
  add_from_integers(floats);
  add_to_integers(floats);
  add_integral(floats);
  add_between_formats(floats);
  add_saturating(floats);
}

}  // namespace heddle::semantics
