#pragma once

// Record of the headers with which an object file was compiled. The loader of plug-ins compares this record
// and refuses incompatible plug-ins. If HEDDLE_INTERFACES is defined, which find_package(heddle) does for
// plug-ins, the record becomes a note section of the object file. The loader reads the note before any code
// of the object file runs.

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
