#pragma once

// Readers of files that users write or Heddle stores, as targets of fuzzing. For any bytes, a reader must return
// a value or throw heddle::Error.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/dice.h"

namespace heddle::fuzz {

struct ReaderTarget {
  const char* name;
  std::vector<std::string> corpus;  ///< paths of valid files for this reader
  /// reads `content`; returns false if it is refused by an Error; any other exception is a fault
  bool (*read)(const std::string& content);
  std::string (*made)() = nullptr;  ///< returns a file as Heddle writes it; nullptr: the corpus has all files
};

/// Returns the readers, one of each format.
const std::vector<ReaderTarget>& reader_targets();

/// Returns the contents of the corpus, and the file that Heddle writes.
std::vector<std::string> seeds_of(const ReaderTarget& target);
/// Returns the contents of the inputs that reached new code and were kept: tests/fuzz/inputs/NAME, sorted by name.
std::vector<std::string> kept_inputs_of(const ReaderTarget& target);

/// Returns `text` with one to four random changes: bytes are flipped, pieces are cut, doubled or replaced by
/// pieces of `other`, and numbers are replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
