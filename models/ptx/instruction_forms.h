#pragma once

// Which instructions the front end accepts, as a table of forms.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::ptx {

/// One row. `suffixes` is a list of groups separated by blanks: `[effect:]word|word...[?]`; `$name` stands
/// for a group named in the table; a group with "?" may be missing. Words without effect are types or flags.
/// `operands` is a list of slots separated by blanks, destinations first:
///   =X destination, X source, X? may be missing, =X|p? destination with an optional second predicate
///   T the type, S the second type, W twice as wide as T, u32 and u64 such types, p predicate
///   T> S>   the register may be wider than the type
///   pb      predicate, present if and only if the form combines with .and, .or or .xor
///   A       address in brackets       V =V   one register or a vector, as .v2 or .v4 says
///   lut     immediate 0..255          I      any immediate, ignored       hint   cache policy, ignored
///   custom  lowered by code of its own
struct Form {
  const char* mnemonic;
  isa::Opcode op;
  const char* suffixes;
  const char* operands;
};

enum class Effect : std::uint8_t {
  plain,
  rounding,
  compare,
  boolean,
  part,
  shuffle,
  vote,
  match,
  direction,
  edge,
  permute,
  property,
  atomic,
  cache,
  order,
  scope,
  space,
  vector,
  barrier,
  reduction,
  hint,
  ignore
};

struct Slot {
  char kind = 'T';  ///< T S W 4 (u32) 8 (u64) p b (pb) A V L (lut) I H (hint) C (custom)
  bool destination = false;
  bool optional = false;
  bool wider = false;
  bool second_predicate = false;
};

struct CompiledForm {
  struct Group {
    Effect effect = Effect::plain;
    bool optional = false;
    std::vector<std::string_view> words;
  };
  const Form* form = nullptr;
  std::vector<Group> groups;
  std::vector<Slot> slots;
};

/// A form with the word chosen for each group (empty: none).
struct FormMatch {
  const CompiledForm* form = nullptr;
  std::vector<std::string_view> words;
};

bool has_word(const FormMatch& match, std::string_view word);

/// Sets type, modifiers and memory access as the suffixes say.
void apply_suffixes(const FormMatch& match, isa::Instruction& instruction);

/// "add[.sat].s32" for messages and the reference page.
std::string to_string(const CompiledForm& form);

/// All forms, in the order of the table.
const std::vector<CompiledForm>& instruction_forms();

/// Why a mnemonic or suffix is not supported ("textures and surfaces"), or nullptr if Heddle does not know
/// it.
const char* refused_mnemonic(std::string_view mnemonic);
const char* refused_suffix(std::string_view suffix);

/// The table and the named groups (instruction_table.cpp).
struct NamedGroup {
  const char* name;
  const char* group;
};
const std::vector<Form>& form_table();
const std::vector<NamedGroup>& named_groups();

}  // namespace heddle::ptx
