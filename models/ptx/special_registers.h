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
  bool time = false;       ///< The value is a time, which on real hardware differs from run to run.
  bool placement = false;  ///< The value depends on the SM or slot in which the CTA runs (such as %smid).
};

/// Returns the special register with this name and component, such as "%tid" and "x"; nullopt if there is
/// none.
std::optional<SpecialRegisterInfo> find_special_register(std::string_view name, std::string_view component);

/// Returns the PTX feature (such as "clusters") of a special register that Heddle does not support, otherwise
/// nullptr.
const char* refused_special_register(std::string_view name);

std::string list_special_registers();

}  // namespace heddle::ptx
