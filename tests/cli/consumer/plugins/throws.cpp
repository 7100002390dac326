#include <stdexcept>

#include "models/core/interfaces.h"

namespace {

struct Throws {
  Throws() { throw std::runtime_error("not today"); }
} throws;

}  // namespace
