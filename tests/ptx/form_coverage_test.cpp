// The PTX front end has a table of all instruction forms. Each form, with each of its suffixes, must be
// translated, and a function must exist that computes its result.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "models/ptx/ast.h"
#include "models/ptx/instruction_forms.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

std::string register_of(isa::DataType type, bool second) {
  const char* const n = second ? "2" : "1";
  if (type == isa::DataType::pred) return std::string("%p") + n;
  switch (isa::bits_of(type)) {
    case 8:
    case 16:
      return std::string("%h") + n;
    case 64:
      return std::string("%d") + n;
    default:
      return std::string("%r") + n;
  }
}

isa::DataType wide(isa::DataType type) {
  return isa::bits_of(type) == 16 ? isa::DataType::b32 : isa::DataType::b64;
}

std::string operand_of(const Slot& slot, const isa::Instruction& i, bool hint) {
  switch (slot.kind) {
    case 'T':
      return register_of(i.type, !slot.destination);
    case 'S':
      return register_of(i.source_type, true);
    case 'W':
      return register_of(wide(i.type), !slot.destination);
    case '4':
      return slot.destination ? "%r3" : "%r4";
    case '8':
      return "%d4";
    case 'p':
      return slot.destination ? "%p3" : "!%p4";
    case 'b':
      return i.modifiers.bool_op == isa::BoolOp::none ? "" : "%p4";
    case 'A':
      return "[%d5+64]";
    case 'L':
    case 'I':
      return "150";
    case 'H':
      return hint ? "%d6" : "";
    default: {
      const std::string one = register_of(i.type, !slot.destination);
      if (i.memory.elements == 1) return one;
      return i.memory.elements == 2 ? "{" + one + ", " + one + "}"
                                    : "{" + one + ", _, " + one + ", " + one + "}";
    }
  }
}

std::string instruction_text(const CompiledForm& form, const std::vector<std::string_view>& words) {
  FormMatch match{&form, words};
  isa::Instruction i;
  apply_suffixes(match, i);
  std::string text = form.form->mnemonic;
  bool hint = false;
  for (std::size_t g = 0; g < words.size(); ++g) {
    if (!words[g].empty()) text += "." + std::string(words[g]);
    hint |= form.groups[g].effect == Effect::hint && !words[g].empty();
  }
  std::string operands;
  for (const Slot& slot : form.slots) {
    std::string o = operand_of(slot, i, hint);
    if (o.empty()) continue;
    if (slot.kind == 'V' && !slot.destination && i.memory.elements == 4) o.replace(o.find('_'), 1, "0");
    if (isa::is_float(i.type) && o.find(", 0,") != std::string::npos) o.replace(o.find(", 0,"), 4, ", 1.0,");
    if (slot.second_predicate) o += "|%p5";
    operands += (operands.empty() ? " " : ", ") + o;
  }
  return text + operands + ";";
}

/// Returns suffix combinations of an instruction form. A form has groups of alternative suffixes. The first
/// combination is the base: the first suffix of each group, or none for an optional group. Each further
/// combination replaces one group's suffix in the base; together, they contain every suffix of every group.
std::vector<std::vector<std::string_view>> variants(const CompiledForm& form) {
  std::vector<std::string_view> base;
  for (const auto& group : form.groups)
    base.push_back(group.optional ? std::string_view{} : group.words.front());
  std::vector<std::vector<std::string_view>> all = {base};
  for (std::size_t g = 0; g < base.size(); ++g)
    for (const std::string_view word : form.groups[g].words) {
      all.push_back(base);
      all.back()[g] = word;
    }
  return all;
}

TEST(Forms, EveryOneLowersAndHasArithmetic) {
  int count = 0;
  for (const CompiledForm& form : instruction_forms()) {
    if (!form.slots.empty() && form.slots.front().kind == 'C') continue;
    for (const auto& words : variants(form)) {
      const std::string text = instruction_text(form, words);
      try {
        isa::Program program = test::lower(text);
        isa::bind_lane_functions(program);
      } catch (const std::exception& e) {
        ADD_FAILURE() << text << "\n  " << e.what();
      }
      ++count;
    }
  }
  EXPECT_GT(count, 900);
}

}  // namespace
}  // namespace heddle::ptx
