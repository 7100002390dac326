#pragma once

// Reads the metadata that Triton's compiler writes next to a kernel's PTX (NAME.json, NAME.ptx).

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::launch {

struct TritonMetadata {
  std::string kernel;
  std::uint32_t threads = 0;  ///< threads of a CTA: its warps times the lanes of a warp
  std::uint32_t shared_bytes = 0;
  std::uint32_t ctas = 1;
};

/// Returns nothing if there is no metadata file, or if Triton has not written it (no "num_warps" and
/// "shared").
std::optional<TritonMetadata> triton_metadata(const std::string& ptx_file);

}  // namespace heddle::launch
