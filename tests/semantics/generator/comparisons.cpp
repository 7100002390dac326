#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

struct OperandType {
  std::string name;
  int width;
  char kind;

  std::string column() const { return (kind == 'f' ? "f" : "b") + std::to_string(width); }
  const Format& format() const { return width == 32 ? f32 : f64; }
};

std::vector<OperandType> operand_types() {
  std::vector<OperandType> types;
  for (const int width : {16, 32, 64}) {
    for (const char kind : {'b', 'u', 's'}) types.push_back({kind + std::to_string(width), width, kind});
  }
  types.push_back({"f32", 32, 'f'});
  types.push_back({"f64", 64, 'f'});
  return types;
}

std::vector<std::string> comparisons_of(const OperandType& type) {
  if (type.kind == 'b') return {"eq", "ne"};
  if (type.kind == 's') return {"eq", "ne", "lt", "le", "gt", "ge"};
  if (type.kind == 'u') return {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
  return {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
}

/// Returns -1, 0 or 1 if a is less than, equal to or greater than b; 2 if they are unordered (NaN).
int order_of(const OperandType& type, std::uint64_t a, std::uint64_t b) {
  if (type.kind == 'f') return compared(type.format(), a, b);
  const Int128 difference =
      integer_of(a, type.width, type.kind == 's') - integer_of(b, type.width, type.kind == 's');
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

bool holds(const std::string& comparison, int order) {
  const bool unordered = order == 2;
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  if (comparison.size() == 3) return unordered || holds(comparison.substr(0, 2), order);
  if (unordered) return false;
  if (comparison == "eq") return order == 0;
  if (comparison == "ne") return order != 0;
  if (comparison == "lt" || comparison == "lo") return order < 0;
  if (comparison == "le" || comparison == "ls") return order <= 0;
  if (comparison == "gt" || comparison == "hi") return order > 0;
  return order >= 0;
}

std::vector<Words> rows_for(const OperandType& type) {
  std::vector<Words> rows = type.kind == 'f' ? float_pairs(type.format(), 6) : integer_pairs(type.width, 5);
  // Add pairs of equal operands, so that a comparison that is wrong only for equal operands is found.
  for (const std::uint64_t word :
       type.kind == 'f' ? Words{type.format().one()} : integer_samples(type.width, 0))
    rows.push_back({word, word});
  return rows;
}

void add_plain(TableWriter& table) {
  for (const OperandType& type : operand_types()) {
    for (const bool flushes : {false, true}) {
      if (flushes && type.name != "f32") continue;
      std::vector<Pointwise> forms;
      for (const std::string& comparison : comparisons_of(type)) {
        forms.push_back({"setp." + comparison + (flushes ? ".ftz." : ".") + type.name, comparison, "pred",
                         [=](const Words& in) {
                           const std::uint64_t a = flushes ? flushed(f32, in[0]) : in[0];
                           const std::uint64_t b = flushes ? flushed(f32, in[1]) : in[1];
                           return Expected(holds(comparison, order_of(type, a, b)) ? 1 : 0);
                         }});
      }
      std::vector<Words> rows = rows_for(type);
      if (flushes)
        rows.insert(rows.end(),
                    {{1, 0x80000001}, {0x007fffff, 0}, {1, 0x00800000}, {0x80000001, 0x007fffff}});
      add_pointwise(table,
                    FormWriter("setp" + std::string(flushes ? ".ftz." : ".") + type.name)
                        .in("a", type.column())
                        .in("b", type.column()),
                    forms, rows);
    }
  }
}

std::uint64_t combined(const std::string& operation, std::uint64_t first, std::uint64_t second) {
  if (operation == "and") return first & second;
  if (operation == "or") return first | second;
  return first ^ second;
}

/// Adds entries for setp with a third operand c: p = (comparison op c), q = (inverse comparison op c).
void add_combined(TableWriter& table) {
  for (const OperandType& type : operand_types()) {
    FormWriter form("setp-combined." + type.name);
    form.in("a", type.column()).in("b", type.column()).in("c", "pred");
    const std::vector<std::string> comparisons = type.kind == 'b' ? std::vector<std::string>{"eq", "ne"}
                                                 : type.kind == 'f'
                                                     ? std::vector<std::string>{"lt", "neu", "ge"}
                                                     : std::vector<std::string>{"lt", "ne", "ge"};
    std::vector<std::pair<std::string, std::string>> variants;
    for (const std::string& comparison : comparisons) {
      for (const std::string operation : {"and", "or", "xor"}) {
        const std::string name = comparison + "_" + operation;
        const std::string spelled = "setp." + comparison + "." + operation + "." + type.name;
        variants.emplace_back(comparison, operation);
        form.covers(spelled).out(name, "pred").out(name + "_q", "pred");
        form.body(spelled + " %" + name + "|%" + name + "_q, %a, %b, " +
                  (operation == "or" ? "!%c;" : "%c;"));
      }
    }
    std::uint64_t flag = 0;
    std::size_t kept = 0;
    for (Words in : rows_for(type)) {
      if (++kept % 2 == 0) continue;
      in.push_back(flag ^= 1);
      std::vector<Expected> outputs;
      for (const auto& [comparison, operation] : variants) {
        const std::uint64_t c = operation == "or" ? in[2] ^ 1 : in[2];
        const std::uint64_t first = holds(comparison, order_of(type, in[0], in[1])) ? 1 : 0;
        outputs.emplace_back(combined(operation, first, c));
        outputs.emplace_back(combined(operation, first ^ 1, c));
      }
      form.row(in, outputs);
    }
    table.add(form);
  }
}

/// Adds entries for set: all ones (1.0 for floating-point types) if the comparison is true, otherwise 0.
void add_sets(TableWriter& table) {
  for (const OperandType& type : operand_types()) {
    std::vector<Pointwise> forms;
    for (const std::string& comparison : comparisons_of(type)) {
      for (const std::string result : {"u32", "s32", "f32"}) {
        const bool is_float = result == "f32";
        if (!is_float && result == "s32" && comparison != "eq" && comparison != "lt") continue;
        forms.push_back({"set." + comparison + "." + result + "." + type.name, comparison + "_" + result,
                         is_float ? "f32" : "b32", [=](const Words& in) {
                           const std::uint64_t yes = is_float ? 0x3f800000 : 0xffffffff;
                           return Expected(holds(comparison, order_of(type, in[0], in[1])) ? yes : 0);
                         }});
      }
    }
    std::vector<Words> rows;
    std::size_t index = 0;
    for (const Words& row : rows_for(type)) {
      if (++index % 3 == 1) rows.push_back(row);
    }
    add_pointwise(table, FormWriter("set." + type.name).in("a", type.column()).in("b", type.column()), forms,
                  rows);
  }
}

void add_combined_sets(TableWriter& table) {
  const OperandType s32{"s32", 32, 's'};
  FormWriter integers("set-combined.s32");
  integers.in("a", "b32").in("b", "b32").in("c", "pred");
  for (const std::string operation : {"and", "or", "xor"}) {
    const std::string spelled = "set.lt." + operation + ".u32.s32";
    integers.covers(spelled).out(operation, "b32").body(spelled + " %" + operation + ", %a, %b, %c;");
  }
  std::uint64_t flag = 0;
  for (const Words& in : integer_pairs(32, 5)) {
    flag ^= 1;
    const std::uint64_t below = order_of(s32, in[0], in[1]) < 0 ? 1 : 0;
    std::vector<Expected> outputs;
    for (const std::string operation : {"and", "or", "xor"})
      outputs.emplace_back(combined(operation, below, flag) != 0 ? 0xffffffff : 0);
    integers.row({in[0], in[1], flag}, outputs);
  }
  table.add(integers);
  std::vector<Pointwise> flushing;
  for (const std::string comparison : {"eq", "ne", "lt", "geu"}) {
    flushing.push_back(
        {"set." + comparison + ".ftz.u32.f32", comparison, "b32", [comparison](const Words& in) {
           const int order = compared(f32, flushed(f32, in[0]), flushed(f32, in[1]));
           return Expected(holds(comparison, order) ? 0xffffffff : 0);
         }});
  }
  std::vector<Words> rows{{1, 0x80000001}, {0x007fffff, 0}, {1, 0x00800000}, {0x80000001, 0x007fffff}};
  for (const Words& row : float_pairs(f32, 0)) {
    if (rows.size() < 30) rows.push_back(row);
  }
  add_pointwise(table, FormWriter("set.ftz.f32").in("a", "f32").in("b", "f32"), flushing, rows);
}

/// Adds entries for slct, which returns a if c >= 0, otherwise b. The condition is false for a NaN and true
/// for -0.0.
void add_selects_by_sign(TableWriter& table) {
  for (const std::string type :
       {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"}) {
    const int width = std::stoi(type.substr(1));
    const std::string column = (type[0] == 'f' ? "f" : "b") + std::to_string(width);
    FormWriter form("slct." + type);
    form.in("a", column).in("b", column).in("integer", "b32").in("real", "f32");
    const auto by_integer = [](const Words& in) { return Expected((in[2] >> 31) == 0 ? in[0] : in[1]); };
    const auto by_real = [](bool flushes) {
      return [flushes](const Words& in) {
        const int order = compared(f32, flushes ? flushed(f32, in[3]) : in[3], 0);
        return Expected(order == 0 || order == 1 ? in[0] : in[1]);
      };
    };
    std::vector<Words> rows;
    const Words integers = integer_samples(32, 5);
    const Words reals = float_samples(f32, 0);
    const Words values = integer_samples(width, 40);
    for (std::size_t i = 0; i < 20; ++i) {
      rows.push_back({values[i], values[i + 20], integers[i % integers.size()], reals[i]});
    }
    add_pointwise(table, form,
                  {{"slct." + type + ".s32", "by_integer", column, by_integer, "%a, %b, %integer"},
                   {"slct." + type + ".f32", "by_real", column, by_real(false), "%a, %b, %real"},
                   {"slct.ftz." + type + ".f32", "by_real_ftz", column, by_real(true), "%a, %b, %real"}},
                  rows);
  }
}

void add_selects(TableWriter& table) {
  for (const int width : {16, 32, 64}) {
    for (const bool is_float : {false, true}) {
      if (is_float && width == 16) continue;
      const std::string column = (is_float ? "f" : "b") + std::to_string(width);
      std::vector<Pointwise> forms;
      const std::vector<std::string> kinds =
          is_float ? std::vector<std::string>{"f"} : std::vector<std::string>{"b", "u", "s"};
      for (const std::string& kind : kinds) {
        forms.push_back({"selp." + kind + std::to_string(width), "d_" + kind, column,
                         [](const Words& in) { return Expected(in[2] != 0 ? in[0] : in[1]); }});
      }
      std::vector<Words> rows;
      const Words words = is_float ? float_samples(width == 32 ? f32 : f64, 4) : integer_samples(width, 8);
      for (std::size_t i = 0; i < words.size(); ++i) {
        rows.push_back({words[i], words[(i + 3) % words.size()], i & 1});
        rows.push_back({words[i], words[(i + 5) % words.size()], (i & 1) ^ 1});
      }
      add_pointwise(table, FormWriter("selp." + column).in("a", column).in("b", column).in("p", "pred"),
                    forms, rows);
    }
  }
}

bool has_property(const Format& format, const std::string& property, std::uint64_t a) {
  const bool finite = !format.is_nan(a) && !format.is_infinite(a);
  if (property == "finite") return finite;
  if (property == "infinite") return format.is_infinite(a);
  if (property == "number") return !format.is_nan(a);
  if (property == "notanumber") return format.is_nan(a);
  if (property == "subnormal") return format.is_subnormal(a);
  return finite && !format.is_subnormal(a);  // testp.normal is true for zeros
}

void add_property_tests(TableWriter& table) {
  for (const Format* format : {&f32, &f64}) {
    const std::string type = "f" + std::to_string(format->width);
    std::vector<Pointwise> forms;
    for (const std::string property : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
      forms.push_back({"testp." + property + "." + type, property, "pred", [=](const Words& in) {
                         return Expected(has_property(*format, property, in[0]) ? 1 : 0);
                       }});
    }
    add_pointwise(table, FormWriter("testp." + type).in("a", type), forms,
                  rows_of(float_samples(*format, 4)));
  }
}

}  // namespace

void write_comparisons(const std::string& folder) {
  TableWriter comparisons(folder, "comparisons", "Comparisons into predicates and registers");
  add_plain(comparisons);
  add_combined(comparisons);
  add_sets(comparisons);
  add_combined_sets(comparisons);
  TableWriter selections(folder, "selections", "Selections, and tests of floating-point properties");
  add_selects_by_sign(selections);
  add_selects(selections);
  add_property_tests(selections);
}

}  // namespace heddle::semantics
