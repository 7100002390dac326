#pragma once

// Types of identifiers that the compiler keeps apart: a WarpId cannot be passed as a BankId.

#include <compare>
#include <cstdint>
#include <functional>

namespace heddle {

template <class Tag>
struct Id {
  std::uint32_t value = 0;
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr auto operator<=>(const Id&) const = default;
};

using WarpId = Id<struct WarpTag>;      ///< number of a warp slot of an SM
using CtaSlot = Id<struct CtaSlotTag>;  ///< number of a CTA slot of an SM
using RegId = Id<struct RegTag>;        ///< number of an architected (or virtual) 32-bit register of a warp
using PredId = Id<struct PredTag>;      ///< number of a predicate register of a warp
using BankId = Id<struct BankTag>;      ///< number of a register bank
using CollectorId = Id<struct CollectorTag>;  ///< number of an operand collector
using SchedulerId = Id<struct SchedulerTag>;  ///< number of a warp scheduler of an SM
using SmId = Id<struct SmTag>;
using KernelId = Id<struct KernelTag>;  ///< number of a kernel launch of a run, in launch order

using Cycle = std::uint64_t;  ///< core clock cycles since the start of the run
inline constexpr Cycle kNever = ~Cycle{0};

}  // namespace heddle

template <class Tag>
struct std::hash<heddle::Id<Tag>> {
  std::size_t operator()(heddle::Id<Tag> id) const noexcept { return id.value; }
};
