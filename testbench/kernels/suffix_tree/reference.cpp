#include <algorithm>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::suffix_tree {
namespace {

using Text = std::span<const std::uint8_t>;

std::size_t common(Text a, Text b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::size_t best_place(Text text, Text wanted) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const std::size_t found = common(text.subspan(at), wanted), before = common(text.subspan(best), wanted);
    const auto a = text.subspan(at), b = text.subspan(best);
    if (found > before ||
        (found == before && std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end())))
      best = at;
  }
  return best;
}

void reference(KernelData& data) {
  const auto text = data.buffer<std::uint8_t>("text");
  const auto origins = data.buffer<std::int32_t>("origins");
  const auto noise = data.buffer<std::uint8_t>("noise");
  const auto lengths = data.buffer<std::uint8_t>("lengths");
  const auto places = data.buffer<std::int32_t>("places");
  const auto letters = static_cast<std::size_t>(data.integer("letters"));
  const std::size_t count = origins.size();
  for (std::size_t read = 0; read < count; ++read) {
    std::vector<std::uint8_t> wanted;
    for (std::size_t i = 0; i < letters; ++i) {
      const std::uint8_t other = noise[i * count + read];
      wanted.push_back(other >= 1 && other <= 4 ? other : text[static_cast<std::size_t>(origins[read]) + i]);
    }
    for (std::size_t start = 0; start < letters; ++start) {
      const Text rest = Text(wanted).subspan(start);
      const std::size_t place = best_place(text, rest);
      places[start * count + read] = static_cast<std::int32_t>(place);
      lengths[start * count + read] = static_cast<std::uint8_t>(common(text.subspan(place), rest));
    }
  }
}

const KernelReference registered("suffix_tree", &reference);

}  // namespace
}  // namespace heddle::kernels::suffix_tree
