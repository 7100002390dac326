#pragma once

// Reads from an ELF file which shared libraries a program needs.

#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

/// Shared libraries that a 64-bit ELF file needs. Empty for other files, such as scripts.
struct ElfNeeds {
  std::vector<std::string> libraries;
  bool has_fat_binary = false;  ///< True: the file contains device code.
};
std::optional<ElfNeeds> read_elf_needs(const std::string& file);

}  // namespace heddle::program
