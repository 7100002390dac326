#pragma once

// Writes archives with members that `heddle pack` itself would not write, for tests of readers.

#include <string>
#include <vector>

namespace heddle::test {

struct ArchiveMember {
  enum class Kind { file, symbolic_link, hard_link, folder };
  std::string name, text;  ///< `text` of a link is the link's target
  Kind kind = Kind::file;
};

/// Returns the bytes of a tar archive compressed with gzip.
std::string archive_of(const std::vector<ArchiveMember>& members);

}  // namespace heddle::test
