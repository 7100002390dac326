#pragma once

// Readers of files that users write, as targets of fuzzing. For any bytes, a reader must return a value or
// throw heddle::Error.

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
};

/// Returns the readers of PTX, launch files, scenarios, technologies and npy files.
const std::vector<ReaderTarget>& reader_targets();

std::string read_corpus(const std::string& path);

/// Returns `text` with one to four random changes: bytes are flipped, pieces are cut, doubled or replaced by
/// pieces of `other`, and numbers are replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
