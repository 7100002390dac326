#include "models/isa/mbarrier.h"

namespace heddle::isa {
namespace {

constexpr int kExpectedShift = 20, kMarkShift = 40;
constexpr std::uint64_t kMark = 0x35a96c, kMarkMask = (std::uint64_t{1} << (kPhaseBit - kMarkShift)) - 1;

constexpr std::uint64_t expected_arrivals(std::uint64_t object) {
  return object >> kExpectedShift & kMostArrivals;
}

constexpr std::uint64_t make(std::uint64_t phase, std::uint64_t expected, std::uint64_t pending) {
  return phase << kPhaseBit | kMark << kMarkShift | expected << kExpectedShift | pending;
}

constexpr std::uint64_t arrive(std::uint64_t phase, std::uint64_t expected, std::uint64_t pending,
                               std::uint64_t count) {
  return pending == count ? make(phase ^ 1u, expected, expected) : make(phase, expected, pending - count);
}

}  // namespace

std::string mbarrier_fault(AtomicOp op, std::uint64_t object, std::uint64_t count) {
  if (op == AtomicOp::mb_init) {
    if (count != 0 && count <= kMostArrivals) return {};
    return "an mbarrier for " + std::to_string(count) + " arrivals; allowed: 1 to " +
           std::to_string(kMostArrivals);
  }
  if ((object >> kMarkShift & kMarkMask) != kMark)
    return "the mbarrier is used before mbarrier.init, or after inval";
  const std::uint64_t pending = pending_arrivals(object);
  switch (op) {
    case AtomicOp::mb_arrive:
    case AtomicOp::mb_drop:
      if (count != 0 && count <= pending) return {};
      break;
    case AtomicOp::mb_arrive_some:
    case AtomicOp::mb_drop_some:
      if (count != 0 && count < pending) return {};
      if (count == pending) return ".noComplete: the arrival completes the phase of the mbarrier";
      break;
    case AtomicOp::mb_copies:
      if (pending < kMostArrivals) return {};
      return "more than " + std::to_string(kMostArrivals) + " pending arrivals at an mbarrier";
    default:
      return {};
  }
  return std::to_string(count) + " arrivals at an mbarrier whose phase lacks " + std::to_string(pending);
}

std::uint64_t apply_mbarrier(AtomicOp op, std::uint64_t object, std::uint64_t count) {
  const std::uint64_t phase = phase_of(object), expected = expected_arrivals(object),
                      pending = pending_arrivals(object);
  switch (op) {
    case AtomicOp::mb_init:
      return make(0, count, count);
    case AtomicOp::mb_inval:
      return 0;
    case AtomicOp::mb_arrive:
    case AtomicOp::mb_arrive_some:
      return arrive(phase, expected, pending, count);
    case AtomicOp::mb_drop:
    case AtomicOp::mb_drop_some:
      return arrive(phase, expected - count, pending, count);
    case AtomicOp::mb_copies:
      return make(phase, expected, pending + 1);
    default:
      return object;
  }
}

}  // namespace heddle::isa
