#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "models/isa/address_map.h"
#include "models/reference/texture_look_ups.h"

namespace heddle::reference {

// Finds the texture and sampler headers of a lane. If the handles equal those of the previous lane, as is
// usual, keeps the headers in `bound`.
void TextureLookUps::bind(const WarpState& warp, const DecodedInstruction& d, int lane,
                          const std::array<std::uint64_t, isa::kMaxSources>& values,
                          BoundTexture& bound) const {
  const isa::TextureAccess& access = d.instruction->texture;
  const std::uint64_t sampler = access.own_sampler ? values[1] : values[0];
  if (bound.any && bound.handles[0] == values[0] && bound.handles[1] == sampler) return;
  const auto header_at = [&](std::uint64_t handle) {
    isa::TextureHeader header;
    const std::uint8_t* bytes = isa::window_of(handle) == isa::Window::constant
                                    ? std::as_const(memory_).find(handle, sizeof header)
                                    : nullptr;
    if (!bytes)
      faults_.fail(warp, d, FaultError::Kind::address, lane,
                   fmt::format("{:#x} is no handle of a texture", handle));
    std::memcpy(&header, bytes, sizeof header);
    return header;
  };
  bound.texture = header_at(values[0]);
  bound.sampler = access.own_sampler ? header_at(sampler) : bound.texture;
  if (const std::string fault = isa::look_up_fault(access, bound.texture, bound.sampler); !fault.empty())
    faults_.fail(warp, d, FaultError::Kind::other, lane, fault);
  bound.handles = {values[0], sampler};
  bound.any = true;
}

std::array<std::uint32_t, 4> TextureLookUps::look_up_lane(
    const WarpState& warp, const DecodedInstruction& d, int lane,
    const std::array<std::uint64_t, isa::kMaxSources>& values, const BoundTexture& bound, TexelReads& reads) {
  const isa::TextureAccess& access = d.instruction->texture;
  const isa::TextureHeader& texture = bound.texture;
  std::array<std::uint32_t, 4> coordinates{};
  const int first = access.own_sampler ? 2 : 1;
  for (int s = first; s < d.num_src; ++s)
    coordinates[static_cast<std::size_t>(s - first)] = static_cast<std::uint32_t>(values[s]);
  reads.footprint =
      isa::footprint_of(access, d.instruction->source_type, texture, bound.sampler, coordinates);
  reads.texel_bytes = texture.texel_bytes;
  const isa::Footprint& footprint = reads.footprint;
  isa::TexelBytes texels;
  for (std::size_t k = 0; k < footprint.count; ++k) {
    if (footprint.at[k] == isa::Footprint::kBorder) continue;
    const std::uint8_t* bytes = memory_.find(footprint.at[k], texture.texel_bytes);
    if (!bytes)
      faults_.fail(warp, d, FaultError::Kind::address, lane,
                   fmt::format("a texel of {} bytes at {:#x} is out of bounds: {}", texture.texel_bytes,
                               footprint.at[k], memory_.explain(footprint.at[k], texture.texel_bytes)));
    std::memcpy(texels[k].data(), bytes, texture.texel_bytes);
  }
  return isa::filtered(access, texture, footprint, texels);
}

// Reports all texels of a look-up to the observer: the first texel of every lane, then the second texel of
// every lane, and so on.
void TextureLookUps::report_texels(LaneMask executing, const std::array<TexelReads, kLanes>& reads,
                                   const ExecutedInstruction& instruction) const {
  std::array<std::uint64_t, kLanes> addresses{};
  for (std::size_t k = 0; k < isa::Footprint::kMost; ++k) {
    std::array<LaneMask, 17> by_bytes{};
    LaneMask reading = 0;
    for (LaneMask left = executing; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      const TexelReads& own = reads[lane];
      if (k >= own.footprint.count || own.footprint.at[k] == isa::Footprint::kBorder) continue;
      addresses[lane] = own.footprint.at[k];
      by_bytes[own.texel_bytes] |= 1u << lane;
      reading |= 1u << lane;
    }
    if (reading == 0) continue;
    for (LaneMask left = ~reading; left != 0; left &= left - 1)
      addresses[static_cast<std::size_t>(std::countr_zero(left))] =
          addresses[static_cast<std::size_t>(std::countr_zero(reading))];
    if (options_.global_accesses) options_.global_accesses->accessed(addresses, false);
    if (!options_.observer) continue;
    for (std::uint32_t bytes = 0; bytes < by_bytes.size(); ++bytes) {
      if (by_bytes[bytes] == 0) continue;
      ExecutedInstruction seen = instruction;
      seen.executing = by_bytes[bytes];
      seen.texel_bytes = bytes;
      options_.observer->accessed(seen, addresses);
    }
  }
}

void TextureLookUps::execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  LaneVec counter[isa::kMaxSources][2];
  SourceWords sources[isa::kMaxSources];
  for (int s = 0; s < d.num_src; ++s)
    sources[s] = words_of(decoded_, warp, d, s, executing, progress_.steps(), counter[s]);
  LaneVec results[4];
  std::array<TexelReads, kLanes> reads;
  BoundTexture bound;
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::array<std::uint64_t, isa::kMaxSources> values{};
    for (int s = 0; s < d.num_src; ++s) values[s] = sources[s].of_lane(lane);
    bind(warp, d, lane, values, bound);
    const std::array<std::uint32_t, 4> components =
        look_up_lane(warp, d, lane, values, bound, reads[static_cast<std::size_t>(lane)]);
    for (std::size_t c = 0; c < 4; ++c) results[c][lane] = components[c];
  }
  if (options_.observer || options_.global_accesses)
    report_texels(executing, reads, sight_.view(warp, d, executing));
  for (int t = 0; t < d.num_dst; ++t) write(warp, d.dst[t], results[t], nullptr, executing);
}

}  // namespace heddle::reference
