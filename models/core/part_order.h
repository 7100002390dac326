#pragma once

// Order of the parts of a family in their list, derived from the traits of the parts (PartTraits,
// models/core/registry.h). Stages of the register file are ordered from the collectors to the banks, passes
// from first to last. Parts without a rule are ordered by name.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class PartOrder {
 public:
  /// Throws Error with the names of the types if the rules form a cycle.
  explicit PartOrder(const std::vector<PartInfo>& parts);
  /// Order for the family at this place of the configuration; empty if there is no such family.
  static PartOrder of_place(const std::string& place);

  const std::vector<std::string>& types() const { return types_; }
  /// Returns the position in `types`. Throws Error at `where` for an unknown type.
  std::size_t rank(std::string_view type, const std::string& where) const;
  /// True if a rule of the type, or of another type, determines its position.
  bool is_placed(std::string_view type) const;

 private:
  std::vector<std::string> types_, placed_;
};

}  // namespace heddle
