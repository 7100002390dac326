#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::stream_cluster {
namespace {

// All numbers are integers so small that floats, which the kernels use, contain them exactly.
void reference(KernelData& data) {
  const auto points = static_cast<std::size_t>(data.integer("points"));
  const auto dimensions = static_cast<std::size_t>(data.integer("dimensions"));
  const auto places = data.buffer<std::uint8_t>("places");
  const auto masses = data.buffer<std::uint8_t>("masses");
  const auto closed_sums = data.buffer<float>("sums");
  const std::int64_t opening = data.integer("opening");
  const std::size_t columns = static_cast<std::size_t>(data.integer("width")) - 1;

  const auto cost_of = [&](std::size_t point, std::size_t centre) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::int64_t difference = places[d * points + point] - std::int64_t{places[d * points + centre]};
      sum += difference * difference;
    }
    return sum * masses[point];
  };

  constexpr std::int64_t kNobody = -1;
  std::vector<std::int64_t> centres(columns, kNobody);
  std::vector<std::size_t> column(points, 0);
  std::vector<std::int64_t> cost(points);
  centres[0] = 0;
  for (std::size_t i = 0; i < points; ++i) cost[i] = cost_of(i, 0);

  for (std::int64_t round = 0; round < data.integer("candidates"); ++round) {
    const auto candidate = static_cast<std::size_t>((round + 1) * data.integer("stride"));
    std::int64_t own = 0;
    std::vector<std::int64_t> forced(columns, 0);
    for (std::size_t i = 0; i < points; ++i) {
      const std::int64_t change = cost_of(i, candidate) - cost[i];
      (change < 0 ? own : forced[column[i]]) += change;
    }
    for (std::size_t c = 0; c < columns; ++c) closed_sums[c] = static_cast<float>(forced[c]);
    closed_sums[columns] = static_cast<float>(own);

    std::int64_t saved = -opening - own;
    std::vector<bool> closes(columns);
    std::size_t place = columns;
    for (std::size_t c = columns; c-- > 0;) {
      closes[c] = centres[c] != kNobody && forced[c] < opening;
      if (closes[c]) saved += opening - forced[c];
      if (closes[c] || centres[c] == kNobody) place = c;
    }
    if (saved <= 0 || place == columns) continue;
    for (std::size_t i = 0; i < points; ++i) {
      const std::int64_t there = cost_of(i, candidate);
      if (there >= cost[i] && !closes[column[i]]) continue;
      cost[i] = there;
      column[i] = place;
    }
    for (std::size_t c = 0; c < columns; ++c)
      if (closes[c]) centres[c] = kNobody;
    centres[place] = static_cast<std::int64_t>(candidate);
  }

  const auto costs = data.buffer<float>("costs");
  const auto column_out = data.buffer<std::int32_t>("columns");
  const auto centres_out = data.buffer<std::int32_t>("centres");
  for (std::size_t i = 0; i < points; ++i) {
    costs[i] = static_cast<float>(cost[i]);
    column_out[i] = static_cast<std::int32_t>(column[i]);
  }
  for (std::size_t c = 0; c < columns; ++c) centres_out[c] = static_cast<std::int32_t>(centres[c]);
}

const KernelReference registered("stream_cluster", &reference);

}  // namespace
}  // namespace heddle::kernels::stream_cluster
