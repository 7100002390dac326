#include "testbench/estimate/cta_places.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace heddle::estimate {
namespace {

// CTAs count as equally long if the standard deviation of their instruction counts, divided by the mean
// count, is at most this value.
constexpr double kEqualLength = 0.1;

// In a long grid of equal CTAs, the first timed CTAs begin one after the other. Later CTAs therefore end one
// after the other, so a window may be shorter than a wave. The minimum number of
// windows is multiplied by kWindowsOfRamp. If an SM holds at least kCtasToHalve CTAs, the length of a window
// is divided by kWindowsOfRamp.
constexpr std::uint64_t kWindowsOfRamp = 2, kCtasToHalve = 4;

// number of consecutive CTA windows that are measured at one position of the grid, for CTAs of equal length
constexpr std::size_t kWindowsOfPlace = 4;

// Largest number of paired places: positions in the grid that are timed both with and without a technique
// (kPairsOfStrata: for CTAs of different length). Few long places are better than many short places, because
// CTAs run differently for some waves after a jump to another position of the grid. In dct8x8 with the
// technique warped-gates, this lasts for six to twenty waves.
constexpr std::size_t kPairs = 2, kPairsOfStrata = 8;
// Paired places are divided into at most this many CTA windows in total, unless a window would then be
// shorter than a wave.
constexpr double kMostPairWindows = 256;
// Limits for paired places (CTAs that runs with and without a technique both time) in short grids:
// - kPairWaves: minimum number of waves of the first timed CTAs (head) and the places together. If CTAs begin
//   and end together, the cycles of a wave vary with a period of two or five waves.
// - kMostOfShort: kPairWaves does not raise the timed share of the grid above this share, so that half of the
//   CTAs need not be timed.
// - kPairedSettle: minimum number of waves before rates are measured, if CTAs are equal. Such CTAs start
//   together in grids below ramp_waves waves, and the only place directly follows the head.
constexpr double kPairWaves = 8, kMostOfShort = 0.5, kPairedSettle = 1;

// A launch is timed completely in two cases: an estimate would time more than the share kMostTimed of the
// launch's CTAs, or the launch has at most kFewWaves waves.
constexpr double kMostTimed = 0.75, kFewWaves = 4;

// Length of the warm-up after a jump to another place of a long grid of equal CTAs, as a multiple of
// warm_up_waves. The CTAs from before the jump often end in the same cycle, so the CTAs of the first wave
// after it often begin in the same cycle. A second wave lets CTAs drift apart before they are measured.
constexpr std::uint64_t kWarmUpsOfLong = 2;

// Number of CTA windows that are needed to compute how rates (cycles per instruction) deviate between
// windows. A grid whose CTAs are timed one window after the other from its first CTA on (grid_forecast.h)
// needs this number before its last window. If the CTAs of a short grid differ in length, or the waves of a
// grid in their memory accesses, this number is added to EstimateParameters::places.
constexpr std::uint64_t kLeastInOrder = 3;

// Number of windows that must fit into half of a grid that is timed in order, because timing may stop at
// half: kLeastInOrder windows, the grid's last window, one that the first timed CTAs (head) may take, and
// one more. Otherwise forecasts would use a line through three windows, with a single degree of freedom.
constexpr double kWindowsOfHalf = kLeastInOrder + 3;

// Stretches that fit into the timed half of a grid whose waves vary: those that are always timed, and two
// more where the rate changes most.
constexpr std::size_t kStretchesOfHalf = GridStretches::kLeast + 2;

std::uint64_t ctas_of(double waves, std::uint64_t wave) {
  return static_cast<std::uint64_t>(std::ceil(waves * static_cast<double>(wave)));
}

// Returns element n of an evenly spread sequence between 0 and 1: multiples of the golden ratio, modulo 1.
double spread(std::size_t n) {
  const double turn = 0.5 + 0.6180339887498949 * static_cast<double>(n);
  return turn - std::floor(turn);
}

// Returns the share of the grid's CTAs to time in paired places (CTAs that both compared runs time). In a
// long grid, this is `asked` (estimate.paired_share). In a short grid, `asked` includes the head (first
// timed CTAs), and is raised to kPairWaves waves if it is less, but not above the share kMostOfShort.
double share_of_pairs(double asked, bool is_long, double grid_waves, double head_waves) {
  if (is_long) return asked;
  return std::max(0.0,
                  std::max(asked, std::min(kPairWaves / grid_waves, kMostOfShort)) - head_waves / grid_waves);
}

// Returns how many waves must end before rates are measured. If all CTAs of a wave begin in the same cycle
// (`in_step`), these CTAs also end together, so the number is rounded down to whole waves.
double settle_waves(const EstimateParameters& parameters, double grid_waves, bool in_step, double least) {
  const double waves = std::min(parameters.settle_waves, parameters.settle_share * grid_waves);
  return std::max(in_step ? std::floor(waves) : waves, least);
}

}  // namespace

CtaPlaces::CtaPlaces(std::vector<std::uint32_t> instructions, std::uint64_t wave, int sms,
                     const EstimateParameters& parameters, std::vector<std::uint32_t> segments)
    : instructions_(std::move(instructions)),
      segments_(std::move(segments)),
      wave_(wave),
      warm_up_(ctas_of(parameters.warm_up_waves, wave)) {
  // CTAs that began together end together. Therefore, a window is first a multiple of window_waves (default:
  // one wave, the CTAs that the GPU holds at once).
  const double window = static_cast<double>(parameters.window_instructions) * sms;
  const double mean = static_cast<double>(this->instructions({0, ctas()})) / static_cast<double>(ctas());
  const double of_window = parameters.window_waves * mean * static_cast<double>(wave_);
  double waves = std::max(1.0, std::ceil(window / std::max(1.0, of_window)));
  const double grid_waves = static_cast<double>(ctas()) / static_cast<double>(wave_);
  differ_ = deviation(mean) > kEqualLength * mean;
  const bool paired = parameters.paired_share > 0, is_long = grid_waves >= parameters.ramp_waves;
  varies_ = !differ_ && !paired && waves_vary();
  ramps_ = !differ_ && !varies_ && is_long;
  in_order_ = !differ_ && !varies_ && !is_long && !paired;
  times_beginning_ = ramps_ && !paired;
  if (in_order_ || varies_) waves = std::min(waves, most_in_a_window(grid_waves, parameters));
  if (times_beginning_) warm_up_ *= kWarmUpsOfLong;
  window_ = beginning_window_ = std::max<std::uint64_t>(1, ctas_of(waves * parameters.window_waves, wave));
  beginning_end_ = wave_;
  if (ramps_ && wave_ >= kCtasToHalve * static_cast<std::uint64_t>(sms))
    window_ = std::max<std::uint64_t>(1, window_ / kWindowsOfRamp);
  const double settle =
      settle_waves(parameters, grid_waves, !ramps_, paired && !differ_ && !ramps_ ? kPairedSettle : 0);
  set_head(parameters.settle_instructions * static_cast<std::uint64_t>(sms), ctas_of(settle, wave));
  if (varies_) {
    plan_stretches(grid_waves, parameters.places);
    return;
  }
  tail_ = differ_ ? wave_ : 0;
  least_ = static_cast<std::size_t>(parameters.places) * (ramps_ ? kWindowsOfRamp : 1) +
           (times_beginning_ || (differ_ && is_long) ? 1
            : differ_                                ? kLeastInOrder
                                                     : 0);
  if (in_order_) {
    in_order_end_ = head_;
    // A grid is timed completely if it is too short for the head (first timed CTAs), the kLeastInOrder
    // windows of a forecast, one more window, and the grid's last window with its warm-up.
    whole_ = grid_waves <= kFewWaves || head_ + warm_up_ + (kLeastInOrder + 2) * window_ > ctas();
    return;
  }
  const double share = share_of_pairs(parameters.paired_share, is_long, grid_waves,
                                      static_cast<double>(head_) / static_cast<double>(wave_));
  std::uint64_t of_places = paired ? plan_pairs(share) : least_ * (warm_up_ + window_);
  if (times_beginning_) of_places += wave_ + kLeastOfBeginning * beginning_window_;
  const std::uint64_t timed = head_ + tail_ + of_places - warm_up_;
  whole_ = grid_waves <= kFewWaves || static_cast<double>(timed) > kMostTimed * static_cast<double>(ctas());
  if (whole_) return;
  if (pairs_)
    begin_ = begin_of_pair(0) + warm_up_ - head_;
  else
    make_blocks();
}

// Returns the waves that a window of a grid in order or in stretches may have, so that enough windows fit into
// the half of the grid that is timed. In a grid of less than kWavesOfHalf waves, more than half may be timed.
double CtaPlaces::most_in_a_window(double grid_waves, const EstimateParameters& parameters) const {
  if (grid_waves < kWavesOfHalf) return grid_waves;
  const double windows = varies_ ? kStretchesOfHalf * GridStretches::kWindows : kWindowsOfHalf,
               warm_ups = varies_ ? kStretchesOfHalf - 1 : 1,
               left = kMostInOrder * grid_waves - 1 - (varies_ ? 1 : 0) - warm_ups * parameters.warm_up_waves;
  return std::max(1.0, std::floor(left / windows / std::max(1.0, parameters.window_waves)));
}

// Plans the stretches of a grid whose waves vary: at least both ends of the grid and `places` stretches
// between. Times the grid completely if it has less than kWavesOfHalf waves, because the first stretches are
// more than half of such a grid.
void CtaPlaces::plan_stretches(double grid_waves, int places) {
  const std::uint64_t least = GridStretches::kLeast - 1 + static_cast<std::uint64_t>(places);
  tail_ = (ctas() - 1) % wave_ + 1;
  least_ = least;
  const GridStretches::Sizes sizes{ctas(), head_, warm_up_, window_, tail_};
  whole_ = grid_waves < kWavesOfHalf ||
           static_cast<double>(sizes.timed(least)) > kMostTimed * static_cast<double>(ctas());
  if (!whole_) stretches_.emplace(sizes);
}

// Sets the first timed CTAs (head): at least `least` CTAs with at least `settle` warp-instructions, and one
// more wave that keeps the SMs full until those CTAs have ended. If CTAs are not staggered (ramps_), they end
// in bursts. The head then also takes the CTAs that do not fill a wave (if in_order_: a window), so that the
// machine drains as at the end of the whole launch.
void CtaPlaces::set_head(std::uint64_t settle, std::uint64_t least) {
  head_ = std::min(ctas(), least);
  for (std::uint64_t done = instructions({0, head_}); head_ < ctas() && done < settle;)
    done += instructions_[head_++];
  head_ = std::min(ctas(), std::max(head_ + wave_, warm_up_));
  if (!ramps_ && !varies_) head_ += (ctas() - head_) % (in_order_ ? window_ : wave_);
}

std::uint64_t CtaPlaces::instructions(DispatchRange range) const {
  std::uint64_t sum = 0;
  for (std::uint64_t cta = range.first; cta < range.first + range.count; ++cta) sum += instructions_[cta];
  return sum;
}

// Divides the grid into blocks of CTAs that may be timed. CTAs that do not fill a block lie before the first
// block. The block that is timed first directly follows the head (first timed CTAs). In that block, CTAs no
// longer begin in the same cycle, and caches are warm.
void CtaPlaces::make_blocks() {
  const std::uint64_t size = block_size(), least = head_ - warm_up_, end = ctas() - tail_;
  for (std::uint64_t first = least + (end - least) % size; first + size <= end; first += size)
    blocks_.push_back({first, static_cast<double>(instructions({first, size})), false});
  std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) {
    return std::tie(a.order, a.first) < std::tie(b.order, b.first);
  });
  begins_ = *nearest(spread(0));
  begin_ = blocks_[begins_].first + warm_up_ - head_;
  const std::uint64_t at_end = times_beginning_ ? ctas() - warm_up_ - window_ : ctas();
  for (Block& block : blocks_)
    block.taken =
        block.first + size > at_end || (block.first < begin_ + head_ && block.first + size > begin_);
}

// Plans the paired CTA windows, which runs with and without a technique both time. A window is one wave, or
// longer in a large grid. Returns the number of CTAs in all windows and warm-ups.
std::uint64_t CtaPlaces::plan_pairs(double share) {
  const double ctas_timed = share * static_cast<double>(ctas());
  window_ = std::max(wave_, ctas_of(ctas_timed / kMostPairWindows, 1));
  pair_windows_ = least_ =
      static_cast<std::size_t>(std::max(1.0, std::round(ctas_timed / static_cast<double>(window_))));
  const std::size_t most = differ_ ? kPairsOfStrata : ramps_ ? kPairs : 1;
  pairs_ = std::min((pair_windows_ + kWindowsOfPlace - 1) / kWindowsOfPlace, most);
  return pairs_ * warm_up_ + pair_windows_ * window_;
}

std::size_t CtaPlaces::windows_of_pair(std::size_t place) const {
  return pair_windows_ / pairs_ + (place < pair_windows_ % pairs_ ? 1 : 0);
}

// Returns the first CTA of a paired place. The grid is divided into equal shares, and each place lies in the
// middle of its share.
std::uint64_t CtaPlaces::begin_of_pair(std::size_t place) const {
  const std::uint64_t least = head_ - warm_up_, end = ctas() - tail_,
                      size = warm_up_ + windows_of_pair(place) * window_;
  const double part = static_cast<double>(end - least) / static_cast<double>(pairs_),
               middle = static_cast<double>(least) + (static_cast<double>(place) + 0.5) * part;
  const auto first = static_cast<std::uint64_t>(std::max(0.0, middle - static_cast<double>(size) / 2));
  return std::clamp(first, least, end - size);
}

std::optional<CtaPlaces::Place> CtaPlaces::next_pair() {
  if (places_ && in_a_row_ < windows_of_pair(places_ - 1)) {
    ++in_a_row_;
    const std::uint64_t first = last_.window.first + last_.window.count;
    last_ = {{first, 0}, {first, window_}, last_.position};
    return last_;
  }
  if (places_ == pairs_) return std::nullopt;
  const std::uint64_t first = begin_of_pair(places_) + warm_up_;
  const DispatchRange warm_up = places_ == 0 ? head() : DispatchRange{first - warm_up_, warm_up_};
  last_ = {warm_up, {first, window_}, (static_cast<double>(places_) + 0.5) / static_cast<double>(pairs_)};
  ++places_;
  in_a_row_ = 1;
  return last_;
}

double CtaPlaces::segments(DispatchRange range) const {
  if (segments_.empty() || range.count == 0) return 0;
  const auto first = segments_.begin() + static_cast<std::ptrdiff_t>(range.first);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(range.count), 0.0) /
         static_cast<double>(std::max<std::uint64_t>(1, instructions(range)));
}

// Returns true if waves differ in the number of global-memory segments that they access per instruction: the
// standard deviation over the waves is more than the share kEqualLength of the mean.
bool CtaPlaces::waves_vary() const {
  double sum = 0, squares = 0, count = 0;
  for (std::uint64_t first = 0; first + wave_ <= ctas(); first += wave_, ++count) {
    const double one = segments({first, wave_});
    sum += one;
    squares += one * one;
  }
  if (sum == 0) return false;
  const double mean = sum / count;
  return squares / count - mean * mean > kEqualLength * kEqualLength * mean * mean;
}

double CtaPlaces::deviation(double mean) const {
  double squares = 0;
  for (const std::uint32_t one : instructions_) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(ctas()));
}

// Returns the untimed block of CTAs nearest to a position in the list of blocks sorted by length (0: shortest
// CTAs, 1: longest CTAs).
std::optional<std::size_t> CtaPlaces::nearest(double position) const {
  const auto middle = static_cast<std::size_t>(position * static_cast<double>(blocks_.size()));
  for (std::size_t by = 0; by < blocks_.size(); ++by) {
    if (middle + by < blocks_.size() && !blocks_[middle + by].taken) return middle + by;
    if (by <= middle && !blocks_[middle - by].taken) return middle - by;
  }
  return std::nullopt;
}

// Returns the window directly after the window that was returned last. There, caches are warm, and CTAs no
// longer begin in the same cycle. Returns nothing if the CTAs of this window are timed already, or if the
// grid ends.
std::optional<CtaPlaces::Place> CtaPlaces::further() {
  const std::uint64_t first = last_.window.first + last_.window.count, end = first + window_;
  if (end > ctas() - tail_) return std::nullopt;
  const std::uint64_t size = block_size();
  const auto overlaps = [&](const Block& b) { return b.first < end && b.first + size > first; };
  for (const Block& b : blocks_)
    if (b.taken && overlaps(b) && b.first >= first) return std::nullopt;
  for (Block& b : blocks_) b.taken = b.taken || overlaps(b);
  ++in_a_row_;
  last_ = {{first, 0}, {first, window_}, last_.position};
  return last_;
}

// Returns the last window of a long grid of equal CTAs. This window shows changes since the middle of the
// grid, such as a cache that has become full.
std::optional<CtaPlaces::Place> CtaPlaces::next_at_end() {
  ended_ = true;
  in_a_row_ = kWindowsOfPlace;
  const std::uint64_t first = ctas() - window_;
  last_ = {{first - warm_up_, warm_up_}, {first, window_}, 1};
  return last_;
}

std::optional<DispatchRange> CtaPlaces::next_of_beginning() {
  const std::uint64_t first = beginning_end_, end = first + beginning_window_, size = block_size();
  const auto is_timed = [&](std::uint64_t from, std::uint64_t to) { return from < end && to > first; };
  if (end > ctas() - warm_up_ - window_ || is_timed(begin_, begin_ + head_)) return std::nullopt;
  for (const Block& b : blocks_)
    if (b.taken && is_timed(b.first, b.first + size)) return std::nullopt;
  beginning_end_ = end;
  return DispatchRange{first, beginning_window_};
}

DispatchRange CtaPlaces::rest() const {
  const std::uint64_t end = ctas() - std::min(ctas(), warm_up_ + window_);
  return {in_order_end_, end - std::min(in_order_end_, end)};
}

std::optional<CtaPlaces::Place> CtaPlaces::next_in_order() {
  if (to_end_ && !ended_) {
    ended_ = true;
    const std::uint64_t first = ctas() - window_;
    last_ = {{first - warm_up_, warm_up_}, {first, window_}, 1};
    return last_;
  }
  // If the grid's last window has just been timed, CTAs from the end of the grid still run for about a wave.
  // The next window, which lies before the end, then needs a warm-up.
  const bool back = is_back();
  const DispatchRange warm_up{in_order_end_, back ? warm_up_ : 0};
  const std::uint64_t first = back ? in_order_end_ + warm_up_ : in_order_end_;
  if (first + window_ > (ended_ ? rest().first + rest().count : ctas())) return std::nullopt;
  ++places_;
  in_order_end_ = first + window_;
  last_ = {warm_up, {first, window_}, static_cast<double>(first) / static_cast<double>(ctas())};
  return last_;
}

std::optional<CtaPlaces::Place> CtaPlaces::next_in_stretches() {
  const auto next = stretches_->next();
  if (!next) return std::nullopt;
  last_ = {next->warm_up, next->window,
           static_cast<double>(next->window.first) / static_cast<double>(ctas())};
  return last_;
}

std::optional<CtaPlaces::Place> CtaPlaces::next() {
  if (pairs_) return next_pair();
  if (stretches_) return next_in_stretches();
  if (in_order_) return next_in_order();
  if (times_beginning_ && !ended_ && in_a_row_ == kWindowsOfRamp) return next_at_end();
  if (places_ && !differ_ && in_a_row_ < kWindowsOfPlace)
    if (const auto place = further()) return place;
  const double position = spread(places_);
  const auto at = places_ == 0 ? begins_ : nearest(position);
  if (!at) return std::nullopt;
  Block& block = blocks_[*at];
  block.taken = true;
  in_a_row_ = 1;
  const DispatchRange warm_up = places_++ == 0 ? head() : DispatchRange{block.first, warm_up_};
  last_ = {warm_up, {block.first + warm_up_, window_}, position};
  return last_;
}

}  // namespace heddle::estimate
