#include "models/stages/pilot_profile.h"

#include <algorithm>

namespace heddle {

std::vector<RegisterSwap> swaps_for(std::span<const std::uint8_t> top, std::uint32_t fast) {
  std::vector<RegisterSwap> swaps;
  std::uint8_t place = 0;
  for (const std::uint8_t reg : top) {
    if (reg < fast) continue;
    while (std::find(top.begin(), top.end(), place) != top.end()) ++place;
    swaps.push_back({reg, place++});
  }
  return swaps;
}

PilotProfile::PilotProfile(const PilotSettings& settings)
    : settings_(settings),
      limit_(static_cast<std::uint32_t>((std::uint64_t{1} << settings.counter_bits) - 1)),
      counts_(static_cast<std::size_t>(settings.counters)),
      probe_(settings_) {}

void PilotProfile::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  if (!probe_.attached()) return;
  std::vector<std::uint8_t> none;
  probe_.answered({PilotView::begins, 0}, none);
}

void PilotProfile::count(RegId reg) {
  if (reg.value >= counts_.size()) return;
  if (counts_[reg.value] < limit_) ++counts_[reg.value];
  if (!probe_.attached()) return;
  std::vector<std::uint8_t> none;
  probe_.answered({PilotView::counts, reg.value}, none);
}

void PilotProfile::count(std::span<const RegisterAccess> words) {
  for (const RegisterAccess& word : words) count(word.home);
}

std::vector<std::uint8_t> PilotProfile::top() const {
  std::vector<std::uint8_t> registers;
  for (std::size_t r = 0; r < counts_.size(); ++r)
    if (counts_[r] != 0) registers.push_back(static_cast<std::uint8_t>(r));
  std::stable_sort(registers.begin(), registers.end(),
                   [this](std::uint8_t a, std::uint8_t b) { return counts_[a] > counts_[b]; });
  registers.resize(std::min(registers.size(), static_cast<std::size_t>(settings_.top)));
  if (probe_.attached()) {
    std::vector<std::uint8_t> none;
    for (std::uint32_t r = 0; r < counts_.size(); ++r) probe_.answered({PilotView::ranks, r}, none);
    probe_.answered({PilotView::ends, 0}, registers);
  }
  return registers;
}

}  // namespace heddle
