#include "models/ptx/instruction_forms.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/core/error.h"

namespace heddle::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, Effect>, 25> kEffects = {
    {{"rounding", Effect::rounding},   {"compare", Effect::compare},     {"boolean", Effect::boolean},
     {"part", Effect::part},           {"shuffle", Effect::shuffle},     {"vote", Effect::vote},
     {"match", Effect::match},         {"direction", Effect::direction}, {"edge", Effect::edge},
     {"permute", Effect::permute},     {"property", Effect::property},   {"atomic", Effect::atomic},
     {"cache", Effect::cache},         {"order", Effect::order},         {"scope", Effect::scope},
     {"space", Effect::space},         {"vector", Effect::vector},       {"barrier", Effect::barrier},
     {"reduction", Effect::reduction}, {"matrix", Effect::matrix},       {"layout_a", Effect::layout_a},
     {"layout_b", Effect::layout_b},   {"bits", Effect::bits},           {"hint", Effect::hint},
     {"ignore", Effect::ignore}}};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool drop_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

std::string_view expand(std::string_view text) {
  if (!text.starts_with("$")) return text;
  for (const NamedGroup& named : named_groups())
    if (text.substr(1) == named.name) return named.group;
  throw InternalError("instruction table names an unknown group " + std::string(text));
}

/// Returns the position of the colon after the effect in an entry of the instruction table, such as
/// "rounding:rn" (the suffix "rn" determines the rounding); npos if the entry has no effect. A "::" does not
/// count, because it is part of a suffix such as "L1::evict_last".
std::size_t effect_end(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && text.substr(colon, 2) != "::" ? colon : std::string_view::npos;
}

CompiledForm::Group compile_group(std::string_view text) {
  CompiledForm::Group group;
  group.optional = drop_suffix(text, "?");
  text = expand(text);
  if (const std::size_t colon = effect_end(text); colon != std::string_view::npos) {
    for (const auto& [name, effect] : kEffects)
      if (text.substr(0, colon) == name) group.effect = effect;
    if (group.effect == Effect::plain)
      throw InternalError("instruction table names an unknown effect: " + std::string(text));
    text.remove_prefix(colon + 1);
  }
  group.words = split(text, '|');
  return group;
}

Slot compile_slot(std::string_view text) {
  Slot slot;
  if (text.starts_with("=")) {
    slot.destination = true;
    text.remove_prefix(1);
  }
  slot.second_predicate = drop_suffix(text, "|p?");
  slot.optional = drop_suffix(text, "?");
  slot.wider = drop_suffix(text, ">");
  static constexpr std::array<std::pair<std::string_view, char>, 13> kKinds = {{{"T", 'T'},
                                                                                {"S", 'S'},
                                                                                {"W", 'W'},
                                                                                {"u32", '4'},
                                                                                {"u64", '8'},
                                                                                {"p", 'p'},
                                                                                {"pb", 'b'},
                                                                                {"A", 'A'},
                                                                                {"V", 'V'},
                                                                                {"lut", 'L'},
                                                                                {"I", 'I'},
                                                                                {"hint", 'H'},
                                                                                {"custom", 'C'}}};
  for (const auto& [name, kind] : kKinds)
    if (text == name) {
      slot.kind = kind;
      return slot;
    }
  throw InternalError("instruction table names an unknown operand slot " + std::string(text));
}

std::vector<CompiledForm> compile_table() {
  std::vector<CompiledForm> forms;
  for (const Form& form : form_table()) {
    CompiledForm compiled;
    compiled.form = &form;
    for (const std::string_view group : split(form.suffixes, ' '))
      compiled.groups.push_back(compile_group(group));
    for (const std::string_view slot : split(form.operands, ' '))
      compiled.slots.push_back(compile_slot(slot));
    forms.push_back(std::move(compiled));
  }
  return forms;
}

}  // namespace

const std::vector<CompiledForm>& instruction_forms() {
  static const std::vector<CompiledForm> forms = compile_table();
  return forms;
}

bool has_word(const FormMatch& match, std::string_view word) {
  return std::find(match.words.begin(), match.words.end(), word) != match.words.end();
}

std::string to_string(const CompiledForm& form) {
  std::string text = form.form->mnemonic;
  for (const auto& group : form.groups) {
    std::string words;
    for (const std::string_view word : group.words) words += (words.empty() ? "." : "|.") + std::string(word);
    if (group.optional)
      text += "[" + words + "]";
    else
      text += group.words.size() > 1 ? "{" + words + "}" : words;
  }
  return text;
}

}  // namespace heddle::ptx
