#pragma once

// Groups of things that are alike, and one of each that stands for its group.

#include <cstddef>
#include <vector>

namespace heddle::experiment {

struct Clusters {
  std::vector<std::size_t> medoids;  ///< by position, rising
  std::vector<std::size_t> nearest;  ///< for every item the position in `medoids`
  std::vector<double> distances;     ///< of every item to its medoid
};

/// Every column divided by its standard deviation over the rows, after its mean is taken off; 0 where it does not vary.
std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows);

/// `count` of the items, such that the sum of every item's Euclidean distance to the nearest of them cannot be lowered by
/// exchanging one: partitioning around medoids (L. Kaufman and P. Rousseeuw, Finding Groups in Data, Wiley, 1990, chapter 2).
/// Ties go to the item that stands first, so that equal input gives equal groups. `count` is 1 to the number of items.
Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count);

}  // namespace heddle::experiment
