#pragma once

// The metadata that Triton's compiler leaves beside the PTX of a kernel (NAME.ptx, NAME.json).

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::launch {

struct TritonMetadata {
  std::string kernel;         ///< mangled name; may be empty
  std::uint32_t threads = 0;  ///< of a CTA: warps of so many lanes
  std::uint32_t shared_bytes = 0;
  std::uint32_t ctas = 1;  ///< of a cluster
};

/// Of the file beside `ptx_file`; nullopt if there is none, or if it is not Triton's (no "num_warps" and "shared").
std::optional<TritonMetadata> triton_metadata(const std::string& ptx_file);

}  // namespace heddle::launch
