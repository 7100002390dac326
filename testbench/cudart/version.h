#pragma once

namespace heddle::cudart {

/// CUDART_VERSION of the interface that this library stands for: 11080, 12090, 13000.
int runtime_version();

}  // namespace heddle::cudart
