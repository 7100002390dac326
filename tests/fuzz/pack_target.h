#pragma once

// The reader of packs, for tests that give it changed packs.

#include <string>

namespace heddle::fuzz {

/// Reads `text` as the bytes of an archive. If that fails, a text that begins with "{" is read as the list of
/// a pack, with a corrected hash. Any other text gives the members of a pack, which is packed and unpacked.
/// Members are separated by a line "==". The first line of a member is its path in the pack.
bool read_pack(const std::string& text);
std::string pack_seed();

}  // namespace heddle::fuzz
