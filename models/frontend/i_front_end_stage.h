#pragma once

// Family "front-end stage": is called before each fetch and may delay it. A stage may also store the contents
// of metadata instructions, so that these need not be fetched again. It may attach 64 bits to the
// instructions that follow, which carry them to issue.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/isa/program.h"

namespace heddle {

struct Fetch {
  Cycle now = 0;
  WarpId warp{};
  std::uint64_t address = 0;  ///< isa::Program::address_of the first instruction
  unsigned bytes = 0;
  const isa::Program* program = nullptr;
};

/// An instruction of a warp at the decoder, or metadata that a fetch reaches.
struct DecodePlace {
  Cycle now = 0;
  WarpId warp{};
  std::uint32_t pc = 0;  ///< index of the instruction
  const isa::Program* program = nullptr;
  const isa::Instruction& instruction() const { return program->code[pc]; }
  std::uint64_t address() const { return program->address_of(pc); }
};

/// Functions of the interface that a stage needs; the others are not called.
using FrontEndWants = unsigned;
namespace front_end_wants {
inline constexpr FrontEndWants fetches = 1;       ///< allow() may return a later cycle than fetch.now
inline constexpr FrontEndWants metadata = 2;      ///< holds(), and decoded() if the latch is not empty
inline constexpr FrontEndWants instructions = 4;  ///< in addition to metadata: decoded() for all instructions
}  // namespace front_end_wants

class FrontEndStage {
 public:
  struct Context {
    StatsScope stats;
    int max_warps = 48;
  };
  static constexpr const char* kFamily = "front-end stage";
  static constexpr const char* kPlace = "gpu.sm.front_end.stages";
  virtual ~FrontEndStage() = default;

  /// Returns the first cycle in which the fetch may be made. A later cycle than fetch.now delays this warp,
  /// and the stage is called again.
  virtual Cycle allow(const Fetch& fetch) = 0;
  /// Returns the functions of this interface that the stage needs; called once.
  virtual FrontEndWants wants() const { return front_end_wants::fetches; }
  virtual void on_kernel_begin() {}
  /// Lists the probe points of the stage's decisions (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}

  // Metadata functions. Each warp has one latch, which is empty (0) after every redirect. The value of the
  // latch when an instruction is decoded is attached to this instruction.

  /// Called once for each time that a warp's fetch reaches a metadata instruction. Returns true if the stage
  /// holds the contents of the metadata; the stage may then set the latch. Metadata at the start of a fetch
  /// is then neither fetched nor decoded, and the fetch begins after it. Within a fetch it is fetched but not
  /// decoded.
  virtual bool holds(const DecodePlace&, std::uint64_t& /*latch*/) { return false; }
  /// Called when an instruction of any kind is decoded, in the warp's order. The instruction may be on a
  /// wrong path, which is known only later. For metadata, instruction().payload is its contents.
  virtual void decoded(const DecodePlace&, std::uint64_t& /*latch*/) {}
};

}  // namespace heddle
