#include <algorithm>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::bucket_sort {
namespace {

void reference(KernelData& data) {
  const auto keys = data.buffer<std::uint32_t>("keys"), sorted = data.buffer<std::uint32_t>("sorted"),
             counts = data.buffer<std::uint32_t>("counts"), pivots = data.buffer<std::uint32_t>("pivots");
  for (std::size_t i = 0; i < pivots.size(); ++i)
    pivots[i] = static_cast<std::uint32_t>((i + 1) * static_cast<std::size_t>(data.integer("highest")) /
                                           (pivots.size() + 1));
  const auto count = static_cast<std::size_t>(data.integer("count"));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto bucket = std::lower_bound(pivots.begin(), pivots.end(), keys[i]) - pivots.begin();
    ++counts[i / count * (pivots.size() + 1) + static_cast<std::size_t>(bucket)];
  }
  std::copy(keys.begin(), keys.end(), sorted.begin());
  for (auto list = sorted.begin(); list != sorted.end(); list += static_cast<std::ptrdiff_t>(count))
    std::sort(list, list + static_cast<std::ptrdiff_t>(count));
}

const KernelReference registered("bucket_sort", &reference);

}  // namespace
}  // namespace heddle::kernels::bucket_sort
