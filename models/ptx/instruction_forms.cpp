#include "models/ptx/instruction_forms.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/core/error.h"
#include "models/ptx/ast.h"
#include "models/ptx/declaration_parser.h"

namespace heddle::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, Effect>, 21> kEffects = {
    {{"rounding", Effect::rounding},   {"compare", Effect::compare},     {"boolean", Effect::boolean},
     {"part", Effect::part},           {"shuffle", Effect::shuffle},     {"vote", Effect::vote},
     {"match", Effect::match},         {"direction", Effect::direction}, {"edge", Effect::edge},
     {"permute", Effect::permute},     {"property", Effect::property},   {"atomic", Effect::atomic},
     {"cache", Effect::cache},         {"order", Effect::order},         {"scope", Effect::scope},
     {"space", Effect::space},         {"vector", Effect::vector},       {"barrier", Effect::barrier},
     {"reduction", Effect::reduction}, {"hint", Effect::hint},           {"ignore", Effect::ignore}}};

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

/// "L1::evict_last" holds colons of its own: an effect ends at the first single one.
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

using FormsByMnemonic = std::map<std::string_view, std::vector<const CompiledForm*>>;

const FormsByMnemonic& forms_by_mnemonic() {
  static const FormsByMnemonic forms = [] {
    FormsByMnemonic map;
    for (const CompiledForm& form : instruction_forms()) map[form.form->mnemonic].push_back(&form);
    return map;
  }();
  return forms;
}

bool contains(const CompiledForm::Group& group, std::string_view word) {
  return std::find(group.words.begin(), group.words.end(), word) != group.words.end();
}

/// Gives each suffix the first free group that has it; true if all fit and no required group stays empty.
bool try_form(const CompiledForm& form, const std::vector<Word>& suffixes, FormMatch& match) {
  match.form = &form;
  match.words.assign(form.groups.size(), {});
  for (const Word& suffix : suffixes) {
    std::size_t i = 0;
    while (i < form.groups.size() && (!match.words[i].empty() || !contains(form.groups[i], suffix.text))) ++i;
    if (i == form.groups.size()) return false;
    match.words[i] = suffix.text;
  }
  for (std::size_t i = 0; i < form.groups.size(); ++i)
    if (match.words[i].empty() && !form.groups[i].optional) return false;
  return true;
}

std::string list_mnemonics() {
  std::string text;
  for (const auto& [name, forms] : forms_by_mnemonic()) text += (text.empty() ? "" : " ") + std::string(name);
  return text;
}

std::string list_words(const std::vector<const CompiledForm*>& forms) {
  std::vector<std::string_view> words;
  for (const CompiledForm* form : forms)
    for (const auto& group : form->groups)
      for (const std::string_view word : group.words)
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "." : " .") + std::string(word);
  return text.empty() ? "no modifiers" : text;
}

[[noreturn]] void fail_match(const Source& source, const Statement& s,
                             const std::vector<const CompiledForm*>& forms) {
  const std::string mnemonic(s.name);
  for (const Word& suffix : s.suffixes) {
    bool known = false;
    for (const CompiledForm* form : forms)
      for (const auto& group : form->groups) known |= contains(group, suffix.text);
    if (known) continue;
    if (const char* name = refused_suffix(suffix.text)) {
      source.fail(suffix.position, "not supported yet: " + std::string(name) + " (" + mnemonic + "." +
                                       std::string(suffix.text) + ")");
    }
    source.fail(suffix.position, "unknown modifier ." + std::string(suffix.text) + " of " + mnemonic,
                list_words(forms));
  }
  std::string text = mnemonic;
  for (const Word& suffix : s.suffixes) text += "." + std::string(suffix.text);
  std::string allowed;
  for (const CompiledForm* form : forms) allowed += (allowed.empty() ? "" : "; ") + to_string(*form);
  source.fail(s.position, "no such form of " + mnemonic + ": " + text, allowed);
}

}  // namespace

const std::vector<CompiledForm>& instruction_forms() {
  static const std::vector<CompiledForm> forms = compile_table();
  return forms;
}

FormMatch match_form(const Source& source, const Statement& statement) {
  const auto it = forms_by_mnemonic().find(statement.name);
  if (it == forms_by_mnemonic().end()) {
    if (const char* name = refused_mnemonic(statement.name))
      source.fail(statement.position,
                  "not supported yet: " + std::string(name) + " (" + std::string(statement.name) + ")");
    source.fail(statement.position, "unknown instruction \"" + std::string(statement.name) + "\"",
                list_mnemonics());
  }
  FormMatch match;
  for (const CompiledForm* form : it->second)
    if (try_form(*form, statement.suffixes, match)) return match;
  fail_match(source, statement, it->second);
}

void require_supported(const Source& source, Statement& statement) {
  statement.match = match_form(source, statement);
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
