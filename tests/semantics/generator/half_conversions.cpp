#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

struct Mode {
  std::string name;
  Round round;
};
const std::array<Mode, 4> kFloatModes{
    {{"rn", Round::nearest}, {"rz", Round::zero}, {"rm", Round::down}, {"rp", Round::up}}};
const std::array<Mode, 4> kIntegerModes{
    {{"rni", Round::nearest}, {"rzi", Round::zero}, {"rmi", Round::down}, {"rpi", Round::up}}};

struct Kind {
  std::string name;
  const Format* format;
  bool is_half() const { return format == &f16; }
};
const std::array<Kind, 2> kKinds{{{"f16", &f16}, {"bf16", &bf16}}};

FormWriter newest(const std::string& name) { return std::move(FormWriter(name).ptx("8.6", "sm_90")); }

/// Returns numbers of the format `wide`: its special values; special and random values of the format
/// `narrow`; the midpoint between each of these and the next value of `narrow`; and the neighbours of the
/// midpoints.
Words around(const Format& narrow, const Format& wide) {
  Words words = float_specials(wide);
  const int shift = wide.precision - narrow.precision;
  RandomWords random(41);
  Words values = float_specials(narrow);
  for (int i = 0; i < 12; ++i) values.push_back(random.next() & 0x7fff);
  for (const std::uint64_t value : values) {
    if (narrow.is_nan(value) || narrow.is_infinite(value)) continue;
    const std::uint64_t word = converted(narrow, value, wide, Round::nearest);
    const std::uint64_t half = 1ULL << (shift - 1);
    for (const std::uint64_t w : {word, word + half, word + half + 1, word + half - 1}) words.push_back(w);
  }
  return words;
}

void add_from_floats(TableWriter& table, const Kind& kind) {
  const Format& to = *kind.format;
  for (const Format* from : {&f32, &f64}) {
    const std::string source = "f" + std::to_string(from->width);
    std::vector<Pointwise> forms;
    for (const Mode& mode : kFloatModes)
      forms.push_back(
          {"cvt." + mode.name + "." + kind.name + "." + source, mode.name, "b16",
           [=, &to](const Words& in) { return Expected(converted(*from, in[0], to, mode.round)); }});
    if (kind.is_half())
      forms.push_back({"cvt.rn.sat.f16." + source, "rn_sat", "b16", [=, &to](const Words& in) {
                         return Expected(saturated(to, converted(*from, in[0], to, Round::nearest)));
                       }});
    add_pointwise(table, std::move(newest("cvt." + kind.name + "." + source).in("a", source)), forms,
                  rows_of(around(to, *from)));
  }
  const auto clamped = [&to](std::uint64_t v, bool relu, bool finite) {
    if (relu && to.is_negative(v) && !to.is_nan(v)) return std::uint64_t{0};
    return finite && to.is_infinite(v) ? v - 1 : v;
  };
  std::vector<Pointwise> forms, pairs;
  for (const Mode& mode : {kFloatModes[0], kFloatModes[1]})
    for (const int flags : {0, 1, 2, 3}) {
      const bool relu = flags & 1, finite = flags & 2;
      const std::string words = mode.name + (relu ? ".relu" : "") + (finite ? ".satfinite" : "");
      const std::string column = mode.name + (relu ? "_relu" : "") + (finite ? "_finite" : "");
      const auto value = [=, &to](std::uint64_t in) {
        return clamped(converted(f32, in, to, mode.round), relu, finite);
      };
      if (flags)
        forms.push_back({"cvt." + words + "." + kind.name + ".f32", column, "b16",
                         [=](const Words& in) { return Expected(value(in[0])); }});
      pairs.push_back({"cvt." + words + "." + kind.name + "x2.f32", column, "b32",
                       [=](const Words& in) { return Expected(value(in[0]) << 16 | value(in[1])); }});
    }
  const Words words = around(to, f32);
  add_pointwise(table, std::move(newest("cvt.clamped." + kind.name + ".f32").in("a", "f32")), forms,
                rows_of(words));
  std::vector<Words> rows;
  for (std::size_t i = 0; i < words.size(); ++i) rows.push_back({words[i], words[(i + 5) % words.size()]});
  add_pointwise(table, std::move(newest("cvt." + kind.name + "x2.f32").in("a", "f32").in("b", "f32")), pairs,
                rows);
  add_pointwise(table, std::move(newest("cvt.ftz." + kind.name + ".f32").in("a", "f32")),
                {{"cvt.rn.ftz." + kind.name + ".f32", "rn", "b16",
                  [&to](const Words& in) {
                    return Expected(converted(f32, flushed(f32, in[0]), to, Round::nearest));
                  }}},
                rows_of(words));
}

Words half_values(const Format& format) {
  Words words = float_specials(format);
  RandomWords random(43);
  for (int i = 0; i < 24; ++i) words.push_back(random.next() & 0xffff);
  for (const int quarters :
       {1, 2, 3, 6, 10, 14, -2, -6, -10, 4 * 127 + 2, 4 * 255 + 2, 4 * -128 - 2, 131070, 131074}) {
    Real x = Real::of(quarters);
    mpfr_div_ui(x.get(), x.get(), 4, MPFR_RNDN);
    words.push_back(rounded(format, x, Round::nearest));
  }
  return words;
}

void add_to_floats(TableWriter& table, const Kind& kind) {
  const Format& from = *kind.format;
  const Kind& other = kind.is_half() ? kKinds[1] : kKinds[0];
  const auto widened = [&from](const Format& to, std::uint64_t v) {
    return converted(from, v, to, Round::nearest);
  };
  std::vector<Pointwise> forms{
      {"cvt.f32." + kind.name, "f32", "f32", [=](const Words& in) { return Expected(widened(f32, in[0])); }},
      {"cvt.f64." + kind.name, "f64", "f64", [=](const Words& in) { return Expected(widened(f64, in[0])); }},
      {"cvt.ftz.f32." + kind.name, "flushed", "f32",
       [=](const Words& in) { return Expected(flushed(f32, widened(f32, in[0]))); }}};
  for (const Mode& mode : kFloatModes)
    forms.push_back({"cvt." + mode.name + "." + other.name + "." + kind.name, mode.name, "b16",
                     [=, &from](const Words& in) {
                       return Expected(converted(from, in[0], *other.format, mode.round));
                     }});
  for (const Mode& mode : kIntegerModes)
    forms.push_back({"cvt." + mode.name + "." + kind.name + "." + kind.name, mode.name, "b16",
                     [=, &from](const Words& in) { return Expected(integral(from, in[0], mode.round)); }});
  if (kind.is_half()) {
    forms.push_back({"cvt.sat.f16.f16", "sat16", "b16",
                     [&from](const Words& in) { return Expected(saturated(from, in[0])); }});
    forms.push_back({"cvt.sat.f32.f16", "sat32", "f32",
                     [=](const Words& in) { return Expected(saturated(f32, widened(f32, in[0]))); }});
    forms.push_back({"cvt.sat.f64.f16", "sat64", "f64",
                     [=](const Words& in) { return Expected(saturated(f64, widened(f64, in[0]))); }});
  }
  add_pointwise(table, std::move(newest("cvt.from." + kind.name).in("a", "b16")), forms,
                rows_of(half_values(from)));
}

struct Integer {
  std::string name;
  int width;
  bool is_signed;
  std::string column() const { return "b" + std::to_string(std::max(width, 16)); }
};
const std::array<Integer, 8> kIntegers{{{"u8", 8, false},
                                        {"s8", 8, true},
                                        {"u16", 16, false},
                                        {"s16", 16, true},
                                        {"u32", 32, false},
                                        {"s32", 32, true},
                                        {"u64", 64, false},
                                        {"s64", 64, true}}};

void add_integers(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  std::vector<Pointwise> to;
  for (const Integer& integer : kIntegers) {
    if (integer.width == 8 && !kind.is_half()) continue;
    for (const Mode& mode : kIntegerModes)
      to.push_back({"cvt." + mode.name + "." + integer.name + "." + kind.name, integer.name + "_" + mode.name,
                    integer.column(), [=, &format](const Words& in) {
                      const std::uint64_t v =
                          to_integer(format, in[0], integer.width, integer.is_signed, mode.round);
                      const auto wide =
                          static_cast<std::uint64_t>(integer_of(v, integer.width, integer.is_signed));
                      return Expected(truncate(wide, std::max(integer.width, 16)));
                    }});
    std::vector<Pointwise> from;
    for (const Mode& mode : kFloatModes)
      from.push_back({"cvt." + mode.name + "." + kind.name + "." + integer.name, mode.name, "b16",
                      [=, &format](const Words& in) {
                        const Int128 value = integer_of(in[0], integer.width, integer.is_signed);
                        return Expected(rounded(format, Real::of(value), mode.round));
                      }});
    Words words = integer_samples(std::max(integer.width, 16), 8);
    for (const std::uint64_t word : {0x801ULL, 0x803ULL, 0x101ULL, 0x103ULL, 0xffdfULL, 0xffefULL, 0xfff0ULL,
                                     0x8080808080000000ULL, 0x8080000000000001ULL, 0x807fffffffffffffULL})
      words.push_back(truncate(word, std::max(integer.width, 16)));
    add_pointwise(table, std::move(newest("cvt." + kind.name + "." + integer.name).in("a", integer.column())),
                  from, rows_of(words));
  }
  add_pointwise(table, std::move(newest("cvt.integer." + kind.name).in("a", "b16")), to,
                rows_of(half_values(format)));
}

}  // namespace

void write_half_conversions(const std::string& folder) {
  TableWriter table(folder, "half_conversions", "Conversions from and to half precision and bfloat16");
  for (const Kind& kind : kKinds) {
    add_from_floats(table, kind);
    add_to_floats(table, kind);
    add_integers(table, kind);
  }
}

}  // namespace heddle::semantics
