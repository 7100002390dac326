#pragma once

// The list of a pack: the pack's key and version, and size and hash of each file. It is the first file of the
// archive, and its own hash stands in its first lines (docs/formats/pack.md).

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::pack {

/// Version of packs. Increase it with every change of their contents or meaning.
inline constexpr int kPackFormat = 1;
/// Name of the list in the archive.
inline constexpr const char* kListName = "pack.json";

struct PackedFile {
  std::string name;  ///< path in the pack, such as "run/result.json"
  std::uint64_t bytes = 0;
  std::string hash;  ///< FNV-1a hash of the file's bytes (launch::hash_of_text)
};

/// The kinds of results that a pack holds.
enum class Kind { run, program, experiment };

struct PackList {
  Kind kind = Kind::run;
  std::string result;              ///< path of the result in the pack: a file, or an experiment's folder
  std::string heddle;              ///< version of the program that made the pack
  std::vector<std::string> lacks;  ///< parts of the result that the pack does not hold, one phrase each
  std::vector<PackedFile> files;
};

const char* name_of(Kind kind);

/// Returns the hash that identifies the contents: over names, sizes and hashes of all files.
std::string key_of(const PackList& list);

std::string list_text(const PackList& list);

/// Reads a list. `pack` is the name of the pack for errors. Throws Error for a list with a wrong seal or key,
/// of another format, with a name that is absolute or leaves the pack, or with a name that occurs twice.
PackList read_list(const std::string& text, const std::string& pack);

}  // namespace heddle::pack
