#include "models/scheduler/constraints/register_balance.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heddle {

int RegisterBalance::sum(const Cta& cta) const {
  int sum = 0;
  for (std::size_t p = 0; p < whole_.size(); ++p) sum += balance(cta, p);
  return sum;
}

// True if in every pool, the free entries cover all further requests of the CTA, even after another CTA has
// taken `demand` entries.
bool RegisterBalance::covered(const Cta& cta, std::span<const int> demand) const {
  for (std::size_t p = 0; p < whole_.size(); ++p)
    if (balance(cta, p) > free_[p] - (demand.empty() ? 0 : demand[p])) return false;
  return true;
}

// Passes `answer` to the probe point, where a Verilog block may replace it. Returns the resulting answer.
int RegisterBalance::observed(BalancePoint::View::What what, int requester, std::span<const int> demand,
                              int answer) const {
  if (probe_.attached()) probe_.answered({what, free_, whole_, ctas_, requester, demand}, answer);
  return answer;
}

int RegisterBalance::safe_cta() const {
  int best = -1, least = std::numeric_limits<int>::max();
  for (const Cta& cta : ctas_) {
    const int rest = sum(cta);
    if (rest < least && covered(cta, {})) {
      best = cta.number;
      least = rest;
    }
  }
  return observed(BalancePoint::View::safe, 0, {}, best);
}

bool RegisterBalance::has_headroom() const {
  const bool some = std::any_of(ctas_.begin(), ctas_.end(), [this](const Cta& cta) {
    for (std::size_t p = 0; p < whole_.size(); ++p)
      if (free_[p] <= balance(cta, p)) return false;
    return true;
  });
  return observed(BalancePoint::View::headroom, 0, {}, some) != 0;
}

bool RegisterBalance::may_take(int number, std::span<const int> demand) const {
  const bool some = std::any_of(ctas_.begin(), ctas_.end(), [&](const Cta& cta) {
    return covered(cta, cta.number == number ? std::span<const int>{} : demand);
  });
  return observed(BalancePoint::View::may_take, number, demand, some) != 0;
}

bool RegisterBalance::scalar_has_headroom() const {
  const int free = std::accumulate(free_.begin(), free_.end(), 0);
  return std::any_of(ctas_.begin(), ctas_.end(), [&](const Cta& cta) { return free > sum(cta); });
}

int RegisterBalance::scalar_smallest() const {
  const auto least = std::min_element(ctas_.begin(), ctas_.end(),
                                      [this](const Cta& a, const Cta& b) { return sum(a) < sum(b); });
  return least == ctas_.end() ? -1 : least->number;
}

}  // namespace heddle
