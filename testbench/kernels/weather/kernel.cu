#include "../shim.h"

// Computes one step of cloud physics. Each thread computes one column of air, from the top layer down: saturation,
// condensation and evaporation, rain from cloud water, collection by falling rain, snow below freezing, and melting.
// Every rate is 0 at the threshold of the rate's condition, so it does not matter to which side of the threshold a
// value is rounded.

struct Air {
  int columns, layers;
  float seconds;
};

__global__ void weather(float* temperature, float* vapour, float* cloud, float* precipitation, const float* pressure,
                        Air air) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= air.columns) return;
  float rain = 0.0f;
  float snow = 0.0f;
  for (int layer = 0; layer < air.layers; ++layer) {
    const int at = layer * air.columns + column;
    float warmth = temperature[at];  // degrees Celsius
    float wet = vapour[at];          // g of vapour per kg of air
    float drops = cloud[at];
    const float saturated = 3.8f * __expf(__fdividef(17.27f * warmth, warmth + 237.3f)) * pressure[layer];
    const float excess = wet - saturated;
    if (excess > 0.0f) {  // condensation warms the air
      const float condensed = 0.6f * excess;
      wet -= condensed;
      drops += condensed;
      warmth += 2.5f * condensed;
    } else if (drops > 0.0f) {  // cloud water evaporates
      const float evaporated = fminf(drops, -0.3f * excess);
      wet += evaporated;
      drops -= evaporated;
      warmth -= 2.5f * evaporated;
    }
    if (drops > 0.5f) {  // autoconversion
      const float fallen = (drops - 0.5f) * 0.001f * air.seconds;
      drops -= fallen;
      if (warmth < 0.0f) {
        const float frozen = fallen * fminf(1.0f, -0.1f * warmth);
        snow += frozen;
        rain += fallen - frozen;
        warmth += 0.33f * frozen;
      } else {
        rain += fallen;
      }
    }
    if (rain > 0.0f && drops > 0.0f) {  // rain collects cloud water
      const float collected = drops * (1.0f - __expf(-0.002f * rain * air.seconds));
      drops -= collected;
      rain += collected;
    }
    if (snow > 0.0f && warmth > 0.0f) {  // snow melts and cools the air
      const float melted = snow * fminf(1.0f, 0.2f * warmth);
      snow -= melted;
      rain += melted;
      warmth -= 0.33f * melted;
    }
    if (rain > 0.0f && excess < 0.0f) {  // rain evaporates in dry air, more of it if drops are small
      const float dry = fminf(1.0f, __fdividef(-excess, saturated));
      const float lost = rain * dry * __fdividef(0.1f, 1.0f + sqrtf(rain));
      rain -= lost;
      wet += lost;
      warmth -= 2.5f * lost;
    }
    temperature[at] = warmth;
    vapour[at] = wet;
    cloud[at] = drops;
  }
  precipitation[column] += rain + snow;
}
