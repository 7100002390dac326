#include "models/isa/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "models/core/error.h"

namespace heddle::isa {

NoteSet Notes::with(NoteSet set, Note note) {
  const std::span<const Note> old = of(set);
  std::vector<Note> notes(old.begin(), old.end());
  std::erase_if(notes, [&note](const Note& other) { return other.name == note.name; });
  notes.push_back(std::move(note));
  std::sort(notes.begin(), notes.end());
  return number_of(std::move(notes));
}

NoteSet Notes::intervals_of(NoteSet set) {
  const std::span<const Note> old = of(set);
  std::vector<Note> notes(old.begin(), old.end());
  std::erase_if(notes, [](const Note& note) { return !note.interval; });
  return number_of(std::move(notes));
}

std::span<const Note> Notes::of(NoteSet set) const {
  if (set == 0) return {};
  return sets_.at(set);
}

NoteSet Notes::number_of(std::vector<Note> notes) {
  if (notes.empty()) return 0;
  const auto known = numbers_.find(notes);
  if (known != numbers_.end()) return known->second;
  if (sets_.empty()) sets_.emplace_back();
  constexpr std::size_t kMost = std::numeric_limits<NoteSet>::max();
  if (sets_.size() > kMost)
    throw Error("compiler.passes",
                fmt::format("the notes of a kernel form more than {} different sets", kMost),
                "fewer notes, or a smaller kernel");
  const auto number = static_cast<NoteSet>(sets_.size());
  sets_.push_back(notes);
  numbers_.emplace(std::move(notes), number);
  return number;
}

NotedWords::NotedWords(const Notes& notes, std::string_view name) : words_(notes.sets()) {
  for (std::size_t set = 1; set < words_.size(); ++set)
    for (const Note& note : notes.of(static_cast<NoteSet>(set)))
      if (note.name == name) {
        words_[set] = note.words;
        any_ = true;
      }
}

std::string to_string(std::span<const Note> notes) {
  const auto text = [](std::uint64_t word) {
    return word > 9999 ? fmt::format("{:#x}", word) : fmt::format("{}", word);
  };
  std::string all;
  for (const Note& note : notes) {
    std::string words;
    for (const std::uint64_t word : note.words) words += (words.empty() ? "" : " ") + text(word);
    if (note.words.size() != 1) words = "[" + words + "]";
    all += (all.empty() ? "" : " ") + note.name + "=" + words;
  }
  return all;
}

}  // namespace heddle::isa
