#pragma once

// Table of the PTX instruction forms (mnemonic, suffixes and operands) that the front end accepts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::ptx {

/// One row of the table. `suffixes` is a list of groups separated by blanks: `[effect:]word|word...[?]`. `$name`
/// stands for a named group; a group with "?" is optional. Words without an effect are types or flags.
/// `operands` is a list of slots separated by blanks, destinations first:
///   =X destination, X source, X? optional, =X|p? destination with an optional second predicate
///   T the type, S the second type, W twice as wide as T, u32 and u64 these types, p predicate
///   T> S>   the register may be wider than the type
///   pb      predicate, present if and only if the form combines with .and, .or or .xor
///   A       address in brackets       V =V   one register, or a vector with .v2 or .v4
///   lut     immediate 0..255          I      any immediate, ignored       hint   cache policy, ignored
///   custom  translated by a separate function
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
  matrix,
  layout_a,
  layout_b,
  bits,
  hint,
  ignore
};

struct Slot {
  /// Kind of the operand. T S W p A V I: as in Form::operands. Letters for its other words: 4 (u32), 8 (u64),
  /// b (pb), L (lut), H (hint), C (custom).
  char kind = 'T';
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

struct FormMatch {
  const CompiledForm* form = nullptr;
  std::vector<std::string_view> words;
};

bool has_word(const FormMatch& match, std::string_view word);

void apply_suffixes(const FormMatch& match, isa::Instruction& instruction);

std::string to_string(const CompiledForm& form);

const std::vector<CompiledForm>& instruction_forms();

/// Returns the PTX feature (such as "textures and surfaces") of a mnemonic or suffix that Heddle does not
/// support; nullptr for other words.
const char* refused_mnemonic(std::string_view mnemonic);
const char* refused_suffix(std::string_view suffix);

struct NamedGroup {
  const char* name;
  const char* group;
};
const std::vector<Form>& form_table();
const std::vector<NamedGroup>& named_groups();

}  // namespace heddle::ptx
