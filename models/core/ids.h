#pragma once

// Types of identifiers that do not convert into each other: a WarpId cannot be passed as a BankId.

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

using WarpId = Id<struct WarpTag>;
using CtaSlot = Id<struct CtaSlotTag>;
using RegId = Id<struct RegTag>;
using PredId = Id<struct PredTag>;
using BankId = Id<struct BankTag>;
using CollectorId = Id<struct CollectorTag>;
using SchedulerId = Id<struct SchedulerTag>;
using SmId = Id<struct SmTag>;
using KernelId = Id<struct KernelTag>;

using Cycle = std::uint64_t;  ///< Core clock cycles since the start of the run.
inline constexpr Cycle kNever = ~Cycle{0};

}  // namespace heddle

template <class Tag>
struct std::hash<heddle::Id<Tag>> {
  std::size_t operator()(heddle::Id<Tag> id) const noexcept { return id.value; }
};
