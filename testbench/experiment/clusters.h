#pragma once

// Groups similar items and chooses a representative of each group.

#include <cstddef>
#include <vector>

namespace heddle::experiment {

struct Clusters {
  std::vector<std::size_t> medoids;  ///< positions of the representatives, rising
  std::vector<std::size_t> nearest;  ///< position in `medoids` of each item's group
  std::vector<double> distances;     ///< distance of every item to its medoid
};

/// Subtracts each column's mean over the rows and divides by its standard deviation; 0 for a constant column.
std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows);

/// Chooses `count` medoids such that no exchange of one lowers the sum of the items' Euclidean distances to
/// the nearest medoid: partitioning around medoids (L. Kaufman and P. Rousseeuw, Finding Groups in Data,
/// Wiley, 1990, chapter 2). Ties choose the first item, so equal input gives equal groups. `count`: 1 to the
/// number of items.
Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count);

}  // namespace heddle::experiment
