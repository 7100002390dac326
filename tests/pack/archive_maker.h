#pragma once

// Writes archives that `heddle pack` would not write.

#include <string>
#include <vector>

namespace heddle::test {

struct ArchiveMember {
  enum class Kind { file, symbolic_link, hard_link, folder };
  std::string name, text;  ///< text of a link: its target
  Kind kind = Kind::file;
};

/// Returns the bytes of a tar archive with gzip.
std::string archive_of(const std::vector<ArchiveMember>& members);

}  // namespace heddle::test
