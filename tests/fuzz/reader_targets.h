#pragma once

// Readers of files that users write or Heddle stores, as targets of fuzzing. For any bytes, a reader returns
// a value or throws heddle::Error.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/dice.h"

namespace heddle::fuzz {

struct ReaderTarget {
  const char* name;
  std::vector<std::string> corpus;
  /// returns false if an Error refuses `content`; any other exception is a fault
  bool (*read)(const std::string& content);
  std::string (*made)() = nullptr;
};

const std::vector<ReaderTarget>& reader_targets();

std::vector<std::string> seeds_of(const ReaderTarget& target);
std::vector<std::string> kept_inputs_of(const ReaderTarget& target);

/// Makes one to four random changes: bytes flipped, pieces cut, doubled or replaced by pieces of `other`,
/// numbers replaced.
std::string mutate(std::string text, const std::string& other, Dice& dice);

}  // namespace heddle::fuzz
