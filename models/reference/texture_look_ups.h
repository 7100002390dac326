#pragma once

// Texture look-ups of the reference. Texels are read directly from memory.

#include <array>

#include "models/isa/texture.h"
#include "models/reference/faults.h"

namespace heddle::reference {

class TextureLookUps {
 public:
  TextureLookUps(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
                 const ReferenceOptions& options, const Progress& progress)
      : decoded_(decoded), memory_(memory), options_(options), faults_(launch), progress_(progress) {}

  /// `seen`: description for the observer, or nullptr.
  void execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
               const ExecutedInstruction* seen);

 private:
  /// Texels that a lane reads, and their size.
  struct TexelReads {
    isa::Footprint footprint;
    std::uint32_t texel_bytes = 0;
  };
  /// Headers of the texture and sampler that the handles refer to.
  struct BoundTexture {
    bool any = false;
    std::array<std::uint64_t, 2> handles{};
    isa::TextureHeader texture, sampler;
  };
  void bind(const WarpState& warp, const DecodedInstruction& d, int lane,
            const std::array<std::uint64_t, isa::kMaxSources>& values, BoundTexture& bound) const;
  std::array<std::uint32_t, 4> look_up_lane(const WarpState& warp, const DecodedInstruction& d, int lane,
                                            const std::array<std::uint64_t, isa::kMaxSources>& values,
                                            const BoundTexture& bound, TexelReads& reads);
  void report_texels(LaneMask executing, const std::array<TexelReads, kLanes>& reads,
                     const ExecutedInstruction* instruction) const;

  const DecodedProgram& decoded_;
  MemoryImage& memory_;
  const ReferenceOptions& options_;
  Faults faults_;
  const Progress& progress_;
};

}  // namespace heddle::reference
