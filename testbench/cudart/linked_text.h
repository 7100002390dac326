#pragma once

// PTX of several files that were compiled to be linked (nvcc -rdc=true), as one text.

#include <string>
#include <vector>

namespace heddle::cudart {

/// What a linker makes of them: what one file declares is what another defines; names that are a file's own and that an
/// earlier one has, too, get the file's number; of weak definitions the first stays. Lines of sources are those of the first
/// file alone.
std::string linked_text(const std::vector<std::string>& files);

}  // namespace heddle::cudart
