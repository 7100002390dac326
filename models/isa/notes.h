#pragma once

// Notes: 64-bit words that a compiler pass attaches to operands, instructions, intervals (instructions that
// belong together, such as the instructions of some blocks) and whole programs. Each pass names its notes,
// and hardware reads the words of the notes with a given name. A pass with new notes therefore needs no
// change of the class Program or of other passes.
//
// Operands and instructions hold only the number of a set of notes, so a copy of an instruction keeps its
// notes. A pass may add an instruction that serves an existing instruction, such as a spill. rewrite() then
// copies the interval notes of the existing instruction to the new one.

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::isa {

/// Number of a set of notes in Program::notes. 0: the empty set.
using NoteSet = std::uint16_t;

struct Note {
  std::string name;
  std::vector<std::uint64_t> words;
  /// True: the note belongs to a whole interval, not only to this instruction. Intervals whose notes have
  /// equal words cannot be distinguished, so a pass must put a different number into the note of each
  /// interval.
  bool interval = false;
  auto operator<=>(const Note&) const = default;
};

class Notes {
 public:
  /// Returns the number of the set that `set` becomes when `note` is added. The note replaces a note of the
  /// same name. Throws Error if the program has more than 65,535 different sets.
  NoteSet with(NoteSet set, Note note);
  NoteSet intervals_of(NoteSet set);
  /// Attaches a note to the whole program.
  void attach(Note note) { program_ = with(program_, std::move(note)); }
  NoteSet of_program() const { return program_; }
  /// Returns the notes of a set, sorted by name.
  std::span<const Note> of(NoteSet set) const;
  /// Returns the number of different sets of notes. The sets have the numbers 0, 1, 2 and so on.
  std::size_t sets() const { return sets_.empty() ? 1 : sets_.size(); }

 private:
  NoteSet number_of(std::vector<Note> notes);

  NoteSet program_ = 0;
  std::vector<std::vector<Note>> sets_;
  std::map<std::vector<Note>, NoteSet> numbers_;
};

/// Table of the words of all notes that have one given name, by set of notes. Hardware that reads such a note
/// at each instruction need not search for the name. Valid only while the program exists.
class NotedWords {
 public:
  NotedWords() = default;
  NotedWords(const Notes& notes, std::string_view name);
  /// True if the program has a note of this name.
  bool any() const { return any_; }
  /// Returns the words of the note of this name in a set of notes; empty if the set has no such note.
  std::span<const std::uint64_t> in(NoteSet set) const {
    return set < words_.size() ? words_[set] : std::span<const std::uint64_t>{};
  }

 private:
  bool any_ = false;
  std::vector<std::span<const std::uint64_t>> words_;
};

/// Returns the notes as text, such as "toll=3 block=[2 0x7f00]". Words above 9999 are hexadecimal.
std::string to_string(std::span<const Note> notes);

}  // namespace heddle::isa
