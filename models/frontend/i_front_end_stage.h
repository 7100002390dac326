#pragma once

// Family "front-end stage". A stage is called before each instruction fetch and may delay the fetch. A stage
// may also keep the contents of metadata instructions, so that these need not be fetched again. For this
// purpose, a stage may attach a 64-bit value to the instructions after the metadata; the instructions carry
// the value to the issue stage.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/isa/program.h"

namespace heddle {

struct Fetch {
  Cycle now = 0;
  WarpId warp{};
  std::uint64_t address = 0;  ///< memory address of the first fetched instruction (isa::Program::address_of)
  unsigned bytes = 0;
  const isa::Program* program = nullptr;
};

/// An instruction of a warp that reaches the decoder, or a metadata instruction that a fetch reaches.
struct DecodePlace {
  Cycle now = 0;
  WarpId warp{};
  std::uint32_t pc = 0;  ///< index of the instruction in the program
  const isa::Program* program = nullptr;
  const isa::Instruction& instruction() const { return program->code[pc]; }
  std::uint64_t address() const { return program->address_of(pc); }
};

/// Bit mask of the functions of the interface that a stage needs. Other functions of the stage are not
/// called.
using FrontEndWants = unsigned;
namespace front_end_wants {
inline constexpr FrontEndWants fetches = 1;  ///< The stage needs allow(), because it may delay fetches.
/// The stage needs holds() for metadata, and decoded() for instructions of a warp whose latch is not empty.
inline constexpr FrontEndWants metadata = 2;
/// Only together with `metadata`: the stage needs decoded() for all instructions.
inline constexpr FrontEndWants instructions = 4;
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

  /// Returns the first cycle in which the fetch may take place. A cycle later than fetch.now delays the
  /// fetches of this warp. The stage is then called again for the same fetch.
  virtual Cycle allow(const Fetch& fetch) = 0;
  /// Returns which functions of this interface the stage needs. Called once, before the first cycle.
  virtual FrontEndWants wants() const { return front_end_wants::fetches; }
  virtual void on_kernel_begin() {}
  /// Lists the probe points (models/core/probe.h) at which observers can watch or replace the stage's
  /// decisions.
  virtual void probes(const ProbeScope&) {}

  // Functions for metadata. Each warp has one 64-bit latch, which becomes empty (0) after every redirect.
  // When an instruction is decoded, the value of its warp's latch is attached to the instruction.

  /// Called once each time a warp's fetch reaches a metadata instruction. Returns true if the stage already
  /// holds the contents of the metadata. The stage may then change the warp's latch. If held metadata is at
  /// the start of a fetch, the metadata is neither fetched nor decoded, and the fetch begins after the
  /// metadata. If held metadata is within a fetch, the metadata is fetched but not decoded.
  virtual bool holds(const DecodePlace&, std::uint64_t& /*latch*/) { return false; }
  /// Called when an instruction of any kind is decoded, in the order of the warp's instructions. The
  /// instruction may be on a wrong path, which is discovered only later. For metadata, instruction().payload
  /// contains the encoded word.
  virtual void decoded(const DecodePlace&, std::uint64_t& /*latch*/) {}
};

}  // namespace heddle
