#include <algorithm>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::heap_lists {
namespace {

using List = std::vector<std::uint32_t>;

constexpr std::uint32_t kHeapHead = 512, kBlockHead = 16, kLeastBlock = 32;

std::uint32_t next_number(std::uint32_t& state) {
  state = 1664525u * state + 1013904223u;
  return state >> 16;
}

void grow(std::vector<List>& lists, std::uint32_t most, std::uint32_t seed) {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::uint32_t state = seed + 977u * static_cast<std::uint32_t>(i);
    const std::uint32_t numbers = next_number(state) % most;
    for (std::uint32_t n = 0; n < numbers; ++n) lists[i].push_back(next_number(state));
    std::sort(lists[i].begin(), lists[i].end());
  }
}

void digest(const std::vector<List>& lists, std::span<std::uint32_t> digests) {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    digests[i] = static_cast<std::uint32_t>(lists[i].size());
    for (const std::uint32_t number : lists[i]) digests[i] = 31u * digests[i] + number;
  }
}

std::uint32_t block_bytes(std::uint32_t bytes) {
  std::uint32_t block = kLeastBlock;
  while (block < bytes + kBlockHead) block *= 2;
  return block;
}

std::uint32_t numbers_in(const std::vector<List>& lists) {
  std::uint32_t count = 0;
  for (const List& list : lists) count += static_cast<std::uint32_t>(list.size());
  return count;
}

void reference(KernelData& data) {
  const auto most = static_cast<std::uint32_t>(data.integer("most"));
  std::vector<List> lists(data.buffer<std::uint32_t>("digests").size());
  grow(lists, most, 1);
  std::uint32_t taken = numbers_in(lists) * kLeastBlock;
  for (List& list : lists) std::erase_if(list, [](std::uint32_t number) { return number % 2 != 0; });
  std::uint32_t pruned = taken - numbers_in(lists) * kLeastBlock;
  const std::uint32_t kept = numbers_in(lists);
  const auto take = [&](std::uint32_t block) {
    if (block == kLeastBlock && pruned > 0)
      pruned -= block;
    else
      taken += block;
  };
  grow(lists, most, 2);
  for (std::uint32_t n = kept; n < numbers_in(lists); ++n) take(kLeastBlock);
  for (const List& list : lists) take(block_bytes(4 * (static_cast<std::uint32_t>(list.size()) + 1)));
  digest(lists, data.buffer<std::uint32_t>("digests"));
  data.buffer<std::uint32_t>("left")[0] =
      (static_cast<std::uint32_t>(data.integer("heap")) - kHeapHead - taken) /
      block_bytes(static_cast<std::uint32_t>(data.integer("large")));
}

const KernelReference registered("heap_lists", &reference);

}  // namespace
}  // namespace heddle::kernels::heap_lists
