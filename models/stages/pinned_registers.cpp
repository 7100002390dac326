#include "models/stages/pinned_registers.h"

#include <algorithm>
#include <numeric>

namespace heddle {

PinnedRegisters::PinnedRegisters(const BankParameters& banks, int partitions, bool pooled)
    : layout_(banks.home()), partitions_(static_cast<std::uint32_t>(partitions)), pooled_(pooled) {
  for (const int depth : banks.depths()) depths_.push_back(static_cast<std::uint32_t>(depth));
  reserved_.resize(depths_.size());
}

void PinnedRegisters::begin(const Kernel& kernel, WarpId warp) {
  end();
  kernel_ = kernel;
  if (kernel.exempt == 0) return;
  places_.resize(std::size_t{kernel.warps} * kernel.exempt);
  for (std::uint32_t w = warp.value % partitions_; w < kernel.warps; w += partitions_)
    for (std::uint32_t r = 0; r < kernel.exempt; ++r) {
      const std::uint32_t bank = layout_.bank_of(WarpId(w), RegId(r));
      places_[std::size_t{w} * kernel.exempt + r] = {BankId(bank), reserved_[bank]++, true};
    }
  if (!fits_as_second(warp)) end();
}

// Returns true if, after all exempt registers (which are not renamed) have got entries, the remaining entries
// are enough for the other registers of one CTA, in whichever warp slots this CTA is placed.
bool PinnedRegisters::fits_as_second(WarpId warp) const {
  const std::uint32_t warps = (kernel_.cta_warps + partitions_ - 1) / partitions_;
  std::vector<std::uint32_t> need(depths_.size());
  for (std::uint32_t w = warp.value % partitions_; w < kernel_.warps; w += partitions_) {
    std::vector<std::uint32_t> own(depths_.size());
    for (std::uint32_t r = kernel_.exempt; r < kernel_.registers; ++r)
      ++own[layout_.bank_of(WarpId(w), RegId(r))];
    for (std::size_t b = 0; b < own.size(); ++b) need[b] = std::max(need[b], own[b]);
  }
  for (std::size_t b = 0; b < depths_.size(); ++b)
    if (reserved_[b] > depths_[b] || (!pooled_ && need[b] * warps > depths_[b] - reserved_[b])) return false;
  const auto sum = [](const std::vector<std::uint32_t>& of) {
    return std::accumulate(of.begin(), of.end(), 0u);
  };
  return warps * (kernel_.registers - kernel_.exempt) + sum(reserved_) <= sum(depths_);
}

}  // namespace heddle
