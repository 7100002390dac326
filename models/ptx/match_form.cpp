#include "models/ptx/match_form.h"

#include <algorithm>
#include <map>

#include "models/ptx/declaration_parser.h"

namespace heddle::ptx {
namespace {

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

/// Returns true if the suffixes of an instruction match a form (row of the instruction table). A form has
/// groups of alternative suffixes. Each suffix is assigned to the first unused group that contains it. Each
/// suffix must get a group, and each group that is not optional must get a suffix.
bool try_form(const CompiledForm& form, const std::vector<Word>& suffixes, FormMatch& match) {
  match.form = &form;
  match.words.assign(form.groups.size(), {});
  std::size_t next_type = 0;
  for (const Word& suffix : suffixes) {
    const bool type = data_type_of(suffix.text) != isa::DataType::none;
    std::size_t i = type ? next_type : 0;
    while (i < form.groups.size() && (!match.words[i].empty() || !contains(form.groups[i], suffix.text))) ++i;
    if (i == form.groups.size()) return false;
    match.words[i] = suffix.text;
    if (type) next_type = i + 1;
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
  if (const char* name = refused_mnemonic(s.name)) source.refuse(s.position, name, mnemonic);
  for (const Word& suffix : s.suffixes) {
    bool known = false;
    for (const CompiledForm* form : forms)
      for (const auto& group : form->groups) known |= contains(group, suffix.text);
    if (known) continue;
    if (const char* name = refused_suffix(suffix.text)) {
      source.refuse(suffix.position, name, mnemonic + "." + std::string(suffix.text));
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

FormMatch match_form(const Source& source, const Statement& statement) {
  const auto it = forms_by_mnemonic().find(statement.name);
  if (it == forms_by_mnemonic().end()) {
    if (const char* name = refused_mnemonic(statement.name))
      source.refuse(statement.position, name, std::string(statement.name));
    source.fail(statement.position, "unknown instruction \"" + std::string(statement.name) + "\"",
                list_mnemonics());
  }
  FormMatch match;
  for (const CompiledForm* form : it->second)
    if (try_form(*form, statement.suffixes, match)) return match;
  fail_match(source, statement, it->second);
}

void require_supported(const Source& source, Statement& statement, const Dialect& dialect) {
  dialect.complete(statement);
  statement.match = match_form(source, statement);
  dialect.flush_subnormals(statement.match);
  dialect.require_doubles(source, statement);
}

}  // namespace heddle::ptx
