#include "testbench/estimate/grid_stretches.h"

#include <algorithm>
#include <utility>

namespace heddle::estimate {
namespace {

// Half of the grid is timed at most. The first stretch takes half of this half, if the other first stretches
// also fit into the half.
std::uint64_t windows_of_first(const GridStretches::Sizes& sizes) {
  const std::uint64_t half = sizes.ctas / 2,
                      others = sizes.tail + (GridStretches::kLeast - 1) * sizes.stretch(),
                      most = std::min(half / 2, half - std::min(half, others));
  return std::max<std::uint64_t>(GridStretches::kWindows, (most - std::min(most, sizes.head)) / sizes.window);
}

}  // namespace

std::vector<DispatchRange> GridStretches::gaps() const {
  std::vector<DispatchRange> gaps;
  for (std::size_t i = 1; i < stretches_.size(); ++i) {
    const std::uint64_t first = stretches_[i - 1].first + stretches_[i - 1].count;
    gaps.push_back({first, stretches_[i].first - first});
  }
  return gaps;
}

// Returns the first CTA of the next stretch. The stretch at the end is timed after the stretch in the middle:
// if no further stretch is needed, the last CTAs of the grid directly follow.
std::optional<std::uint64_t> GridStretches::next_first() const {
  const std::uint64_t last = sizes_.ctas - sizes_.tail - sizes_.stretch();
  switch (stretches_.size()) {
    case 0:
      return 0;
    case 1: {
      const std::uint64_t begin = stretches_.front().count;
      return middle_of({begin, last - begin});
    }
    case 2:
      return last;
    default:
      return target_;
  }
}

std::optional<GridStretches::Window> GridStretches::next() {
  DispatchRange warm_up{next_, 0};
  if (left_ == 0) {
    const std::optional<std::uint64_t> first = next_first();
    if (!first) return std::nullopt;
    target_.reset();
    warm_up = {*first, stretches_.empty() ? sizes_.head : sizes_.warm_up};
    left_ = stretches_.empty() ? windows_of_first(sizes_) : kWindows;
    const DispatchRange stretch{*first, warm_up.count + left_ * sizes_.window};
    stretches_.insert(
        std::upper_bound(stretches_.begin(), stretches_.end(), stretch,
                         [](const DispatchRange& a, const DispatchRange& b) { return a.first < b.first; }),
        stretch);
    next_ = *first + warm_up.count;
  }
  --left_;
  return Window{warm_up, {std::exchange(next_, next_ + sizes_.window), sizes_.window}};
}

}  // namespace heddle::estimate
