#pragma once

// The reader of packs, as a target of tests that give it randomly changed packs.

#include <string>

namespace heddle::fuzz {

/// Reads `text` in one of three ways. First, as the bytes of an archive. If this fails and the text begins
/// with "{", as the list of a pack, whose hash is corrected before. Otherwise, as the members of a pack,
/// which are packed and unpacked. Members are separated by lines "=="; the first line of a member is its path
/// in the pack.
bool read_pack(const std::string& text);
std::string pack_seed();

}  // namespace heddle::fuzz
