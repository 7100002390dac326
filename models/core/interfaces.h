#pragma once

// Record of the headers that an object file was compiled with, so that the loader can refuse incompatible
// plug-ins. If HEDDLE_INTERFACES is defined (find_package(heddle) defines it for plug-ins), the record is a
// note section of the object. The loader compares the note before any code of the object runs.

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
