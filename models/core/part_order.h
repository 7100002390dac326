#pragma once

// Order in which the items of a configuration list must stand: register-file stages from the operand
// collectors to the banks, compiler passes from first to last. Each registered implementation (part) can have
// ordering rules (PartTraits in models/core/registry.h). Parts without a rule are ordered by name.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class PartOrder {
 public:
  /// Throws Error with the names of the parts if their ordering rules form a cycle (A before B, B before
  /// A).
  explicit PartOrder(const std::vector<PartInfo>& parts);
  /// Returns the order for the list at the configuration key `place`, such as "gpu.sm.register_file.stages".
  /// The order is empty if there is no such list.
  static PartOrder of_place(const std::string& place);

  const std::vector<std::string>& types() const { return types_; }
  /// Returns the position of the part `type` in the order. Throws Error at `where` if there is no such part.
  std::size_t rank(std::string_view type, const std::string& where) const;
  bool is_placed(std::string_view type) const;

 private:
  std::vector<std::string> types_, placed_;
};

}  // namespace heddle
