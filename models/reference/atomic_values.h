#pragma once

// Follows the old values that atomics of several warps return, which depend on the order of these atomics: through
// registers, predicates and memory. Loads of words of global memory that atomics of several CTAs change in the same
// launch count as such values, unless the launch is cooperative. Loads may come before the atomics, so a run is
// observed twice: see observe_again(). Words of global memory that are computed from such values, and words that
// atomics change in a way that does not commute, may differ between two correct runs. Branches are not followed:
// a word whose value depends on the order through a branch alone is not among them.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

class AtomicValues : public Observer {
 public:
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void after(const ExecutedInstruction& e) override;

  /// Call this between two equal runs. The second run knows the words that atomics of the first one change.
  void observe_again();

  /// Returns true if each word that differs between two contents of global memory at `address` follows such
  /// values. Both contents have the same size.
  bool explain(std::uint64_t address, std::span<const std::uint8_t> actual,
               std::span<const std::uint8_t> expected) const;

 private:
  struct Warp {
    std::vector<LaneMask> registers, predicates;  ///< lanes whose value follows an atomic
  };
  /// Place of a word outside of global memory: CTA, thread (of local memory) and number of the word.
  using Place = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;

  Warp& warp_of(const ExecutedInstruction& e);
  LaneMask lanes_of(const Warp& warp, const isa::Operand& operand) const;
  LaneMask read_by(const Warp& warp, const ExecutedInstruction& e) const;
  bool is_marked(const ExecutedInstruction& e, int lane, std::uint64_t word) const;
  void mark(const ExecutedInstruction& e, int lane, std::uint64_t word, bool follows);
  void note_atomic(const ExecutedInstruction& e, int lane, std::uint64_t word);

  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;
  std::unordered_set<std::uint64_t> global_;
  std::set<Place> others_;
  LaneMask loaded_ = 0;  ///< lanes of the current instruction that access a marked word, or an atomic's
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>>
      first_;  ///< CTA and warp of a word's first atomic
  /// Words of global memory that atomics of several CTAs change, by launch.
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> contended_;
  bool several_ = false;  ///< atomics of several warps access one word
};

}  // namespace heddle::reference
