#include "models/core/part_arrays.h"

namespace heddle {

DeclaredArrays& declared_arrays() {
  static DeclaredArrays arrays;
  return arrays;
}

}  // namespace heddle
