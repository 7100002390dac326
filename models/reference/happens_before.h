#pragma once

// Orders the accesses of a launch. An access happens before another access in three cases:
// - Both accesses are of one warp.
// - A barrier of the CTA lies between the two accesses.
// - The warp of the first access publishes this access, and the warp of the second access acquires it.
//
// A warp publishes its earlier accesses by a fence, followed by an atomic or volatile write to a word.
// Another warp acquires these accesses by a later atomic operation or volatile load at the same word. Between
// CTAs, the fence must have the scope of the GPU.
//
// Each warp has a vector clock over the warps of its CTA. A warp also has clocks of all other CTAs whose
// accesses it has acquired. The order does not depend on the turns in which the reference runs the warps.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/reference/current_launch.h"
#include "models/reference/reference.h"

namespace heddle::reference {

/// Vector clock of one warp, the owner. A warp's barriers and fences divide its execution into epochs. For
/// each warp of the CTA, the clock holds the last epoch whose accesses happen before the owner's next access.
using Clock = std::array<std::uint32_t, 32>;
using ClocksByCta = std::map<std::uint64_t, std::shared_ptr<const Clock>>;

/// Vector clocks of a warp at its last fences. The warp's next atomic or volatile write makes the accesses
/// before these fences visible to other warps.
struct Published {
  std::shared_ptr<const ClocksByCta> in_gpu;  ///< clocks at fences of GPU scope; nullptr: no such fence
  std::shared_ptr<const ClocksByCta> in_cta;  ///< clocks at fences of any scope; nullptr: no fence
};

struct CtaClocks {
  std::uint64_t cta = 0;
  std::vector<Clock> clock;
  std::vector<std::shared_ptr<const ClocksByCta>> acquired;
  std::vector<Published> published;
  std::vector<LaneMask> live;
  struct Arrivals {
    Clock clock{};
    std::uint32_t warps = 0;
    std::shared_ptr<const ClocksByCta> acquired;
    Published published;
  };
  std::map<std::uint32_t, Arrivals> arrived;
  /// number of barriers so far at which all warps of the CTA arrived
  std::uint32_t meetings = 0;
};

class HappensBefore : public Observer {
 public:
  void after(const ExecutedInstruction& e) override;
  void fenced(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

  /// Returns the clocks of the instruction's CTA. If the instruction belongs to a new launch, first removes
  /// all clocks.
  CtaClocks& of(const ExecutedInstruction& e);
  bool runs(std::uint64_t cta) const { return ctas_.count(cta) != 0; }
  /// Number of launches so far. All accesses of a launch happen before all accesses of the next launch.
  std::uint64_t launches() const { return launches_; }
  /// Returns true if an earlier access happens before the next access of warp `warp` in the CTA of `now`. The
  /// earlier access is given by its CTA, warp and epoch.
  static bool is_before(const CtaClocks& now, std::uint32_t warp, std::uint64_t earlier_cta,
                        std::uint32_t earlier_warp, std::uint32_t epoch);
  /// Returns true if a warp of this launch has made accesses visible to other CTAs: by a fence of GPU scope,
  /// followed by an atomic or volatile write.
  bool joins_ctas() const { return joins_ctas_; }
  /// Returns true if more than kMostCtas CTAs have made their accesses visible through one word. The clocks
  /// then do not contain all happens-before relations between CTAs.
  bool was_incomplete() const { return incomplete_; }
  static constexpr std::size_t kMostCtas = 4096;

 private:
  using SharedClocks = std::shared_ptr<const ClocksByCta>;
  void fence(CtaClocks& cta, std::uint32_t warp, isa::Scope scope);
  void publish(const CtaClocks& cta, std::uint32_t warp, std::uint64_t key, bool joins);
  void acquire(CtaClocks& cta, std::uint32_t warp, std::uint64_t key);
  /// Merges the clocks of `other` into `into`, except the clocks of the CTA `without`.
  void join(SharedClocks& into, const SharedClocks& other, std::uint64_t without = ~std::uint64_t{0});

  CurrentLaunch launch_;
  std::uint64_t launches_ = 0;
  bool fences_ = false, joins_ctas_ = false, incomplete_ = false;
  std::unordered_map<std::uint64_t, std::unique_ptr<CtaClocks>> ctas_;
  CtaClocks* last_ = nullptr;
  std::unordered_map<std::uint64_t, Published> words_;
};

/// Returns true for atomics, and for volatile, relaxed and stronger accesses. Two of these accesses do not
/// race.
bool is_ordered(const isa::Instruction& i);

}  // namespace heddle::reference
