#pragma once

// Links PTX of several files that were compiled to be linked (nvcc -rdc=true) into one text.

#include <string>
#include <vector>

namespace heddle::cudart {

/// Returns the linked text. A declaration in one file refers to the definition in another. A file's local
/// name gets the file's number as a suffix if an earlier file has the same name. Of several weak definitions,
/// the first is kept. Only the first file keeps its source lines.
std::string linked_text(const std::vector<std::string>& files);

}  // namespace heddle::cudart
