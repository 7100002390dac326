#include "models/isa/types.h"

namespace heddle::isa {

const char* name_of(DataType t) {
  switch (t) {
    case DataType::none:
      return "none";
    case DataType::pred:
      return "pred";
    case DataType::b8:
      return "b8";
    case DataType::b16:
      return "b16";
    case DataType::b32:
      return "b32";
    case DataType::b64:
      return "b64";
    case DataType::u8:
      return "u8";
    case DataType::u16:
      return "u16";
    case DataType::u32:
      return "u32";
    case DataType::u64:
      return "u64";
    case DataType::s8:
      return "s8";
    case DataType::s16:
      return "s16";
    case DataType::s32:
      return "s32";
    case DataType::s64:
      return "s64";
    case DataType::f32:
      return "f32";
    case DataType::f64:
      return "f64";
    case DataType::f16:
      return "f16";
    case DataType::bf16:
      return "bf16";
    case DataType::f16x2:
      return "f16x2";
    case DataType::bf16x2:
      return "bf16x2";
    case DataType::u16x2:
      return "u16x2";
    case DataType::s16x2:
      return "s16x2";
    case DataType::tf32:
      return "tf32";
    case DataType::e4m3:
      return "e4m3";
    case DataType::e5m2:
      return "e5m2";
    case DataType::e4m3x2:
      return "e4m3x2";
    case DataType::e5m2x2:
      return "e5m2x2";
    case DataType::s4:
      return "s4";
    case DataType::u4:
      return "u4";
    case DataType::b1:
      return "b1";
  }
  return "?";
}

const char* name_of(Space s) {
  switch (s) {
    case Space::generic:
      return "generic";
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "const";
    case Space::param:
      return "param";
  }
  return "?";
}

const char* name_of(TextureShape s) {
  constexpr const char* kNames[] = {"none", "1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};
  return kNames[static_cast<int>(s)];
}

}  // namespace heddle::isa
