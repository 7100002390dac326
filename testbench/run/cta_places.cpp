#include "testbench/run/cta_places.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace heddle::run {
namespace {

// CTAs of one length, as far as the end of the grid goes.
constexpr double kEqualLength = 1.05;

std::uint64_t ctas_of(double waves, std::uint64_t wave) {
  return static_cast<std::uint64_t>(std::ceil(waves * static_cast<double>(wave)));
}

// The n-th of a sequence in 0..1 of which any first few are spread evenly: multiples of the golden ratio.
double spread(std::size_t n) {
  const double turn = 0.5 + 0.6180339887498949 * static_cast<double>(n);
  return turn - std::floor(turn);
}

}  // namespace

CtaPlaces::CtaPlaces(std::vector<std::uint32_t> instructions, std::uint64_t wave, int sms,
                     const EstimateParameters& parameters)
    : instructions_(std::move(instructions)),
      wave_(wave),
      warm_up_(ctas_of(parameters.warm_up_waves, wave)),
      window_(std::max<std::uint64_t>(1, ctas_of(parameters.window_waves, wave))) {
  // Handed out are a wave more than have ended.
  const std::uint64_t settle = parameters.settle_instructions * static_cast<std::uint64_t>(sms);
  head_ = std::min(ctas(), ctas_of(parameters.settle_waves, wave));
  for (std::uint64_t done = this->instructions({0, head_}); head_ < ctas() && done < settle;)
    done += instructions_[head_++];
  head_ = std::min(ctas(), head_ + wave_);
  const auto [shortest, longest] = std::minmax_element(instructions_.begin(), instructions_.end());
  tail_ = *longest > kEqualLength * *shortest ? wave_ : 0;
  whole_ = ctas() - head_ <= tail_ + static_cast<std::uint64_t>(parameters.places) * (warm_up_ + window_);
  if (!whole_) make_blocks();
}

std::uint64_t CtaPlaces::instructions(DispatchRange range) const {
  std::uint64_t sum = 0;
  for (std::uint64_t cta = range.first; cta < range.first + range.count; ++cta) sum += instructions_[cta];
  return sum;
}

// What does not fill the last block lies before the first, and is not timed.
void CtaPlaces::make_blocks() {
  const std::uint64_t size = warm_up_ + window_, inside = ctas() - tail_ - head_;
  for (std::uint64_t first = head_ + inside % size; first + size <= ctas() - tail_; first += size)
    blocks_.push_back({first, instructions({first, size}), false});
  std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) {
    return std::tie(a.instructions, a.first) < std::tie(b.instructions, b.first);
  });
}

std::optional<CtaPlaces::Place> CtaPlaces::next() {
  if (given_ == blocks_.size()) return std::nullopt;
  const double position = spread(given_);
  auto at = blocks_.begin() + static_cast<std::ptrdiff_t>(position * static_cast<double>(blocks_.size()));
  // The nearest that has not been timed.
  auto up = at, down = at;
  while (true) {
    if (!up->taken) {
      at = up;
      break;
    }
    if (!down->taken) {
      at = down;
      break;
    }
    if (up + 1 != blocks_.end()) ++up;
    if (down != blocks_.begin()) --down;
  }
  at->taken = true;
  ++given_;
  return Place{{at->first, warm_up_}, {at->first + warm_up_, window_}, position};
}

}  // namespace heddle::run
