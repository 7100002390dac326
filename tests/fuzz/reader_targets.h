#pragma once

// Lists the functions that read files, as targets of fuzzing. Users write these files, or Heddle stores them.
// Whatever the bytes of a file are, its reader must return a value or throw heddle::Error.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/dice.h"

namespace heddle::fuzz {

struct ReaderTarget {
  const char* name;
  std::vector<std::string> corpus;
  /// returns false if the reader throws an Error for `content`; any other exception is a fault
  bool (*read)(const std::string& content);
  std::string (*made)() = nullptr;
};

const std::vector<ReaderTarget>& reader_targets();

std::vector<std::string> seeds_of(const ReaderTarget& target);
std::vector<std::string> kept_inputs_of(const ReaderTarget& target);

/// Returns the text with one to four random changes: bytes are flipped, pieces are removed, doubled or
/// replaced by pieces of `other`, or numbers are replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
