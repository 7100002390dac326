#pragma once

// Readers of files that users write, as targets of mutation. For any bytes a reader returns a value or throws
// heddle::Error.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/dice.h"

namespace heddle::fuzz {

struct ReaderTarget {
  const char* name;
  std::vector<std::string> corpus;           ///< paths of files that the reader takes
  bool (*read)(const std::string& content);  ///< false: refused by an Error; any other exception is a finding
};

/// Returns the readers of PTX, launch files, scenarios, technologies and npy files.
const std::vector<ReaderTarget>& reader_targets();

std::string read_corpus(const std::string& path);

/// Returns `text` with one to four changes: bytes flipped, pieces cut, doubled or replaced by pieces of
/// `other`, numbers replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
