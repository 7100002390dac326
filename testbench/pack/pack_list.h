#pragma once

// The list of a pack's files, with the version of the format, and with the size and hash of each file. The
// list is the first file of the archive. The first lines of the list contain a hash of the list itself
// (docs/formats/pack.md).

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::pack {

/// Version of the pack format. Increase it with every change of the contents or their meaning.
inline constexpr int kPackFormat = 1;
/// Name of the file with the list in the archive.
inline constexpr const char* kListName = "pack.json";

struct PackedFile {
  std::string name;  ///< path of the file in the pack, such as "run/result.json"
  std::uint64_t bytes = 0;
  std::string hash;  ///< FNV-1a hash of the file's bytes (launch::hash_of_text)
};

/// The kind of result that a pack holds.
enum class Kind { run, program, experiment };

struct PackList {
  Kind kind = Kind::run;
  std::string result;              ///< path of the result in the pack: a file, or for an experiment a folder
  std::string heddle;              ///< version of Heddle that made the pack
  std::vector<std::string> lacks;  ///< parts of the result that are missing in the pack, one phrase each
  std::vector<PackedFile> files;
};

const char* name_of(Kind kind);

/// Returns a hash over names, sizes and hashes of all files, which identifies the contents.
std::string key_of(const PackList& list);

std::string list_text(const PackList& list);

/// Reads a list. `pack` is the name of the pack for error messages. Throws Error for a list with a wrong
/// hash, of another format, or with a name that is absolute, leads out of the pack, or occurs twice.
PackList read_list(const std::string& text, const std::string& pack);

}  // namespace heddle::pack
