#pragma once

// Groups similar items and chooses one item of each group as its representative (the medoid).

#include <cstddef>
#include <vector>

namespace heddle::experiment {

struct Clusters {
  std::vector<std::size_t> medoids;
  /// For each item: the representative of its group, as an index into `medoids`.
  std::vector<std::size_t> nearest;
  std::vector<double> distances;
};

/// Normalises each column to mean 0 and standard deviation 1 over the rows. A constant column becomes 0.
std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows);

/// Chooses `count` representatives (medoids). The choice has a small sum of the Euclidean distances between
/// each item and its nearest medoid: no exchange of one medoid for another item lowers this sum. Method:
/// partitioning around medoids (L. Kaufman and P. Rousseeuw, Finding Groups in Data, Wiley, 1990, chapter 2).
/// If items are equally good, the first is chosen. `count`: 1 to the number of items.
Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count);

}  // namespace heddle::experiment
