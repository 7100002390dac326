#include "testbench/run/cta_places.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace heddle::run {
namespace {

// CTAs whose lengths deviate by less from their mean are of one length, as far as places and the end of the grid go.
constexpr double kEqualLength = 0.05;

// Of a launch of which more than this has to be timed, all of it is.
constexpr double kMostTimed = 0.75;

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
    : instructions_(std::move(instructions)), wave_(wave), warm_up_(ctas_of(parameters.warm_up_waves, wave)) {
  // Whole waves: CTAs that began together end together, in bursts.
  const double window = static_cast<double>(parameters.window_instructions) * sms;
  const double mean = static_cast<double>(this->instructions({0, ctas()})) / static_cast<double>(ctas());
  const double of_window = parameters.window_waves * mean * static_cast<double>(wave_);
  const double waves = std::max(1.0, std::ceil(window / std::max(1.0, of_window)));
  window_ = std::max<std::uint64_t>(1, ctas_of(waves * parameters.window_waves, wave));
  const double grid_waves = static_cast<double>(ctas()) / static_cast<double>(wave_);
  set_head(parameters.settle_instructions * static_cast<std::uint64_t>(sms),
           ctas_of(std::min(parameters.settle_waves, parameters.settle_share * grid_waves), wave));
  double squares = 0;
  for (const std::uint32_t one : instructions_) squares += (one - mean) * (one - mean);
  const bool differ = std::sqrt(squares / static_cast<double>(ctas())) > kEqualLength * mean;
  tail_ = differ ? wave_ : 0;
  least_ = static_cast<std::size_t>(parameters.places) + (differ ? 1 : 0);
  const std::uint64_t timed = head_ + tail_ + least_ * (warm_up_ + window_);
  whole_ = static_cast<double>(timed) > kMostTimed * static_cast<double>(ctas());
  if (!whole_) make_blocks();
}

// Handed out are a wave more than have ended. As many CTAs are left over of the last wave as will be of the whole grid's:
// where CTAs end in bursts, the machine drains as the whole does.
void CtaPlaces::set_head(std::uint64_t settle, std::uint64_t least) {
  head_ = std::min(ctas(), least);
  for (std::uint64_t done = instructions({0, head_}); head_ < ctas() && done < settle;)
    done += instructions_[head_++];
  head_ = std::min(ctas(), head_ + wave_);
  head_ += (ctas() - head_) % wave_;
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
