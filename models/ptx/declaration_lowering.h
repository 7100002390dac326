#pragma once

// Handles variables that a function body declares: allocates their registers and memory.

#include "models/ptx/parameter_places.h"

namespace heddle::ptx {

class DeclarationLowering {
 public:
  DeclarationLowering(FunctionScope& scope, ParameterPlaces& places) : scope_(scope), places_(places) {}

  void declare(const Variable& v);

 private:
  FunctionScope& scope_;
  ParameterPlaces& places_;
};

}  // namespace heddle::ptx
