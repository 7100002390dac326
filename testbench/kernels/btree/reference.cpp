#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::btree {
namespace {

void reference(KernelData& data) {
  const auto records = data.buffer<std::int32_t>("records");
  const auto queries = data.buffer<std::int32_t>("queries");
  const auto spans = data.buffer<std::int32_t>("spans");
  const auto found = data.buffer<std::int32_t>("found");
  const auto counts = data.buffer<std::int32_t>("counts");
  const auto sums = data.buffer<std::int32_t>("sums");
  const auto spacing = data.integer("spacing");
  for (std::size_t i = 0; i < queries.size(); ++i) {
    found[i] = -1;
    for (std::size_t place = 0; place < records.size(); ++place) {
      const std::int64_t key = static_cast<std::int64_t>(place) * spacing;
      if (key == queries[i]) found[i] = records[place];
      if (key < queries[i] || key > queries[i] + spans[i]) continue;
      ++counts[i];
      sums[i] += records[place];
    }
  }
}

const KernelReference registered("btree", &reference);

}  // namespace
}  // namespace heddle::kernels::btree
