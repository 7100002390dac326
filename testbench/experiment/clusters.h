#pragma once

// Groups similar items and chooses one item of each group as its representative (the medoid).

#include <cstddef>
#include <vector>

namespace heddle::experiment {

struct Clusters {
  /// Positions of the medoids (the groups' representatives) among the items, rising.
  std::vector<std::size_t> medoids;
  std::vector<std::size_t> nearest;  ///< for each item, the position in `medoids` of its group's medoid
  std::vector<double> distances;     ///< distance of each item to its group's medoid
};

/// Subtracts each column's mean over the rows and divides by its standard deviation; 0 for a constant column.
std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows);

/// Chooses `count` medoids such that exchanging any one of them does not lower the sum of the items'
/// Euclidean distances to the nearest medoid. The method is partitioning around medoids (L. Kaufman and P.
/// Rousseeuw, Finding Groups in Data, Wiley, 1990, chapter 2). If several items are equally good, the first
/// item is chosen, so equal input gives equal groups. `count`: 1 to the number of items.
Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count);

}  // namespace heddle::experiment
