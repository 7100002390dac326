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

/// Reads the metadata of a PTX file. Returns nothing if there is no JSON file, or if it lacks "num_warps" or
/// "shared", because Triton has then not written the file.
std::optional<TritonMetadata> triton_metadata(const std::string& ptx_file);

}  // namespace heddle::launch
