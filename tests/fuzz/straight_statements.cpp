#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/body_generator.h"
#include "tests/fuzz/form_catalog.h"

namespace heddle::fuzz {

void BodyGenerator::catalogue() {
  const CatalogForm& form = dice_.choose(form_catalog());
  std::string text = guard() + expand(form.mnemonic) + " ";
  bool first = true;
  for (const char* c = form.operands; *c; ++c) {
    if (*c == '|') {
      if (dice_.chance(40)) text += "|" + predicate();
      continue;
    }
    text += first ? "" : ", ";
    first = false;
    if (*c == '!')
      text += (dice_.chance(50) ? "!" : "") + predicate();
    else if (*c == 'L')
      text += std::to_string(dice_.pick(256));
    else
      text += *c < 'a' ? operand(static_cast<char>(*c - 'A' + 'a')) : variable(*c);
  }
  // The two predicates of a setp must be different registers; with one register for both, one result would be
  // lost.
  const auto bar = text.find('|');
  if (bar != std::string::npos) {
    const auto space = text.rfind(' ', bar);
    const auto comma = text.find(',', bar);
    if (text.substr(space + 1, bar - space - 1) == text.substr(bar + 1, comma - bar - 1))
      text.erase(bar, comma - bar);
  }
  line(text + ";");
  const std::size_t begin = text.rfind(' ', text.find_first_of(",|")) + 1;
  if (dice_.chance(35)) keep(*form.operands, text.substr(begin, text.find_first_of(",|", begin) - begin));
}

// Adds a variable to the stored hash. The variable's present value is then checked, even if a later statement
// overwrites the variable without using it.
void BodyGenerator::keep(char kind, const std::string& name) {
  switch (kind) {
    case 'h':
      line(fmt::format("cvt.u32.u16 %t6, {};", name));
      break;
    case 'f':
      line(fmt::format("mov.b32 %t6, {};", name));
      break;
    case 'p':
      line(fmt::format("selp.u32 %t6, 77, 1, {};", name));
      break;
    case 'd':
    case 'g':
      line(fmt::format("mov.b64 {{%t6, %t7}}, {};\nmad.lo.u32 %t6, %t7, 17, %t6;", name));
      break;
    default:
      return line(fmt::format("mad.lo.u32 %hash, %hash, 33, {};", name));
  }
  line("mad.lo.u32 %hash, %hash, 33, %t6;");
}

void BodyGenerator::convert() {
  struct Type {
    const char* name;
    int bits;
    char kind;
  };
  static const std::vector<Type> integers = {{"u8", 8, 'h'},   {"s8", 8, 'h'},   {"u16", 16, 'h'},
                                             {"s16", 16, 'h'}, {"u32", 32, 'w'}, {"s32", 32, 'w'},
                                             {"u64", 64, 'd'}, {"s64", 64, 'd'}};
  const auto holder = [this](const Type& type) {
    if (type.bits <= 16) return variable(dice_.chance(40) ? 'h' : dice_.chance(70) ? 'w' : 'd');
    return type.bits == 32 && dice_.chance(80) ? variable('w') : variable('d');
  };
  const std::string saturate = dice_.chance(30) ? ".sat" : "";
  const std::string flush = dice_.chance(25) ? ".ftz" : "";
  const std::string whole = dice_.choose({".rni", ".rzi", ".rmi", ".rpi"});
  const std::string rounding = dice_.choose({".rn", ".rz", ".rm", ".rp"});
  const Type& to = dice_.choose(integers);
  const Type& from = dice_.choose(integers);
  switch (dice_.pick(9)) {
    case 0:
    case 1:
    case 2:
      return line(fmt::format("{}cvt{}.{}.{} {}, {};", guard(), saturate, to.name, from.name, holder(to),
                              holder(from)));
    case 3:
      return line(fmt::format("{}cvt{}{}{}.{}.f32 {}, {};", guard(), whole, flush, saturate, to.name,
                              holder(to), variable('f')));
    case 4:
      return line(fmt::format("{}cvt{}{}.{}.f64 {}, {};", guard(), whole, saturate, to.name, holder(to),
                              variable('g')));
    case 5:
      return line(fmt::format("{}cvt{}{}{}.f32.{} {}, {};", guard(), rounding, flush, saturate, from.name,
                              variable('f'), holder(from)));
    case 6:
      return line(fmt::format("{}cvt{}{}.f64.{} {}, {};", guard(), rounding, saturate, from.name,
                              variable('g'), holder(from)));
    case 7:
      if (dice_.chance(50))
        return line(fmt::format("{}cvt{}{}{}.f32.f64 {}, {};", guard(), rounding, flush, saturate,
                                variable('f'), variable('g')));
      return line(
          fmt::format("{}cvt{}{}.f64.f32 {}, {};", guard(), flush, saturate, variable('g'), variable('f')));
    default:
      if (dice_.chance(50))
        return line(fmt::format("{}cvt{}{}{}.f32.f32 {}, {};", guard(), whole, flush, saturate, variable('f'),
                                variable('f')));
      return line(
          fmt::format("{}cvt{}{}.f64.f64 {}, {};", guard(), whole, saturate, variable('g'), variable('g')));
  }
}

void BodyGenerator::pack() {
  switch (dice_.pick(6)) {
    case 0:
      return line(
          fmt::format("{}mov.b32 {}, {{{}, {}}};", guard(), variable('w'), variable('h'), variable('h')));
    case 1:
      return line(fmt::format("{}mov.b32 {}, {};", guard(), run_of('h', 2), variable('w')));
    case 2:
      return line(
          fmt::format("{}mov.b64 {}, {{{}, {}}};", guard(), variable('d'), variable('w'), variable('w')));
    case 3:
      return line(fmt::format("{}mov.b64 {}, {};", guard(), run_of('w', 2), variable('d')));
    case 4:
      return line(fmt::format("{}mov.b64 {}, {{{}, {}, {}, {}}};", guard(), variable('d'), variable('h'),
                              variable('h'), variable('h'), variable('h')));
    default:
      if (dice_.chance(50))
        return line(fmt::format("{}mov.b64 {{%u0, %u1, %u2, %u3}}, {};\nadd.u16 {}, %u1, %u3;", "",
                                variable('d'), variable('h')));
      return line(
          fmt::format("{}mov.b64 {}, {{{}, {}}};", guard(), variable('g'), variable('f'), variable('w')));
  }
}

void BodyGenerator::carry_chain() {
  const bool wide = dice_.chance(30);
  const char kind = wide ? 'd' : 'w';
  const char* type = wide ? "u64" : "u32";
  const bool subtract = dice_.chance(40);
  const bool multiply = !subtract && dice_.chance(40);
  const int links = dice_.between(1, 3);
  if (multiply)
    line(fmt::format("mad.lo.cc.{} {}, {}, {}, {};", type, variable(kind), variable(kind), operand(kind),
                     variable(kind)));
  else
    line(fmt::format("{}.cc.{} {}, {}, {};", subtract ? "sub" : "add", type, variable(kind), variable(kind),
                     operand(kind)));
  for (int i = 0; i < links; ++i) {
    if (dice_.chance(25)) catalogue();
    const char* more = i + 1 < links ? ".cc" : "";
    if (multiply && dice_.chance(60))
      line(fmt::format("{}madc.{}{}.{} {}, {}, {}, {};", guard(10), dice_.choose({"lo", "hi"}), more, type,
                       variable(kind), variable(kind), operand(kind), variable(kind)));
    else
      line(fmt::format("{}{}{}.{} {}, {}, {};", guard(10), subtract ? "subc" : "addc", more, type,
                       variable(kind), variable(kind), operand(kind)));
  }
}

void BodyGenerator::special_register() {
  static const std::vector<std::string> names = {
      "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",   "%ntid.z", "%ctaid.x",
      "%ctaid.y",     "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%nctaid.z", "%laneid", "%lanemask_eq",
      "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%envreg1"};
  line(fmt::format("{}mov.u32 {}, {};", guard(), variable('w'), dice_.choose(names)));
}

}  // namespace heddle::fuzz
