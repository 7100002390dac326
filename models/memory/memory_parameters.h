#pragma once

// Parameters that all memory models have.

#include <cstdint>
#include <string>

#include "models/core/fields.h"
#include "models/core/registry.h"
#include "models/isa/address_map.h"

namespace heddle {

struct BufferParameters {
  std::uint64_t buffer_base = 0;
  std::string buffer_guards = "wide";
  bool wide_guards() const { return buffer_guards == "wide"; }

  void fields(FieldVisitor& v) {
    v.field("buffer_base", buffer_base, {0, static_cast<std::int64_t>(isa::kLocalBacking)},
            "address of the launch file's first buffer, a multiple of 4096 (0: 8589934592 where pointers "
            "have 64 bits, 536870912 "
            "where they have 32); decides how wide the registers are that hold pointers");
    v.field("buffer_guards", buffer_guards, {"wide", "least"},
            "unmapped bytes after a buffer. wide: as many as the buffer has and at least 48 MiB with 64-bit "
            "pointers, so that an index that is wrong by the buffer's size reaches no other buffer. least: 4 "
            "KiB (1 MiB with 32-bit pointers), which keeps pointers narrow");
  }
};

/// Parameters with which a memory model is registered: its own parameters, and the parameters that all memory
/// models have.
template <class Own>
struct MemoryParameters : Own, BufferParameters {
  void fields(FieldVisitor& v) {
    Own::fields(v);
    BufferParameters::fields(v);
  }
};

inline BufferParameters buffer_parameters(const ConfigNode& memory) {
  ConfigNode own = choice_parameters(memory);
  std::erase_if(own.members, [](const auto& member) {
    return member.first != "buffer_base" && member.first != "buffer_guards";
  });
  BufferParameters parameters;
  read_fields(own, parameters);
  return parameters;
}

}  // namespace heddle
