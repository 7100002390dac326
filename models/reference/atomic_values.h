#pragma once

// Finds values that depend on the order of atomics, and follows them through registers, predicates and
// memory, but not through branches. Such a value is the old value that an atomic returns, if several warps
// change the word. In a launch that is not cooperative, such a value is also a word that atomics of several
// CTAs change. A load may run before an atomic changes its word, so the caller must observe a run twice
// (observe_again()).
//
// Two correct runs may therefore differ in two kinds of words of global memory: words that are computed from
// these values, and words that non-commuting atomics change.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/reference/current_launch.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class AtomicValues : public Observer {
 public:
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void after(const ExecutedInstruction& e) override;

  /// Starts the observation of the second of two equal runs. The object keeps the words that atomics of
  /// several CTAs changed in the first run. A load of such a word before the first atomic is then also found
  /// to depend on the order of atomics.
  void observe_again();

  /// Compares two contents of global memory at `address`, which have the same size. Returns true if each word
  /// in which they differ depends on the order of atomics.
  bool explain(std::uint64_t address, std::span<const std::uint8_t> actual,
               std::span<const std::uint8_t> expected) const;

 private:
  struct Warp {
    std::vector<LaneMask> registers, predicates;
  };
  using Place = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;

  Warp& warp_of(const ExecutedInstruction& e);
  LaneMask lanes_of(const Warp& warp, const isa::Operand& operand) const;
  LaneMask read_by(const Warp& warp, const ExecutedInstruction& e) const;
  bool is_marked(const ExecutedInstruction& e, int lane, std::uint64_t word) const;
  void mark(const ExecutedInstruction& e, int lane, std::uint64_t word, bool follows);
  void note_atomic(const ExecutedInstruction& e, int lane, std::uint64_t word);

  CurrentLaunch launch_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;
  std::unordered_set<std::uint64_t> global_;
  std::set<Place> others_;
  /// Lanes in which the current instruction has loaded a value that depends on the order of atomics.
  LaneMask loaded_ = 0;
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>> first_;
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> contended_;
  bool several_ = false;
};

}  // namespace heddle::reference
