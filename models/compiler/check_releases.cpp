#include "models/compiler/check_releases.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/compiler/analyses/use_def.h"
#include "models/isa/release_flags.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::ReleaseWord;

class BlockReleases {
 public:
  BlockReleases(const isa::Program& program, const WarpLiveSets& live) : program_(program), live_(live) {}

  std::optional<ReleaseFault> run(const BasicBlock& block) {
    for (std::uint32_t n = block.first; n < block.end && !fault_; ++n) {
      const Instruction& i = program_.code[n];
      if (i.metadata)
        receive(n, i);
      else
        issue(n, i);
    }
    if (!fault_ && latch_.flags() != 0) fail(block.end - 1, "release flags reach beyond the basic block");
    if (!fault_ && latch_.lists() != 0) fail(block.end - 1, "a list of releases ends the basic block");
    return fault_;
  }

 private:
  void fail(std::size_t n, std::string what) {
    if (!fault_) fault_ = ReleaseFault{n, std::move(what)};
  }

  void receive(std::size_t n, const Instruction& i) {
    const ReleaseWord kind = isa::release_word(i);
    if (kind == ReleaseWord::none) return;
    if (kind == ReleaseWord::pir) {
      latch_.receive_pir(isa::release_field(i.payload));
      return;
    }
    latch_.receive_pbr();
    for (const std::uint32_t r : isa::listed_registers(kind, i.payload)) {
      if (r >= program_.registers)
        fail(n, fmt::format("register {} of {} is released", r, program_.registers));
      else if (r < program_.exempt_registers)
        fail(n, fmt::format("register {} is released, and is one of {} that are exempt", r,
                            program_.exempt_registers));
      else if (live_.word_before(n, r))
        fail(n, fmt::format("register {} is released, but a lane may still read it", r));
    }
  }

  void issue(std::size_t n, const Instruction& i) {
    isa::for_each_released_word(i, latch_.flags(), [&](std::uint32_t w) {
      bool written = false;
      for_each_written_word(i, [&](std::uint32_t d) { written = written || d == w; });
      if (w < program_.exempt_registers)
        fail(n, fmt::format("register {} is released, and is one of {} that are exempt", w,
                            program_.exempt_registers));
      else if (written)
        fail(n, fmt::format("register {} is released by the instruction that writes it", w));
      else if (!live_.dies_at(program_, n, w))
        fail(n, fmt::format("register {} is released, but a lane may still read it", w));
    });
    const int groups = isa::release_groups(i);
    for (int s = isa::register_sources(i); s < groups * isa::kReleaseGroupBits; ++s)
      if (latch_.flags() & isa::release_bit(s)) fail(n, fmt::format("a release flag of source {}", s));
    latch_.pass(i);
  }

  const isa::Program& program_;
  const WarpLiveSets& live_;
  isa::ReleaseLatch latch_;
  std::optional<ReleaseFault> fault_;
};

}  // namespace

bool uses_releases(const isa::Program& program) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [](const Instruction& i) { return isa::release_word(i) != ReleaseWord::none; });
}

std::optional<ReleaseFault> find_release_fault(const isa::Program& program, const ControlFlow& flow,
                                               const WarpLiveSets& live) {
  for (const BasicBlock& block : flow.blocks())
    if (auto fault = BlockReleases(program, live).run(block)) return fault;
  return std::nullopt;
}

}  // namespace heddle::compiler
