#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::ray_tracing {
namespace {

using Vec = std::array<float, 3>;

float dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec along(const Vec& a, float t, const Vec& b) { return {a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]}; }
Vec unit(const Vec& a) {
  const float scale = 1.0f / std::sqrt(dot(a, a));
  return {a[0] * scale, a[1] * scale, a[2] * scale};
}

constexpr float kFar = 1.0e30f, kSkin = 0.001f;

struct Scene {
  std::span<const float> spheres;  // for each sphere: centre, radius, colour, mirror
  std::size_t count = 0;

  Vec centre(std::size_t i) const { return {spheres[6 * i], spheres[6 * i + 1], spheres[6 * i + 2]}; }

  float distance(std::size_t i, const Vec& from, const Vec& direction) const {
    const Vec offset = along(centre(i), -1.0f, from);
    const float radius = spheres[6 * i + 3], middle = dot(offset, direction);
    const float square = middle * middle + radius * radius - dot(offset, offset);
    if (square <= 0) return kFar;
    const float root = std::sqrt(square);
    for (const float at : {middle - root, middle + root})
      if (at > kSkin) return at;
    return kFar;
  }
  bool shadowed(const Vec& from, const Vec& light) const {
    for (std::size_t i = 0; i < count; ++i)
      if (distance(i, from, light) < kFar) return true;
    return false;
  }
};

float trace(const Scene& scene, Vec from, Vec direction, std::int64_t bounces) {
  const Vec light = unit({0.5f, 1.0f, -0.75f});
  float colour = 0, weight = 1;
  for (; bounces >= 0; --bounces) {
    float distance = direction[1] < 0 ? -from[1] / direction[1] : kFar;
    if (distance <= kSkin) distance = kFar;
    std::size_t nearest = scene.count;
    for (std::size_t i = 0; i < scene.count; ++i)
      if (const float at = scene.distance(i, from, direction); at < distance) {
        distance = at;
        nearest = i;
      }
    if (distance == kFar) return colour + weight * (0.25f + 0.5f * std::max(direction[1], 0.0f));
    from = along(from, distance, direction);
    Vec normal{0, 1, 0};
    float own = 0.125f, mirror = 0.25f;
    if (nearest == scene.count) {
      if ((static_cast<int>(std::floor(from[0])) + static_cast<int>(std::floor(from[2]))) & 1) own = 0.75f;
    } else {
      normal = unit(along(from, -1.0f, scene.centre(nearest)));
      own = scene.spheres[6 * nearest + 4];
      mirror = scene.spheres[6 * nearest + 5];
    }
    float bright = std::max(dot(normal, light), 0.0f);
    if (bright > 0 && scene.shadowed(from, light)) bright = 0;
    colour = colour + weight * (1.0f - mirror) * (own * (0.2f + 0.8f * bright));
    weight = weight * mirror;
    if (weight < 0.05f) return colour;
    direction = along(direction, -2.0f * dot(direction, normal), normal);
  }
  return colour;
}

void reference(KernelData& data) {
  const auto image = data.buffer<float>("image");
  const Scene scene{data.buffer<float>("spheres"), static_cast<std::size_t>(data.integer("spheres"))};
  const auto width = static_cast<std::size_t>(data.integer("width"));
  const auto columns = static_cast<float>(width), rows = static_cast<float>(data.integer("height"));
  for (std::size_t i = 0; i < image.size(); ++i) {
    const auto x = static_cast<float>(i % width), y = static_cast<float>(i / width);
    const Vec direction = unit({(2 * x - columns) / columns, (rows - 2 * y) / columns, 1.5f});
    image[i] = trace(scene, {0, 1, -4}, direction, data.integer("bounces"));
  }
}

const KernelReference registered("ray_tracing", &reference);

}  // namespace
}  // namespace heddle::kernels::ray_tracing
