#pragma once

// Groups similar items and chooses one item of each group as its representative (the medoid).

#include <cstddef>
#include <vector>

namespace heddle::experiment {

struct Clusters {
  /// positions of the medoids (representatives of the groups) among the items, in rising order
  std::vector<std::size_t> medoids;
  /// For each item, the index in `medoids` of the representative of its group.
  std::vector<std::size_t> nearest;
  std::vector<double> distances;  ///< distance of each item to the representative (medoid) of its group
};

/// Normalises each column of a table: subtracts the column's mean over the rows and divides by its standard
/// deviation. A constant column becomes 0.
std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows);

/// Chooses `count` representatives (medoids) among the items, so that no exchange of one medoid for another
/// item lowers the sum of Euclidean distances of all items to their nearest medoid. The method is
/// partitioning around medoids (L. Kaufman and P. Rousseeuw, Finding Groups in Data, Wiley, 1990, chapter 2).
/// If several items are equally good, the first item is chosen, so equal input gives equal groups. `count`: 1
/// to the number of items.
Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count);

}  // namespace heddle::experiment
