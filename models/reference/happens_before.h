#pragma once

// Orders the accesses of a launch. An access happens before another one if both are of one warp, if a barrier
// of the CTA lies between, or if the first warp publishes it and the other acquires it: a fence, then an atomic
// or volatile write, and an atomic or volatile access that takes place later at the same word. Between CTAs the
// fence must have the scope of the GPU. No fence is required after the acquiring access.
//
// Each warp has a vector clock over the warps of its CTA, and clocks of the other CTAs from which it has
// acquired. The order in which the reference runs the warps does not change what a barrier orders.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

/// By warp of a CTA: the last epoch of this warp that the owner of the clock knows.
using Clock = std::array<std::uint32_t, 32>;
using ClocksByCta = std::map<std::uint64_t, std::shared_ptr<const Clock>>;

/// What one warp lets others know by its next atomic or volatile write.
struct Published {
  std::shared_ptr<const ClocksByCta> in_gpu;  ///< after a fence of the GPU; nullptr: none
  std::shared_ptr<const ClocksByCta> in_cta;  ///< after any fence
};

/// State of a CTA with live warps.
struct CtaClocks {
  std::uint64_t cta = 0;
  std::vector<Clock> clock;                                  ///< by warp
  std::vector<std::shared_ptr<const ClocksByCta>> acquired;  ///< by warp: clocks of other CTAs
  std::vector<Published> published;                          ///< by warp
  std::vector<LaneMask> live;                                ///< by warp
  struct Arrivals {
    Clock clock{};
    std::uint32_t warps = 0;  ///< bit mask of warps
    std::shared_ptr<const ClocksByCta> acquired;
    Published published;
  };
  std::map<std::uint32_t, Arrivals> arrived;  ///< by barrier
  /// Number of barriers that ordered all earlier accesses of the CTA before all later ones.
  std::uint32_t meetings = 0;
};

class HappensBefore : public Observer {
 public:
  void after(const ExecutedInstruction& e) override;
  void fenced(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

  /// Returns the clocks of the instruction's CTA. A new launch starts without clocks.
  CtaClocks& of(const ExecutedInstruction& e);
  /// False if all threads of the CTA have ended.
  bool runs(std::uint64_t cta) const { return ctas_.count(cta) != 0; }
  /// Number of launches so far. Accesses of earlier launches are before those of this one.
  std::uint64_t launches() const { return launches_; }
  /// True if epoch `epoch` of a warp is before what a warp of `now` does now.
  static bool is_before(const CtaClocks& now, std::uint32_t warp, std::uint64_t earlier_cta,
                        std::uint32_t earlier_warp, std::uint32_t epoch);
  /// True if a warp of this launch has published something to other CTAs.
  bool joins_ctas() const { return joins_ctas_; }
  /// True if one word joined more than kMostCtas CTAs; orders between CTAs are incomplete from there on.
  bool was_incomplete() const { return incomplete_; }
  static constexpr std::size_t kMostCtas = 4096;

 private:
  using SharedClocks = std::shared_ptr<const ClocksByCta>;
  void fence(CtaClocks& cta, std::uint32_t warp, isa::Scope scope);
  void publish(const CtaClocks& cta, std::uint32_t warp, std::uint64_t key, bool joins);
  void acquire(CtaClocks& cta, std::uint32_t warp, std::uint64_t key);
  /// `without`: a CTA that is left out.
  void join(SharedClocks& into, const SharedClocks& other, std::uint64_t without = ~std::uint64_t{0});

  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::uint64_t launches_ = 0;
  bool fences_ = false, joins_ctas_ = false, incomplete_ = false;
  std::unordered_map<std::uint64_t, std::unique_ptr<CtaClocks>> ctas_;
  CtaClocks* last_ = nullptr;                           ///< result of the last look-up
  std::unordered_map<std::uint64_t, Published> words_;  ///< by word; shared memory: with the CTA
};

/// True for atomics and for accesses that are volatile, relaxed or stronger. Two of them do not race.
bool is_ordered(const isa::Instruction& i);

}  // namespace heddle::reference
