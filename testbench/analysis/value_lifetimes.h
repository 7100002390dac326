#pragma once

// Follows the values of one warp's registers through the warp's instructions in program order (Gebhart 2012,
// 2.2). A value is what one instruction writes to one 32-bit register of a warp. If a later write changes
// only some lanes, the other lanes keep the older value. A value ends when later writes have replaced it in
// all lanes, or when the warp ends.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::analysis {

/// Histograms. Each constant array, such as kReads, has the lower limits of the bins; the last bin has no
/// upper limit.
struct UsageCounts {
  static constexpr std::array<std::uint64_t, 5> kReads = {0, 1, 2, 3, 4};
  static constexpr std::array<std::uint64_t, 8> kDistances = {1, 2, 3, 4, 8, 16, 32, 64};
  static constexpr std::array<std::uint64_t, 8> kCycles = {0, 10, 30, 100, 300, 1000, 3000, 10000};
  static constexpr std::array<std::uint64_t, 7> kStrands = {1, 3, 5, 9, 17, 33, 65};

  std::array<std::uint64_t, kReads.size()> reads{};
  std::array<std::uint64_t, kDistances.size()>
      read_once{};  ///< instructions between write and read, for each value that is read once
  std::array<std::uint64_t, kDistances.size()>
      last_read{};  ///< instructions between write and last read, for each value that is read
  std::array<std::uint64_t, kDistances.size()> gap{};
  /// cycles since the previous access to the same register, for each access
  std::array<std::uint64_t, kCycles.size()> gap_cycles{};
  /// Instructions per executed strand.
  std::array<std::uint64_t, kStrands.size()> strands{};
  std::uint64_t gap_cycles_sum = 0, strand_instructions = 0;
  /// by_private: number of values that ALUs write. by_shared: number of values that memory and
  /// special-function units write.
  std::uint64_t by_private = 0, by_shared = 0;
  std::uint64_t to_shared = 0;          ///< number of values that a memory or special-function unit reads
  std::uint64_t private_to_shared = 0;  ///< number of values in to_shared that ALUs produced

  void add(const UsageCounts& other);
};

class ValueLifetimes {
 public:
  explicit ValueLifetimes(UsageCounts& counts) : counts_(&counts) {}

  /// Adds the next instruction of the warp, executed by the lanes in `mask`.
  void issued(const isa::Instruction& instruction, LaneMask mask, Cycle cycle);
  void ended();

 private:
  struct Value {
    LaneMask lanes = 0;
    std::uint32_t written = 0;
    std::uint32_t last_read = 0;
    std::uint32_t reads = 0;
    bool by_shared = false, to_shared = false;
  };
  struct Register {
    std::vector<Value> values;
    std::uint32_t accessed = 0;  ///< position of the last instruction with access, from 1; 0: none
    Cycle accessed_at = 0;
  };

  Register& at(std::uint32_t reg);
  void read(std::uint32_t reg, LaneMask mask, bool by_shared);
  void write(std::uint32_t reg, LaneMask mask, bool by_shared);
  void touch(Register& entry);
  void retire(const Value& value);
  void follow_strand(const isa::Instruction& instruction);
  void end_strand();

  UsageCounts* counts_;
  std::vector<Register> registers_;
  std::uint32_t now_ = 0;  ///< number of instructions that the warp has issued so far
  Cycle cycle_ = 0;
  std::uint32_t strand_ = 0;
};

}  // namespace heddle::analysis
