#pragma once

// The readers of files that users write, as targets of mutation: whatever the bytes are, a reader gives a
// value or throws heddle::Error.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/dice.h"

namespace heddle::fuzz {

struct ReaderTarget {
  const char* name;
  std::vector<std::string> corpus;           ///< paths of files that the reader takes
  bool (*read)(const std::string& content);  ///< false: refused by an Error; anything else is a finding
};

/// PTX, launch, scenario, technology, npy.
const std::vector<ReaderTarget>& reader_targets();

std::string read_corpus(const std::string& path);

/// `text` with one to four changes: bytes flipped, pieces cut, doubled, swapped in from `other`, numbers
/// replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
