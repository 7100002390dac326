#include "models/compiler/analyses/read_together.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {
namespace {

// Union-find structure of registers. Registers in one set have a fixed relation: same or opposite side of a
// row (left or right). Each register stores its relation to its parent.
class Sides {
 public:
  explicit Sides(std::uint32_t count) : parent_(count), opposite_(count, false) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  void part(std::uint32_t a, std::uint32_t b) {
    const auto [root_a, side_a] = root(a);
    const auto [root_b, side_b] = root(b);
    if (root_a == root_b) return;
    const std::uint32_t low = std::min(root_a, root_b), high = std::max(root_a, root_b);
    parent_[high] = low;
    opposite_[high] = side_a == side_b;
  }
  std::pair<std::uint32_t, bool> root(std::uint32_t r) const {
    bool side = false;
    for (; parent_[r] != r; r = parent_[r]) side ^= opposite_[r];
    return {r, side};
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<bool> opposite_;
};

}  // namespace

std::vector<ReadTogether> read_together(const isa::Program& program, const ControlFlow& flow) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> weights;
  std::vector<std::uint32_t> words;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const isa::Instruction& i = program.code[n];
    if (i.metadata) continue;
    words.clear();
    for_each_read_word(i, [&](std::uint32_t w) { words.push_back(w); });
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    const double weight = std::pow(10.0, std::min(flow.block(flow.block_of(n)).loop_depth, 8));
    for (std::size_t a = 0; a < words.size(); ++a)
      for (std::size_t b = a + 1; b < words.size(); ++b) weights[{words[a], words[b]}] += weight;
  }
  std::vector<ReadTogether> edges;
  for (const auto& [registers, weight] : weights)
    edges.push_back({registers.first, registers.second, weight});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const ReadTogether& x, const ReadTogether& y) { return x.weight > y.weight; });
  return edges;
}

std::vector<bool> choose_sides(std::uint32_t registers, const std::vector<ReadTogether>& edges) {
  Sides sides(registers);
  for (const ReadTogether& e : edges) sides.part(e.a, e.b);
  std::vector<bool> left(registers);
  for (std::uint32_t r = 0; r < registers; ++r) {
    const auto [root, side] = sides.root(r);
    left[r] = side ^ (root & 1);
  }
  std::vector<double> gain(registers);
  for (;;) {
    std::fill(gain.begin(), gain.end(), 0.0);
    for (const ReadTogether& e : edges) {
      const double weight = left[e.a] == left[e.b] ? e.weight : -e.weight;
      gain[e.a] += weight;
      gain[e.b] += weight;
    }
    const auto best = std::max_element(gain.begin(), gain.end());
    if (best == gain.end() || *best <= 0) return left;
    left[static_cast<std::size_t>(best - gain.begin())].flip();
  }
}

std::vector<std::uint16_t> choose_pairs(std::uint32_t registers, const std::vector<ReadTogether>& edges) {
  std::vector<std::uint16_t> partner(registers, isa::RegisterHint::kNoPartner);
  for (const ReadTogether& e : edges) {
    if (partner[e.a] != isa::RegisterHint::kNoPartner || partner[e.b] != isa::RegisterHint::kNoPartner)
      continue;
    partner[e.a] = static_cast<std::uint16_t>(e.b);
    partner[e.b] = static_cast<std::uint16_t>(e.a);
  }
  return partner;
}

}  // namespace heddle::compiler
