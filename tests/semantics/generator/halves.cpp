#include <array>

#include "groups.h"
#include "memory_access.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

// Writes table entries for single values and pairs of f16 and bf16: arithmetic, min and max, comparisons,
// atomics.

namespace heddle::semantics {

namespace {

using Value = std::function<std::uint64_t(const Words&)>;

struct Variant {
  std::string name;
  Value value;
};

struct Kind {
  std::string name;
  const Format* format;
  bool is_half() const { return format == &f16; }
};
const std::array<Kind, 2> kKinds{{{"f16", &f16}, {"bf16", &bf16}}};

FormWriter newest(const std::string& name) { return std::move(FormWriter(name).ptx("8.6", "sm_90")); }

std::string column_of(const std::string& name) {
  std::string column = name;
  for (char& c : column) c = c == '.' ? '_' : c;
  return column;
}

Words halves_of(const Words& pairs, int shift) {
  Words words;
  for (const std::uint64_t word : pairs) words.push_back(word >> shift & 0xffff);
  return words;
}

/// Adds entries for the variants of an instruction (rounding, .ftz, .sat, ...). Each is tested on single
/// values, and on pairs that consist of a row and the next row.
void add_variants(TableWriter& table, const std::string& name, const Kind& kind,
                  const std::vector<Variant>& variants, const std::vector<Words>& rows) {
  for (const bool pair : {false, true}) {
    const std::string type = kind.name + (pair ? "x2" : ""), column = pair ? "b32" : "b16";
    FormWriter form = newest(name + "." + type);
    for (std::size_t i = 0; i < rows.front().size(); ++i)
      form.in(std::string(1, static_cast<char>('a' + i)), column);
    std::vector<Pointwise> forms;
    for (const Variant& variant : variants) {
      const Value& value = variant.value;
      forms.push_back({variant.name + "." + type, column_of(variant.name), column, [=](const Words& in) {
                         const std::uint64_t low = value(halves_of(in, 0));
                         return Expected(pair ? low | value(halves_of(in, 16)) << 16 : low);
                       }});
    }
    std::vector<Words> inputs = rows;
    if (pair) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < rows[i].size(); ++k) inputs[i][k] |= rows[(i + 1) % rows.size()][k] << 16;
    }
    add_pointwise(table, form, forms, inputs);
  }
}

using Operation = std::function<std::uint64_t(const Format&, const Words&, Round)>;

/// Returns the variants of an operation that PTX has: its name alone, and with .rn, .ftz, .sat or .relu.
std::vector<Variant> variants_of(const std::string& name, const Kind& kind, const Operation& operation,
                                 bool fused) {
  const Format& format = *kind.format;
  const auto plain = [=, &format](const Words& in) { return operation(format, in, Round::nearest); };
  // As on an H200, a result is flushed if it is below the normal numbers after rounding to their precision.
  const auto flushing = [=, &format](const Words& in) {
    Words inputs, wide;
    for (const std::uint64_t word : in) {
      inputs.push_back(flushed(format, word));
      wide.push_back(converted(format, inputs.back(), f32, Round::nearest));
    }
    constexpr std::uint64_t kRoundsUp =
        0x387ff000;  // 2^-14 minus a quarter of the last bit of the numbers above 2^-14
    const bool tiny = (operation(f32, wide, Round::zero) & 0x7fffffff) < kRoundsUp;
    const std::uint64_t result = operation(format, inputs, Round::nearest);
    return tiny ? result & format.sign_bit() : result;
  };
  const auto positive = [&format](std::uint64_t v) {
    return format.is_negative(v) && !format.is_nan(v) ? 0 : v;
  };
  std::vector<Variant> all{{name + ".rn", plain}};
  if (!fused) all.push_back({name, plain});
  if (fused) all.push_back({name + ".rn.relu", [=](const Words& in) { return positive(plain(in)); }});
  if (!kind.is_half()) return all;
  all.push_back({name + ".rn.ftz", flushing});
  all.push_back({name + ".rn.sat", [=, &format](const Words& in) { return saturated(format, plain(in)); }});
  all.push_back(
      {name + ".rn.ftz.sat", [=, &format](const Words& in) { return saturated(format, flushing(in)); }});
  if (fused) all.push_back({name + ".rn.ftz.relu", [=](const Words& in) { return positive(flushing(in)); }});
  return all;
}

void add_arithmetic(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  std::vector<Words> pairs = float_pairs(format, 15);
  if (kind.is_half()) pairs.insert(pairs.end(), {{0x059d, 0xb9b3}, {0x3bff, 0x0400}, {0x2089, 0x1f0e}});
  const auto of = [](auto function) {
    return [function](const Format& f, const Words& in, Round round) {
      return function(f, in[0], in[1], round);
    };
  };
  add_variants(table, "add", kind, variants_of("add", kind, of(add), false), pairs);
  add_variants(table, "sub", kind, variants_of("sub", kind, of(subtract), false), pairs);
  add_variants(table, "mul", kind, variants_of("mul", kind, of(multiply), false), pairs);
  const Operation fused = [](const Format& f, const Words& in, Round round) {
    return multiply_add(f, in[0], in[1], in[2], round);
  };
  std::vector<Words> triples = float_triples(format, 15);
  if (kind.is_half()) triples.insert(triples.end(), {{0x8709, 0x0946, 0x0400}, {0x22c5, 0x1cba, 0}});
  if (!kind.is_half()) {  // a sum that is a midpoint, and a much smaller addend that moves it to one side
    for (const std::uint64_t c : {0x0001, 0x8001, 0x0000}) triples.push_back({0x3fe0, 0x3f94, c});
  }
  add_variants(table, "fma", kind, variants_of("fma", kind, fused, true), triples);
}

std::uint64_t extreme(const Format& format, std::uint64_t a, std::uint64_t b, bool least_of, bool keeps_nan) {
  if (format.is_nan(a) || format.is_nan(b)) {
    if (keeps_nan || (format.is_nan(a) && format.is_nan(b))) return format.canonical_nan();
    return format.is_nan(a) ? b : a;
  }
  const int order = compared(format, a, b);
  if (order == 0) return least_of == format.is_negative(a) ? a : b;
  return (order < 0) == least_of ? a : b;
}

void add_extremes_and_signs(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  const std::uint64_t sign = format.sign_bit();
  std::vector<Variant> extremes;
  // As on an H200, a NaN operand gives the canonical NaN.
  const auto sign_of = [&format](std::uint64_t a, std::uint64_t result) {
    return format.is_nan(a) ? format.canonical_nan() : result;
  };
  std::vector<Variant> signs{{"abs", [=](const Words& in) { return sign_of(in[0], in[0] & ~sign); }},
                             {"neg", [=](const Words& in) { return sign_of(in[0], in[0] ^ sign); }}};
  for (const bool least_of : {true, false}) {
    const std::string name = least_of ? "min" : "max";
    for (const bool nan : {false, true})
      for (const bool flushes : {false, true}) {
        if (flushes && !kind.is_half()) continue;
        extremes.push_back(
            {name + (flushes ? ".ftz" : "") + (nan ? ".NaN" : ""), [=, &format](const Words& in) {
               const std::uint64_t a = flushes ? flushed(format, in[0]) : in[0];
               const std::uint64_t b = flushes ? flushed(format, in[1]) : in[1];
               return extreme(format, a, b, least_of, nan);
             }});
      }
  }
  add_variants(table, "extremes", kind, extremes, float_pairs(format, 6));
  Words values = float_specials(format);
  for (const std::uint64_t word : {format.one(), format.one() + 1, format.one() - 1, format.one() | sign})
    values.push_back(word);
  add_variants(table, "signs", kind, signs, rows_of(values));
  if (!kind.is_half()) return;
  add_variants(
      table, "signs.ftz", kind,
      {{"abs.ftz", [=, &format](const Words& in) { return sign_of(in[0], flushed(format, in[0]) & ~sign); }},
       {"neg.ftz", [=, &format](const Words& in) { return sign_of(in[0], flushed(format, in[0]) ^ sign); }}},
      rows_of(values));
}

void add_approximations(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  std::vector<Words> powers{{format.infinity()},
                            {format.infinity() | format.sign_bit()},
                            {0},
                            {format.sign_bit()},
                            {format.canonical_nan()}};
  for (int k = -14; k <= 15; ++k) powers.push_back({rounded(format, Real::of(k), Round::nearest)});
  const Value power = [&format](const Words& in) -> std::uint64_t {
    if (format.is_nan(in[0])) return format.canonical_nan();
    if (format.is_infinite(in[0])) return format.is_negative(in[0]) ? 0 : format.infinity();
    Real result;
    mpfr_exp2(result.get(), Real::of(format, in[0]).get(), MPFR_RNDN);
    return rounded(format, result, Round::nearest);
  };
  add_variants(table, "ex2", kind, {{kind.is_half() ? "ex2.approx" : "ex2.approx.ftz", power}}, powers);
  std::vector<Words> ends{{0},
                          {format.sign_bit()},
                          {format.canonical_nan()},
                          {format.infinity()},
                          {format.infinity() | format.sign_bit()}};
  for (int k = 20; k < 30; ++k) {
    const std::uint64_t word = rounded(format, Real::of(k * k), Round::nearest);
    ends.push_back({k % 2 ? word | format.sign_bit() : word});
  }
  const Value tangent = [&format](const Words& in) -> std::uint64_t {
    if (format.is_nan(in[0])) return format.canonical_nan();
    return format.is_zero(in[0]) ? in[0] : format.one() | (in[0] & format.sign_bit());
  };
  add_variants(table, "tanh", kind, {{"tanh.approx", tangent}}, ends);
}

bool holds(const std::string& comparison, int order) {
  const bool unordered = order == 2;
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  if (comparison.size() == 3) return unordered || holds(comparison.substr(0, 2), order);
  if (unordered) return false;
  if (comparison == "eq") return order == 0;
  if (comparison == "ne") return order != 0;
  if (comparison == "lt") return order < 0;
  if (comparison == "le") return order <= 0;
  if (comparison == "gt") return order > 0;
  return order >= 0;
}

const std::vector<std::string> kComparisons{"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                            "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

void add_comparisons(TableWriter& table, const Kind& kind, bool flushes) {
  const Format& format = *kind.format;
  const auto order = [=, &format](const Words& in) {
    return compared(format, flushes ? flushed(format, in[0]) : in[0],
                    flushes ? flushed(format, in[1]) : in[1]);
  };
  std::vector<Words> rows = float_pairs(format, 6);
  rows.push_back({1, 0x8001});
  rows.push_back({format.fraction_mask(), 0});
  for (const std::uint64_t word : {format.one(), format.one() + 1}) rows.push_back({word, word});
  const std::string before = flushes ? ".ftz." : ".";
  std::vector<Pointwise> forms;
  FormWriter pairs = newest("setp" + before + kind.name + "x2");
  pairs.in("a", "b32").in("b", "b32");
  for (const std::string& c : kComparisons) {
    forms.push_back({"setp." + c + before + kind.name, c, "pred",
                     [=](const Words& in) { return Expected(holds(c, order(in)) ? 1 : 0); }});
    pairs.covers("setp." + c + before + kind.name + "x2").out(c + "_low", "pred").out(c + "_high", "pred");
    pairs.body("setp." + c + before + kind.name + "x2 %" + c + "_low|%" + c + "_high, %a, %b;");
  }
  add_pointwise(table, std::move(newest("setp" + before + kind.name).in("a", "b16").in("b", "b16")), forms,
                rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Words& next = rows[(i + 1) % rows.size()];
    std::vector<Expected> outputs;
    for (const std::string& c : kComparisons) {
      outputs.emplace_back(holds(c, order(rows[i])) ? 1 : 0);
      outputs.emplace_back(holds(c, order(next)) ? 1 : 0);
    }
    pairs.row({rows[i][0] | next[0] << 16, rows[i][1] | next[1] << 16}, outputs);
  }
  table.add(pairs);
}

void add_sets(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  const std::uint64_t one = format.one();
  const auto less = [&format](const Words& in) { return compared(format, in[0], in[1]) == -1; };
  std::vector<Pointwise> forms;
  for (const std::string type : {"u16", "s16", "u32", "s32"}) {
    const std::string column = "b" + type.substr(1);
    forms.push_back({"set.lt." + type + "." + kind.name, type, column, [=](const Words& in) {
                       return Expected(less(in) ? mask_of(std::stoi(type.substr(1))) : 0);
                     }});
  }
  forms.push_back({"set.lt." + kind.name + "." + kind.name, "same", "b16",
                   [=](const Words& in) { return Expected(less(in) ? one : 0); }});
  forms.push_back({"set.lt.and." + kind.name + "." + kind.name, "with", "b16",
                   [=](const Words& in) { return Expected(less(in) && in[2] ? one : 0); }, "%a, %b, %p"});
  for (Pointwise& form : forms)
    if (form.operands.empty()) form.operands = "%a, %b";
  std::vector<Words> rows = float_pairs(format, 6);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(i % 3 != 0);
  add_pointwise(table, std::move(newest("set." + kind.name).in("a", "b16").in("b", "b16").in("p", "pred")),
                forms, rows);

  std::vector<Pointwise> pairs;
  for (const std::string& type : {std::string("u32"), std::string("s32"), kind.name + "x2"}) {
    const std::uint64_t truth = type[1] == '3' ? 0xffff : one;
    pairs.push_back({"set.lt." + type + "." + kind.name + "x2",
                     type == "u32" || type == "s32" ? type : "same", "b32", [=](const Words& in) {
                       const std::uint64_t low = less(halves_of(in, 0)) ? truth : 0;
                       return Expected(low | (less(halves_of(in, 16)) ? truth : 0) << 16);
                     }});
  }
  std::vector<Words> inputs = float_pairs(format, 6);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) inputs[i][k] |= rows[(i + 1) % rows.size()][k] << 16;
  add_pointwise(table, std::move(newest("set." + kind.name + "x2").in("a", "b32").in("b", "b32")), pairs,
                inputs);

  std::vector<Pointwise> from;
  from.push_back({"set.ge." + kind.name + ".s32", "s32", "b16", [=](const Words& in) {
                    return Expected(sign_extend(in[0], 32) >= sign_extend(in[1], 32) ? one : 0);
                  }});
  from.push_back({"set.hi." + kind.name + ".u32", "u32", "b16",
                  [=](const Words& in) { return Expected(in[0] > in[1] ? one : 0); }});
  from.push_back({"set.ne." + kind.name + ".b32", "b32", "b16",
                  [=](const Words& in) { return Expected(in[0] != in[1] ? one : 0); }});
  add_pointwise(table, std::move(newest("set." + kind.name + ".words").in("a", "b32").in("b", "b32")), from,
                integer_pairs(32, 6));
  add_pointwise(
      table, std::move(newest("set." + kind.name + ".f32").in("a", "f32").in("b", "f32")),
      {{"set.leu." + kind.name + ".f32", "d", "b16",
        [=](const Words& in) { return Expected(holds("leu", compared(f32, in[0], in[1])) ? one : 0); }}},
      float_pairs(f32, 2));
}

void add_atomic(TableWriter& table, const std::string& spelled, const std::string& column, const Place& place,
                const std::vector<Words>& rows, const std::function<std::uint64_t(const Words&)>& after) {
  const bool returns = spelled.starts_with("atom"), swaps = rows.front().size() == 3;
  const std::string space = place.space.empty() ? "" : "." + place.space;
  FormWriter form = newest(spelled + (place.space.empty() ? "/" + place.memory : ""));
  form.covers(spelled).in("initial", column).in("b", column);
  if (swaps) form.in("c", column);
  add_base(form, place);
  form.body("st" + space + "." + column + " [%base], %initial;");
  form.body(spelled + (returns ? " %old, [%base], %b" : " [%base], %b") + (swaps ? ", %c;" : ";"));
  form.body("ld" + space + "." + column + " %after, [%base];");
  if (returns) form.out("old", column);
  form.out("after", column);
  for (const Words& in : rows) {
    if (returns)
      form.row(in, {in[0], after(in)});
    else
      form.row(in, {after(in)});
  }
  table.add(form);
}

void add_atomics(TableWriter& table, const Kind& kind) {
  const Format& format = *kind.format;
  const std::vector<Words> values = float_pairs(format, 6);
  std::vector<Words> singles, pairs;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const Words& other = values[(i + 3) % values.size()];
    singles.push_back(values[i]);
    pairs.push_back({values[i][0] | other[0] << 16, values[i][1] | other[1] << 16});
  }
  const auto sum = [&format](const Words& in) { return add(format, in[0], in[1], Round::nearest); };
  const auto both = [=](const Words& in) { return sum(halves_of(in, 0)) | sum(halves_of(in, 16)) << 16; };
  for (const char* space : {"global", "shared", ""}) {
    const std::string dot = *space ? std::string(".") + space : "";
    const Place place{"", space, *space ? space : "global"};
    for (const char* op : {"atom", "red"}) {
      add_atomic(table, op + dot + ".add.noftz." + kind.name, "b16", place, singles, sum);
      add_atomic(table, op + dot + ".add.noftz." + kind.name + "x2", "b32", place, pairs, both);
    }
  }
}

void add_swaps(TableWriter& table) {
  std::vector<Words> rows;
  for (const Words& pair : integer_pairs(16, 6))
    rows.push_back({pair[0], rows.size() % 2 ? pair[0] : pair[1], 0x1234 + rows.size()});
  for (const char* space : {"global", "shared"})
    add_atomic(table, std::string("atom.") + space + ".cas.b16", "b16", {"", space, space}, rows,
               [](const Words& in) { return in[0] == in[1] ? in[2] : in[0]; });
}

void add_packed_integers(TableWriter& table) {
  const auto on_both = [](bool is_signed, auto operation) {
    return [=](const Words& in) {
      std::uint64_t word = 0;
      for (const int shift : {0, 16}) {
        const Int128 a = integer_of(in[0] >> shift, 16, is_signed),
                     b = integer_of(in[1] >> shift, 16, is_signed);
        word |= truncate(static_cast<std::uint64_t>(operation(a, b)), 16) << shift;
      }
      return Expected(word);
    };
  };
  const auto least_of = [](Int128 a, Int128 b) { return std::min(a, b); };
  const auto greatest_of = [](Int128 a, Int128 b) { return std::max(a, b); };
  const auto sum = [](Int128 a, Int128 b) { return a + b; };
  const auto positive = [](auto operation) {
    return [operation](Int128 a, Int128 b) { return std::max(operation(a, b), Int128{0}); };
  };
  const auto word = [](auto operation) {
    return [operation](const Words& in) {
      return Expected(truncate(
          static_cast<std::uint64_t>(operation(integer_of(in[0], 32, true), integer_of(in[1], 32, true))),
          32));
    };
  };
  add_pointwise(table, std::move(newest("packed integers").in("a", "b32").in("b", "b32")),
                {{"add.u16x2", "add_u", "b32", on_both(false, sum)},
                 {"add.s16x2", "add_s", "b32", on_both(true, sum)},
                 {"min.u16x2", "min_u", "b32", on_both(false, least_of)},
                 {"min.s16x2", "min_s", "b32", on_both(true, least_of)},
                 {"max.u16x2", "max_u", "b32", on_both(false, greatest_of)},
                 {"max.s16x2", "max_s", "b32", on_both(true, greatest_of)},
                 {"min.relu.s16x2", "min_relu", "b32", on_both(true, positive(least_of))},
                 {"max.relu.s16x2", "max_relu", "b32", on_both(true, positive(greatest_of))},
                 {"min.relu.s32", "min_word", "b32", word(positive(least_of))},
                 {"max.relu.s32", "max_word", "b32", word(positive(greatest_of))}},
                integer_pairs(32, 20));
}

}  // namespace

void write_halves(const std::string& folder) {
  TableWriter table(folder, "halves",
                    "Half precision and bfloat16, single values and pairs; pairs of integers");
  for (const Kind& kind : kKinds) {
    add_arithmetic(table, kind);
    add_extremes_and_signs(table, kind);
    add_approximations(table, kind);
  }
  add_packed_integers(table);
  TableWriter comparisons(folder, "half_comparisons",
                          "Comparisons and atomics of half precision and bfloat16");
  for (const Kind& kind : kKinds) {
    add_comparisons(comparisons, kind, false);
    if (kind.is_half()) add_comparisons(comparisons, kind, true);
    add_sets(comparisons, kind);
    add_atomics(comparisons, kind);
  }
  add_swaps(comparisons);
}

}  // namespace heddle::semantics
