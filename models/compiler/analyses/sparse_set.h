#pragma once

// Set of small integers. The members are visited in an unspecified order. Clearing takes time proportional to
// the number of members, not to the range.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::compiler {

class SparseSet {
 public:
  explicit SparseSet(std::size_t universe = 0) : place_(universe, kAbsent) {}

  bool test(std::size_t i) const { return place_[i] != kAbsent; }
  void insert(std::size_t i) {
    if (test(i)) return;
    place_[i] = static_cast<std::uint32_t>(members_.size());
    members_.push_back(static_cast<std::uint32_t>(i));
  }
  void erase(std::size_t i) {
    if (!test(i)) return;
    const std::uint32_t last = members_.back();
    members_[place_[i]] = last;
    place_[last] = place_[i];
    members_.pop_back();
    place_[i] = kAbsent;
  }
  void clear() {
    for (const std::uint32_t m : members_) place_[m] = kAbsent;
    members_.clear();
  }
  const std::vector<std::uint32_t>& members() const { return members_; }
  std::size_t size() const { return members_.size(); }

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> members_;
};

}  // namespace heddle::compiler
