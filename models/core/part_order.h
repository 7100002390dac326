#pragma once

// Order in which the parts (implementations) of a family must stand in a list of a configuration. The order
// follows from the traits of the parts (PartTraits, models/core/registry.h). Stages of the register file are
// ordered from the operand collectors to the banks, and compiler passes from first to last. Parts to which no
// rule applies are ordered by name.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class PartOrder {
 public:
  /// Computes the order. Throws Error with the names of the types if the rules form a cycle.
  explicit PartOrder(const std::vector<PartInfo>& parts);
  /// Returns the order for the family at this key of the configuration (such as
  /// "gpu.sm.register_file.stages"); empty if there is no such family.
  static PartOrder of_place(const std::string& place);

  const std::vector<std::string>& types() const { return types_; }
  /// Returns the position of a type of part in the order. Throws Error at `where` for an unknown type.
  std::size_t rank(std::string_view type, const std::string& where) const;
  /// Returns true if a rule determines the position of this type of part.
  bool is_placed(std::string_view type) const;

 private:
  std::vector<std::string> types_, placed_;
};

}  // namespace heddle
