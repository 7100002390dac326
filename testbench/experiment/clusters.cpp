#include "testbench/experiment/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::experiment {
namespace {

class Medoids {
 public:
  explicit Medoids(const std::vector<std::vector<double>>& items) : size_(items.size()) {
    distances_.resize(size_ * size_);
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t b = 0; b < size_; ++b) {
        double square = 0;
        for (std::size_t i = 0; i < items[a].size(); ++i)
          square += (items[a][i] - items[b][i]) * (items[a][i] - items[b][i]);
        distances_[a * size_ + b] = std::sqrt(square);
      }
  }

  Clusters choose(std::size_t count) {
    while (chosen_.size() < count) build();
    while (swap()) {
    }
    std::sort(chosen_.begin(), chosen_.end());
    Clusters clusters{chosen_, {}, {}};
    for (std::size_t item = 0; item < size_; ++item) {
      std::size_t best = 0;
      for (std::size_t m = 1; m < chosen_.size(); ++m)
        if (distance(item, chosen_[m]) < distance(item, chosen_[best])) best = m;
      clusters.nearest.push_back(best);
      clusters.distances.push_back(distance(item, chosen_[best]));
    }
    return clusters;
  }

 private:
  // One sum of distances counts as smaller than another only if it is below kLess times the other, because
  // equal sums may differ by rounding.
  static constexpr double kLess = 1 - 1e-12;

  double distance(std::size_t a, std::size_t b) const { return distances_[a * size_ + b]; }
  bool is_chosen(std::size_t item) const {
    return std::find(chosen_.begin(), chosen_.end(), item) != chosen_.end();
  }
  double cost(const std::vector<std::size_t>& medoids) const {
    double sum = 0;
    for (std::size_t item = 0; item < size_; ++item) {
      double least = std::numeric_limits<double>::infinity();
      for (const std::size_t medoid : medoids) least = std::min(least, distance(item, medoid));
      sum += least;
    }
    return sum;
  }
  void build() {
    std::size_t best = size_;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t item = 0; item < size_; ++item) {
      if (is_chosen(item)) continue;
      std::vector<std::size_t> with = chosen_;
      with.push_back(item);
      const double sum = cost(with);
      if (best < size_ && sum >= lowest * kLess) continue;
      best = item;
      lowest = sum;
    }
    chosen_.push_back(best);
  }
  bool swap() {
    double lowest = cost(chosen_);
    std::vector<std::size_t> best;
    for (std::size_t place = 0; place < chosen_.size(); ++place)
      for (std::size_t item = 0; item < size_; ++item) {
        if (is_chosen(item)) continue;
        std::vector<std::size_t> other = chosen_;
        other[place] = item;
        const double sum = cost(other);
        if (sum >= lowest * kLess) continue;
        lowest = sum;
        best = std::move(other);
      }
    if (best.empty()) return false;
    chosen_ = std::move(best);
    return true;
  }

  std::size_t size_;
  std::vector<double> distances_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

std::vector<std::vector<double>> standardised(std::vector<std::vector<double>> rows) {
  if (rows.empty()) return rows;
  const double n = static_cast<double>(rows.size());
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    double mean = 0, square = 0;
    for (const auto& row : rows) mean += row[column] / n;
    for (const auto& row : rows) square += (row[column] - mean) * (row[column] - mean) / n;
    // A standard deviation that could be a rounding error counts as 0, so all values of the normalised column
    // become 0.
    const bool varies = square > 1e-24 * mean * mean && square > 0;
    for (auto& row : rows) row[column] = varies ? (row[column] - mean) / std::sqrt(square) : 0;
  }
  return rows;
}

Clusters choose_medoids(const std::vector<std::vector<double>>& items, std::size_t count) {
  return Medoids(items).choose(std::min(count, items.size()));
}

}  // namespace heddle::experiment
