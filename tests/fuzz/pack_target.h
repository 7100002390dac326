#pragma once

// Reads randomly changed packs (one file with a run and its inputs), to test the reader of packs.

#include <string>

namespace heddle::fuzz {

/// Reads `text` in one of three ways, and uses the first way that fits:
/// - as the bytes of an archive;
/// - if the text begins with "{": as the list of a pack, after its hash has been corrected;
/// - otherwise as the members of a pack: the function packs and unpacks these members. Lines "==" separate
///   the members, and the first line of a member is its path in the pack.
bool read_pack(const std::string& text);
std::string pack_seed();

}  // namespace heddle::fuzz
