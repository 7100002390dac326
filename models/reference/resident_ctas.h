#pragma once

// The resident CTAs of a reference run, and the initial state of their warps. The warps execute in turns.

#include <memory>
#include <vector>

#include "models/reference/warp_state.h"

namespace heddle::reference {

class ResidentCtas {
 public:
  ResidentCtas(const isa::KernelLaunch& launch, const DecodedProgram& decoded)
      : launch_(launch), decoded_(decoded) {}

  std::size_t size() const { return all_.size(); }
  std::uint64_t placed() const { return placed_; }
  const std::vector<std::unique_ptr<CtaState>>& all() const { return all_; }
  /// Start CTAs. add() makes one more CTA resident. place() puts a CTA into the storage of a CTA that has
  /// ended.
  void add(std::uint64_t linear) { place(*all_.emplace_back(std::make_unique<CtaState>()), linear); }
  void place(CtaState& cta, std::uint64_t linear);

 private:
  void start(const CtaState& cta, WarpState& warp) const;

  const isa::KernelLaunch& launch_;
  const DecodedProgram& decoded_;
  std::vector<std::unique_ptr<CtaState>> all_;
  std::uint64_t placed_ = 0;
};

}  // namespace heddle::reference
