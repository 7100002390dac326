#pragma once

// Interface of the front-end stages. A stage is called before each instruction fetch and may delay it. A
// stage may also keep the contents of metadata instructions, so that they are not fetched again. The stage
// then attaches a 64-bit value to the following instructions, which carry it to the issue stage.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/isa/program.h"

namespace heddle {

struct Fetch {
  Cycle now = 0;
  WarpId warp{};
  std::uint64_t address = 0;
  unsigned bytes = 0;
  const isa::Program* program = nullptr;
};

/// Program position of a decoded instruction, or of metadata that a fetch reaches.
struct DecodePlace {
  Cycle now = 0;
  WarpId warp{};
  std::uint32_t pc = 0;
  const isa::Program* program = nullptr;
  const isa::Instruction& instruction() const { return program->code[pc]; }
  std::uint64_t address() const { return program->address_of(pc); }
};

using FrontEndWants = unsigned;
namespace front_end_wants {
inline constexpr FrontEndWants fetches = 1;  ///< The stage may delay fetches, and needs calls of allow().
/// The stage handles metadata. The front end calls holds() when a fetch reaches a metadata instruction, and
/// decoded() when it decodes one. These functions may set the warp's latch, a 64-bit value. While the latch
/// is not 0, the front end also calls decoded() for all other instructions of the warp.
inline constexpr FrontEndWants metadata = 2;
/// The stage needs calls of decoded() for all instructions. Requires `metadata`.
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

  /// Returns the first cycle in which the fetch may take place. If this cycle is later than fetch.now, the
  /// front end calls allow() again in that cycle.
  virtual Cycle allow(const Fetch& fetch) = 0;
  virtual FrontEndWants wants() const { return front_end_wants::fetches; }
  virtual void on_kernel_begin() {}
  virtual void probes(const ProbeScope&) {}

  // Functions for metadata. Each warp has a 64-bit latch, in which the stage keeps what metadata says about
  // the instructions that follow. Every redirect sets the latch to 0 (empty). Each decoded instruction gets
  // the value of its warp's latch.

  /// Called when a warp's fetch reaches a metadata instruction. Returns true if the stage already holds the
  /// contents of this instruction. The stage may then change `latch` (the warp's latch, see above), and
  /// the metadata is not decoded. Such metadata at the beginning of a fetch is not fetched either.
  virtual bool holds(const DecodePlace&, std::uint64_t& /*latch*/) { return false; }
  /// Called when an instruction of any kind is decoded, in the order of the warp's instructions. The
  /// instruction may be on a wrong path. For metadata, instruction().payload contains the encoded word.
  virtual void decoded(const DecodePlace&, std::uint64_t& /*latch*/) {}
};

}  // namespace heddle
