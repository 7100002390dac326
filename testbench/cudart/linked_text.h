#pragma once

// Links PTX of several files that were compiled to be linked (nvcc -rdc=true) into one text.

#include <string>
#include <vector>

namespace heddle::cudart {

/// Resolves declarations by definitions in other files. A local name gets its file's number as a suffix if an
/// earlier file has the same name. If there are several weak definitions, the first is kept. Only the first
/// file keeps its source lines.
std::string linked_text(const std::vector<std::string>& files);

}  // namespace heddle::cudart
