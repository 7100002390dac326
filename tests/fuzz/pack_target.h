#pragma once

// The reader of packs as a target of mutation.

#include <string>

namespace heddle::fuzz {

/// Reads `text` as the bytes of an archive. If that fails, a text that begins with "{" is read as the list of a pack,
/// with its hash corrected, and any other text as members: files that are packed and unpacked. Members are
/// separated by a line "==". The first line of a member is its path in the pack.
bool read_pack(const std::string& text);
/// Returns the members of a pack with three files.
std::string pack_seed();

}  // namespace heddle::fuzz
