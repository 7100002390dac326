#include <algorithm>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::weather {
namespace {

// Amounts of rain and snow that fall through the layers of a column of air, in g per kg of air.
struct Falling {
  double rain = 0, snow = 0;
};

struct Layer {
  double warmth, wet, drops;
};

void step(Layer& air, Falling& falling, double pressure, double seconds) {
  const double saturated = 3.8 * std::exp(17.27 * air.warmth / (air.warmth + 237.3)) * pressure;
  const double excess = air.wet - saturated;
  const double condensed = excess > 0      ? 0.6 * excess
                           : air.drops > 0 ? -std::min(air.drops, -0.3 * excess)
                                           : 0;
  air.wet -= condensed;
  air.drops += condensed;
  air.warmth += 2.5 * condensed;

  const double fallen = std::max(0.0, air.drops - 0.5) * 0.001 * seconds;
  const double frozen = fallen * std::clamp(-0.1 * air.warmth, 0.0, 1.0);
  air.drops -= fallen;
  falling.snow += frozen;
  falling.rain += fallen - frozen;
  air.warmth += 0.33 * frozen;

  if (falling.rain > 0 && air.drops > 0) {
    const double collected = air.drops * (1 - std::exp(-0.002 * falling.rain * seconds));
    air.drops -= collected;
    falling.rain += collected;
  }
  const double melted = std::max(0.0, falling.snow) * std::clamp(0.2 * air.warmth, 0.0, 1.0);
  falling.snow -= melted;
  falling.rain += melted;
  air.warmth -= 0.33 * melted;

  if (falling.rain > 0 && excess < 0) {
    const double lost =
        falling.rain * std::min(1.0, -excess / saturated) * 0.1 / (1 + std::sqrt(falling.rain));
    falling.rain -= lost;
    air.wet += lost;
    air.warmth -= 2.5 * lost;
  }
}

void reference(KernelData& data) {
  const auto temperature = data.buffer<float>("temperature");
  const auto vapour = data.buffer<float>("vapour");
  const auto cloud = data.buffer<float>("cloud");
  const auto precipitation = data.buffer<float>("precipitation");
  const auto pressure = data.buffer<float>("pressure");
  const double seconds = data.number("seconds");
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round)
    for (std::size_t column = 0; column < precipitation.size(); ++column) {
      Falling falling;
      for (std::size_t layer = 0; layer < pressure.size(); ++layer) {
        const std::size_t at = layer * precipitation.size() + column;
        Layer air{temperature[at], vapour[at], cloud[at]};
        step(air, falling, pressure[layer], seconds);
        temperature[at] = static_cast<float>(air.warmth);
        vapour[at] = static_cast<float>(air.wet);
        cloud[at] = static_cast<float>(air.drops);
      }
      precipitation[column] += static_cast<float>(falling.rain + falling.snow);
    }
}

const KernelReference registered("weather", &reference);

}  // namespace
}  // namespace heddle::kernels::weather
