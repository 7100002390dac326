#pragma once

// Each object file gets a note section with the list of headers with which it was compiled. The note exists if
// HEDDLE_INTERFACES is defined, as in plug-ins that use find_package(heddle). The loader reads the note before
// any code of a plug-in runs, and refuses incompatible plug-ins.

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
