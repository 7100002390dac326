#pragma once

// Identifier types that cannot be mixed: a WarpId cannot be passed as a BankId.

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

using WarpId = Id<struct WarpTag>;            ///< warp slot of one SM
using CtaSlot = Id<struct CtaSlotTag>;        ///< CTA slot of one SM
using RegId = Id<struct RegTag>;              ///< architected (or virtual) 32-bit register of a warp
using PredId = Id<struct PredTag>;            ///< predicate register of a warp
using BankId = Id<struct BankTag>;            ///< register bank
using CollectorId = Id<struct CollectorTag>;  ///< operand collector unit
using SchedulerId = Id<struct SchedulerTag>;  ///< warp scheduler of an SM
using SmId = Id<struct SmTag>;
using KernelId = Id<struct KernelTag>;  ///< kernel launch of a run, in order

using Cycle = std::uint64_t;  ///< core clock cycles since the start of the run
inline constexpr Cycle kNever = ~Cycle{0};

}  // namespace heddle

template <class Tag>
struct std::hash<heddle::Id<Tag>> {
  std::size_t operator()(heddle::Id<Tag> id) const noexcept { return id.value; }
};
