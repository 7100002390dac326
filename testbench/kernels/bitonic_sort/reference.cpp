#include <utility>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::bitonic_sort {
namespace {

std::uint32_t key(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }

// Executes the steps of the sorting network. The order of pairs with equal keys depends on these steps, so a
// library's sort cannot be used.
void reference(KernelData& data) {
  const auto pairs = data.buffer<std::uint64_t>("pairs");
  for (std::size_t size = 2; size <= pairs.size(); size *= 2) {
    for (std::size_t stride = size / 2; stride > 0; stride /= 2) {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if ((i & stride) != 0) continue;
        const bool ascending = (i & size) == 0;
        if ((key(pairs[i]) > key(pairs[i + stride])) == ascending) std::swap(pairs[i], pairs[i + stride]);
      }
    }
  }
}

const KernelReference registered("bitonic_sort", &reference);

}  // namespace
}  // namespace heddle::kernels::bitonic_sort
