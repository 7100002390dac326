#pragma once

// The reader of packs, as a target of tests that give it randomly changed packs.

#include <string>

namespace heddle::fuzz {

/// Reads `text` in one of three ways, and uses the first way that fits:
/// - as the bytes of an archive;
/// - if the text begins with "{": as the list of a pack, after its hash has been corrected;
/// - otherwise as the members of a pack, which are packed and unpacked. Lines "==" separate the members, and
///   the first line of a member is its path in the pack.
bool read_pack(const std::string& text);
std::string pack_seed();

}  // namespace heddle::fuzz
