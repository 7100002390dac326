#include "testbench/launch/textures.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

constexpr std::int64_t kMostTexels = std::int64_t{1}
                                     << 27;  // CUDA's limit of texels in a row of a texture in linear memory
constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;

std::uint32_t extent(const Expression& e, const Scope& scope, std::int64_t most) {
  return static_cast<std::uint32_t>(e.evaluate(scope, 1, most));
}

void set_border(const TextureSpec& spec, const Scope& scope, isa::TextureHeader& header) {
  if (isa::gives_float(spec.type)) header.border = {};
  for (std::size_t c = 0; c < spec.border.size(); ++c) {
    const Expression& value = spec.border[c];
    header.border[c] = isa::gives_float(spec.type)
                           ? std::bit_cast<std::uint32_t>(static_cast<float>(value.evaluate_real(scope)))
                           : static_cast<std::uint32_t>(value.evaluate_bits(scope, ElementType::s32));
  }
}

void set_layout(const TextureSpec& spec, const Scope& scope, isa::TextureHeader& header) {
  constexpr std::int64_t kMostRows = 1 << 16;  // CUDA's largest number of rows of a texture in linear memory
  header.width = extent(spec.extents[0], scope, kMostTexels);
  if (spec.extents.size() > 1) header.height = extent(spec.extents[1], scope, kMostRows);
  if (spec.extents.size() > 2) header.depth = extent(spec.extents[2], scope, kMostRows);
  if (spec.shape == isa::TextureShape::cube || spec.shape == isa::TextureShape::acube)
    header.height = header.width;
  if (spec.layers) header.layers = extent(*spec.layers, scope, kMostRows);
  if (spec.pitch_bytes) header.row_bytes = extent(*spec.pitch_bytes, scope, kMostBytes);
  if (spec.slice_rows) header.slice_rows = extent(*spec.slice_rows, scope, kMostBytes);
  isa::complete(header, spec.shape);
  if (header.row_bytes < header.width_bytes || header.row_bytes % header.texel_bytes != 0)
    throw Error(spec.where,
                fmt::format("a pitch of {} bytes for rows of {} bytes", header.row_bytes, header.width_bytes),
                fmt::format("{} and more, a multiple of {}", header.width_bytes, header.texel_bytes));
  if (header.slice_rows < header.height)
    throw Error(spec.where, fmt::format("slices of {} rows, {} apart", header.height, header.slice_rows),
                fmt::format("{} and more", header.height));
}

}  // namespace

isa::TextureHeader make_header(const TextureSpec& spec, const Scope& scope, std::uint64_t address,
                               std::uint64_t bytes) {
  isa::TextureHeader header;
  header.kind = spec.kind;
  header.type = spec.type;
  header.order = spec.order;
  header.normalized = spec.normalized ? 1 : 0;
  header.force_unnormalized = spec.normalized ? 0 : 1;
  header.filter = spec.filter;
  header.address = spec.address;
  if (spec.kind == isa::HeaderKind::sampler) return header;
  set_border(spec, scope, header);
  set_layout(spec, scope, header);
  const auto offset =
      static_cast<std::uint64_t>(spec.offset_bytes.evaluate(scope, 0, static_cast<std::int64_t>(bytes)));
  header.base = address + offset;
  if (isa::extent_bytes(header) > bytes - offset)
    throw Error(spec.where,
                fmt::format("{} bytes of \"{}\" from byte {} of the buffer \"{}\", which has {}",
                            isa::extent_bytes(header), spec.name, offset, spec.buffer, bytes),
                fmt::format("up to {} bytes", bytes - offset));
  if (header.base % header.texel_bytes != 0)
    throw Error(spec.where,
                fmt::format("texels of {} bytes at byte {} of the buffer", header.texel_bytes, offset),
                fmt::format("a multiple of {}", header.texel_bytes));
  if (spec.filter == isa::FilterMode::linear && !isa::gives_float(spec.type))
    throw Error(spec.where, "a linear filter over integers",
                "\"read\": \"normalized\" of 8 or 16 bits, f16, f32; or \"filter\": \"point\"");
  return header;
}

std::vector<std::uint8_t> bytes_of(const isa::TextureHeader& header) {
  std::vector<std::uint8_t> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace heddle::launch
