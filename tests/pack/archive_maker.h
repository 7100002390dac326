#pragma once

// Writes faulty archives, with members that `heddle pack` would not write.

#include <string>
#include <vector>

namespace heddle::test {

struct ArchiveMember {
  enum class Kind { file, symbolic_link, hard_link, folder };
  std::string name, text;
  Kind kind = Kind::file;
};

std::string archive_of(const std::vector<ArchiveMember>& members);

}  // namespace heddle::test
