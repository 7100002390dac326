#pragma once

// Special registers (PTX ISA 10) by their PTX names.

#include <optional>
#include <string>
#include <string_view>

#include "models/isa/operand.h"

namespace heddle::ptx {

struct SpecialRegisterInfo {
  isa::SpecialRegister id;
  int bits = 32;
  std::uint8_t index = 0;  ///< of %envreg
  bool time = false;       ///< differs from run to run on real hardware
  bool placement = false;  ///< depends on where the CTA runs
};

/// `name` with the percent sign, `component` without the dot. nullopt if Heddle has no such register.
std::optional<SpecialRegisterInfo> find_special_register(std::string_view name, std::string_view component);

/// "clusters" for a special register that exists in PTX but is not supported, else nullptr.
const char* refused_special_register(std::string_view name);

/// All names, for messages.
std::string list_special_registers();

}  // namespace heddle::ptx
