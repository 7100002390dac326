#pragma once

// Rules of PTX state spaces (PTX ISA 9.0, 5.1): which address windows an instruction may read, and which it may
// also write. Timed and untimed execution use these rules.

#include "models/isa/address_map.h"
#include "models/isa/types.h"

namespace heddle::isa {

enum class AccessKind : std::uint8_t { load, store, atomic };

constexpr const char* name_of(AccessKind kind) {
  constexpr const char* kNames[] = {"load", "store", "atomic"};
  return kNames[static_cast<int>(kind)];
}

constexpr const char* name_of(Window window) {
  constexpr const char* kNames[] = {"global", "shared", "local", "parameter", "constant"};
  return kNames[static_cast<int>(window)];
}

constexpr bool reaches(Space space, Window window) {
  switch (space) {
    case Space::generic:
      return true;
    case Space::global:
      return window == Window::global;
    case Space::shared:
      return window == Window::shared;
    case Space::local:
      return window == Window::local;
    case Space::constant:
      return window == Window::constant;
    case Space::param:
      return window == Window::param;
  }
  return false;
}

/// Returns true if an access of the kind `kind` is allowed in the address window. Atomics are allowed only in
/// global and shared memory. Constants and kernel parameters can only be read.
constexpr bool allows(Window window, AccessKind kind) {
  if (kind == AccessKind::load || window == Window::global || window == Window::shared) return true;
  return window == Window::local && kind == AccessKind::store;
}

}  // namespace heddle::isa
