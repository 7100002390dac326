#include "tests/on_gpu/gpu_textures.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::on_gpu {

namespace {

using isa::ChannelType;
using isa::TextureShape;

CUarray_format format_of(ChannelType type) {
  switch (type) {
    case ChannelType::snorm8:
    case ChannelType::s8:
      return CU_AD_FORMAT_SIGNED_INT8;
    case ChannelType::snorm16:
    case ChannelType::s16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case ChannelType::unorm8:
    case ChannelType::u8:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case ChannelType::unorm16:
    case ChannelType::u16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case ChannelType::s32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case ChannelType::u32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case ChannelType::f16:
      return CU_AD_FORMAT_HALF;
    case ChannelType::f32:
      break;
  }
  return CU_AD_FORMAT_FLOAT;
}

CUaddress_mode mode_of(isa::AddressMode mode) {
  switch (mode) {
    case isa::AddressMode::wrap:
      return CU_TR_ADDRESS_MODE_WRAP;
    case isa::AddressMode::mirror:
      return CU_TR_ADDRESS_MODE_MIRROR;
    case isa::AddressMode::clamp_to_border:
      return CU_TR_ADDRESS_MODE_BORDER;
    case isa::AddressMode::clamp_ogl:
    case isa::AddressMode::clamp_to_edge:
      break;
  }
  return CU_TR_ADDRESS_MODE_CLAMP;
}

CUfilter_mode filter_of(const isa::TextureHeader& header) {
  return header.filter == isa::FilterMode::linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
}

unsigned flags_of(const isa::TextureHeader& header) {
  return (header.normalized ? unsigned{CU_TRSF_NORMALIZED_COORDINATES} : 0u) |
         (isa::gives_float(header.type) ? 0u : unsigned{CU_TRSF_READ_AS_INTEGER});
}

CUDA_ARRAY3D_DESCRIPTOR description_of(const isa::TextureHeader& header) {
  const auto shape = static_cast<TextureShape>(header.shape);
  const bool cube = shape == TextureShape::cube || shape == TextureShape::acube;
  const bool flat = shape == TextureShape::d1 || shape == TextureShape::a1d;
  CUDA_ARRAY3D_DESCRIPTOR description{};
  description.Width = header.width;
  description.Height = flat ? 0 : header.height;
  description.Depth = shape == TextureShape::d1 || shape == TextureShape::d2 ? 0 : header.slices;
  description.Format = format_of(header.type);
  description.NumChannels = isa::channels_of(header.order);
  description.Flags = (header.kind == isa::HeaderKind::surface ? unsigned{CUDA_ARRAY3D_SURFACE_LDST} : 0u) |
                      (isa::has_layers(shape) ? unsigned{CUDA_ARRAY3D_LAYERED} : 0u) |
                      (cube ? unsigned{CUDA_ARRAY3D_CUBEMAP} : 0u);
  return description;
}

CUDA_MEMCPY3D copy_of(const isa::TextureHeader& header) {
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = header.width_bytes;
  copy.Height = header.height;
  copy.Depth = header.slices;
  return copy;
}

}  // namespace

CUarray GpuTextures::array_of(const isa::TextureHeader& header, const MemoryImage& memory) {
  const std::uint8_t* const texels = memory.find(header.base, isa::extent_bytes(header));
  if (!texels) throw GpuError("a texture's texels are not in memory");
  const CUDA_ARRAY3D_DESCRIPTOR description = description_of(header);
  CUarray array = nullptr;
  HEDDLE_GPU_CALL(gpu_, cuArray3DCreate, &array, &description);
  CUDA_MEMCPY3D copy = copy_of(header);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels;
  copy.srcPitch = header.row_bytes;
  copy.srcHeight = header.slice_rows;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  HEDDLE_GPU_CALL(gpu_, cuMemcpy3D, static_cast<const CUDA_MEMCPY3D*>(&copy));
  return array;
}

std::optional<std::uint64_t> GpuTextures::object_of(const isa::TextureHeader& header,
                                                    const MemoryImage& memory, CUdeviceptr linear) {
  if (header.kind != isa::HeaderKind::texture && header.kind != isa::HeaderKind::surface) return std::nullopt;
  made_.push_back({header, linear ? nullptr : array_of(header, memory)});
  Made& made = made_.back();
  CUDA_RESOURCE_DESC resource{};
  if (linear) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {linear, format_of(header.type), isa::channels_of(header.order),
                           header.width_bytes};
  } else {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = made.array;
  }
  if (header.kind == isa::HeaderKind::surface) {
    HEDDLE_GPU_CALL(gpu_, cuSurfObjectCreate, &made.surface,
                    static_cast<const CUDA_RESOURCE_DESC*>(&resource));
    return made.surface;
  }
  CUDA_TEXTURE_DESC description{};
  // The GPU also uses the address modes of axes that the texture shape does not have. Set the modes of these
  // axes to clamp.
  for (std::size_t i = 0; i < 3; ++i) {
    const bool has = static_cast<int>(i) < isa::coordinates_of(static_cast<TextureShape>(header.shape));
    description.addressMode[i] = has ? mode_of(header.address[i]) : CU_TR_ADDRESS_MODE_CLAMP;
  }
  description.filterMode = filter_of(header);
  description.flags = flags_of(header);
  for (std::size_t c = 0; c < 4; ++c) description.borderColor[c] = std::bit_cast<float>(header.border[c]);
  HEDDLE_GPU_CALL(gpu_, cuTexObjectCreate, &made.texture, static_cast<const CUDA_RESOURCE_DESC*>(&resource),
                  static_cast<const CUDA_TEXTURE_DESC*>(&description),
                  static_cast<const CUDA_RESOURCE_VIEW_DESC*>(nullptr));
  return made.texture;
}

bool GpuTextures::add_reference(CUmodule module, const isa::ModuleVariable& variable) {
  CUtexref reference = nullptr;
  if (!gpu_.cuModuleGetTexRef ||
      gpu_.cuModuleGetTexRef(&reference, module, variable.name.c_str()) != CUDA_SUCCESS)
    return false;
  references_.push_back({reference, variable.name});
  return true;
}

void GpuTextures::send_references(const MemoryImage& memory,
                                  const std::function<CUdeviceptr(const isa::TextureHeader&)>& linear) {
  for (const Reference& reference : references_) {
    const MemoryImage::Allocation* const variable = memory.find_by_name(reference.name);
    isa::TextureHeader header;
    if (!variable || variable->bytes < sizeof header) continue;
    std::memcpy(&header, variable->data.data(), sizeof header);
    if (header.kind != isa::HeaderKind::texture) continue;
    const CUtexref to = reference.reference;
    if (const CUdeviceptr place = linear(header)) {
      std::size_t offset = 0;
      HEDDLE_GPU_CALL(gpu_, cuTexRefSetFormat, to, format_of(header.type),
                      static_cast<int>(isa::channels_of(header.order)));
      HEDDLE_GPU_CALL(gpu_, cuTexRefSetAddress, &offset, to, place, std::size_t{header.width_bytes});
    } else {
      made_.push_back({header, array_of(header, memory)});
      HEDDLE_GPU_CALL(gpu_, cuTexRefSetArray, to, made_.back().array, unsigned{CU_TRSA_OVERRIDE_FORMAT});
    }
    for (int i = 0; i < 3; ++i)
      HEDDLE_GPU_CALL(gpu_, cuTexRefSetAddressMode, to, i,
                      mode_of(header.address[static_cast<std::size_t>(i)]));
    HEDDLE_GPU_CALL(gpu_, cuTexRefSetFilterMode, to, filter_of(header));
    HEDDLE_GPU_CALL(gpu_, cuTexRefSetFlags, to, flags_of(header));
  }
}

void GpuTextures::fetch(MemoryImage& memory) {
  for (const Made& made : made_) {
    if (!made.surface) continue;
    CUDA_MEMCPY3D copy = copy_of(made.header);
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = made.array;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = memory.at(made.header.base, isa::extent_bytes(made.header), "a surface");
    copy.dstPitch = made.header.row_bytes;
    copy.dstHeight = made.header.slice_rows;
    HEDDLE_GPU_CALL(gpu_, cuMemcpy3D, static_cast<const CUDA_MEMCPY3D*>(&copy));
  }
  release();
}

void GpuTextures::release() {
  for (const Made& made : made_) {
    if (made.texture) gpu_.cuTexObjectDestroy(made.texture);
    if (made.surface) gpu_.cuSurfObjectDestroy(made.surface);
    if (made.array) gpu_.cuArrayDestroy(made.array);
  }
  made_.clear();
}

}  // namespace heddle::on_gpu
