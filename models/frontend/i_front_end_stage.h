#pragma once

// Family "front-end stage": sees every fetch before it happens and may hold it back; may keep what metadata
// instructions said, so that they need not be fetched again; and attaches 64 bits to the instructions that
// follow, which carry them to issue. Plain C++.

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

/// One instruction of a warp at the decoder, or metadata that a fetch comes to.
struct DecodePlace {
  Cycle now = 0;
  WarpId warp{};
  std::uint32_t pc = 0;  ///< index of the instruction
  const isa::Program* program = nullptr;
  const isa::Instruction& instruction() const { return program->code[pc]; }
  std::uint64_t address() const { return program->address_of(pc); }
};

/// What has to reach a front-end stage; the rest costs nothing.
using FrontEndWants = unsigned;
namespace front_end_wants {
inline constexpr FrontEndWants fetches = 1;       ///< allow() may say another cycle than fetch.now
inline constexpr FrontEndWants metadata = 2;      ///< holds(), and decoded() where the latch is not empty
inline constexpr FrontEndWants instructions = 4;  ///< with metadata: decoded() of all instructions
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

  /// First cycle in which the fetch may be made: fetch.now, or a later cycle that delays this warp (then the
  /// stage is called again).
  virtual Cycle allow(const Fetch& fetch) = 0;
  /// Functions of this interface that the stage needs; called once.
  virtual FrontEndWants wants() const { return front_end_wants::fetches; }
  virtual void on_kernel_begin() {}
  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}

  // Metadata. There is one latch a warp, empty (0) after every redirect. What it holds when an instruction is
  // decoded is attached to that instruction.

  /// Called when fetch reaches a metadata instruction. Returns true if the stage holds its contents (and may
  /// put them into the latch). At the start of a fetch the metadata is then neither fetched nor decoded, and
  /// the fetch begins after it; within a fetch it is fetched but not decoded. Called once for each time that
  /// the warp reaches it.
  virtual bool holds(const DecodePlace&, std::uint64_t& /*latch*/) { return false; }
  /// An instruction of any kind has been decoded, in the warp's order; that it was fetched in vain (a branch
  /// went elsewhere) shows later only. For metadata, instruction().payload is what it says.
  virtual void decoded(const DecodePlace&, std::uint64_t& /*latch*/) {}
};

}  // namespace heddle
