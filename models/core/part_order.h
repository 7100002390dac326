#pragma once

// The order in which parts of a family stand in their list, from what their types say of themselves
// (PartTraits, models/core/registry.h): stages of the register file from the collectors down, passes from the first
// to the last. Where nothing is said of two types, their names decide.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class PartOrder {
 public:
  /// Throws Error, naming the types, if each of them would have to stand before the next.
  explicit PartOrder(const std::vector<PartInfo>& parts);
  /// Rules of the family with this place in the configuration; empty if there is none.
  static PartOrder of_place(const std::string& place);

  const std::vector<std::string>& types() const { return types_; }
  /// Position among `types`; throws Error for an unknown type, with `where`.
  std::size_t rank(std::string_view type, const std::string& where) const;
  /// True if the type, or a rule of another type, gives its position.
  bool is_placed(std::string_view type) const;

 private:
  std::vector<std::string> types_, placed_;
};

}  // namespace heddle
