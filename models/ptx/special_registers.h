#pragma once

// Finds special registers such as %tid.x by name (PTX ISA 10).

#include <optional>
#include <string>
#include <string_view>

#include "models/isa/operand.h"

namespace heddle::ptx {

struct SpecialRegisterInfo {
  isa::SpecialRegister id;
  int bits = 32;
  std::uint8_t index = 0;
  bool time = false;       ///< The value is a time, which differs between runs on real hardware.
  bool placement = false;  ///< The value depends on where the CTA runs (such as %smid).
};

/// Returns the special register `name` (with the percent sign) with `component` (without the dot), or
/// nullopt.
std::optional<SpecialRegisterInfo> find_special_register(std::string_view name, std::string_view component);

/// Returns the PTX feature (such as "clusters") of an unsupported special register, otherwise nullptr.
const char* refused_special_register(std::string_view name);

std::string list_special_registers();

}  // namespace heddle::ptx
