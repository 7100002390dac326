#pragma once

namespace heddle::cudart {

/// Returns the CUDART_VERSION of the interface that this library implements: 11080, 12090 or 13000.
int runtime_version();

}  // namespace heddle::cudart
