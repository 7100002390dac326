#pragma once

// What a program asks the loader for.

#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

/// The names of the shared libraries that an ELF file of 64 bits needs; none for a file that is no such file, such as a
/// script.
struct ElfNeeds {
  std::vector<std::string> libraries;
  bool has_fat_binary = false;  ///< device code stands in it
};
std::optional<ElfNeeds> read_elf_needs(const std::string& file);

}  // namespace heddle::program
