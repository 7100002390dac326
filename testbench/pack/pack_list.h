#pragma once

// The list of a pack's files. It states the version of the format, and the size and hash of each file. The
// list is the first file of the archive. The list itself begins with a hash of its other lines
// (docs/formats/pack.md).

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::pack {

/// Increase this number with every change of a pack's contents or their meaning.
inline constexpr int kPackFormat = 1;
inline constexpr const char* kListName = "pack.json";

struct PackedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string hash;  ///< FNV-1a hash of the file's bytes (launch::hash_of_text)
};

enum class Kind { run, program, experiment };

struct PackList {
  Kind kind = Kind::run;
  std::string result;  ///< path of the result in the pack: a file, or an experiment's folder
  std::string heddle;
  std::vector<std::string> lacks;  ///< for each thing that the pack does not contain, a phrase that names it
  std::vector<PackedFile> files;
};

const char* name_of(Kind kind);

std::string key_of(const PackList& list);

std::string list_text(const PackList& list);

/// Reads the list of a pack. Throws Error for a wrong hash, another format, and a file name that is absolute,
/// leads out of the pack, or occurs twice. `pack`: name of the pack for messages.
PackList read_list(const std::string& text, const std::string& pack);

}  // namespace heddle::pack
