#pragma once

// Which headers an object was compiled with. Where HEDDLE_INTERFACES is defined (heddle::headers of
// find_package(heddle) does it for plugins), it stands in a note of the object file: whoever loads the object reads it
// there, and compares, before any code of the object runs.

#ifdef HEDDLE_INTERFACES

#include <cstdint>

namespace heddle {
namespace {

struct InterfaceNote {
  std::uint32_t name_bytes = sizeof name, text_bytes = sizeof text, type = 1;
  char name[8] = "Heddle";
  char text[(sizeof HEDDLE_INTERFACES + 3) / 4 * 4] = HEDDLE_INTERFACES;
};
[[gnu::used, gnu::section(".note.heddle")]] alignas(4) constinit const InterfaceNote interface_note{};

}  // namespace
}  // namespace heddle

#endif
