#pragma once

// Links the PTX of several files into one text. The files were compiled to be linked (nvcc -rdc=true).

#include <string>
#include <vector>

namespace heddle::cudart {

/// Returns the linked text. A declaration is replaced by the definition in another file. If a local name also
/// occurs in an earlier file, the file's number is appended to the name. Of several weak definitions, the
/// first is kept. Only the first file keeps its source lines.
std::string linked_text(const std::vector<std::string>& files);

}  // namespace heddle::cudart
