#pragma once

// Executes the texture look-ups of the reference run.

#include <array>

#include "models/isa/texture.h"
#include "models/reference/faults.h"
#include "models/reference/sight.h"

namespace heddle::reference {

class TextureLookUps {
 public:
  TextureLookUps(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
                 const ReferenceOptions& options, const Progress& progress, const Sight& sight)
      : decoded_(decoded),
        memory_(memory),
        options_(options),
        faults_(launch),
        progress_(progress),
        sight_(sight) {}

  void execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing);

 private:
  struct TexelReads {
    isa::Footprint footprint;
    std::uint32_t texel_bytes = 0;
  };
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
                     const ExecutedInstruction& instruction) const;

  const DecodedProgram& decoded_;
  MemoryImage& memory_;
  const ReferenceOptions& options_;
  Faults faults_;
  const Progress& progress_;
  const Sight& sight_;
};

}  // namespace heddle::reference
