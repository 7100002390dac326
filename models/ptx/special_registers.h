#pragma once

// Special registers (PTX ISA 10) by name.

#include <optional>
#include <string>
#include <string_view>

#include "models/isa/operand.h"

namespace heddle::ptx {

struct SpecialRegisterInfo {
  isa::SpecialRegister id;
  int bits = 32;
  std::uint8_t index = 0;  ///< n of %envreg<n>
  bool time = false;       ///< the value differs between runs on real hardware
  bool placement = false;  ///< the value depends on where the CTA runs
};

/// `name` includes the percent sign, `component` excludes the dot. Returns nullopt for unknown registers.
std::optional<SpecialRegisterInfo> find_special_register(std::string_view name, std::string_view component);

/// Returns the name of the feature ("clusters") that an unsupported special register belongs to, otherwise
/// nullptr.
const char* refused_special_register(std::string_view name);

/// Returns all names, for error messages.
std::string list_special_registers();

}  // namespace heddle::ptx
