#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::recursive_gaussian {
namespace {

struct Filter {
  float a0, a1, a2, a3, b1, b2, forward, backward;
};

// Filters one line of values. Neighbouring values are `stride` elements apart.
void filter(std::span<const float> from, std::span<float> to, std::size_t first, std::size_t stride,
            std::size_t count, const Filter& f) {
  const auto in = [&](std::size_t i) { return from[first + stride * i]; };
  const auto feed_back = [&](float last, float last_but_one) {
    return std::fma(f.b1, last, f.b2 * last_but_one);
  };
  float before = in(0), last = in(0) * f.forward, last_but_one = last;
  for (std::size_t i = 0; i < count; ++i) {
    const float done = std::fma(f.a0, in(i), std::fma(f.a1, before, -feed_back(last, last_but_one)));
    to[first + stride * i] = done;
    before = in(i), last_but_one = last, last = done;
  }
  float after = in(count - 1), after_next = after;
  last = last_but_one = after * f.backward;
  for (std::size_t i = count; i-- > 0;) {
    const float back = std::fma(f.a2, after, std::fma(f.a3, after_next, -feed_back(last, last_but_one)));
    to[first + stride * i] += back;
    after_next = after, after = in(i), last_but_one = last, last = back;
  }
}

void reference(KernelData& data) {
  const auto width = static_cast<std::size_t>(data.integer("width")),
             height = static_cast<std::size_t>(data.integer("height"));
  const auto number = [&](const char* name) { return static_cast<float>(data.number(name)); };
  const Filter f{number("a0"), number("a1"), number("a2"),      number("a3"),
                 number("b1"), number("b2"), number("forward"), number("backward")};
  const auto picture = data.buffer<float>("picture"), result = data.buffer<float>("result");
  std::vector<float> half(picture.size()), whole(picture.size());
  for (std::size_t i = 0; i < 4 * width; ++i) filter(picture, half, i, 4 * width, height, f);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t c = 0; c < 4; ++c) filter(half, whole, 4 * width * y + c, 4, width, f);
  std::copy(whole.begin(), whole.end(), result.begin());
}

const KernelReference registered("recursive_gaussian", &reference);

}  // namespace
}  // namespace heddle::kernels::recursive_gaussian
