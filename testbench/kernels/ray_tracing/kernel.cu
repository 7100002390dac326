#include "../shim.h"

// Renders spheres over a chequered floor, with shadows and mirrors. A thread follows the ray of one pixel
// from surface to surface. Every operation is rounded by itself, so that the result does not depend on the
// compiler.

struct Vec {
  float x, y, z;
};
struct Sphere {
  Vec centre;
  float radius, colour, mirror;
};
struct Scene {
  int width, height, spheres, bounces;
};

static __device__ __forceinline__ float add(float a, float b) { return __fadd_rn(a, b); }
static __device__ __forceinline__ float mul(float a, float b) { return __fmul_rn(a, b); }
static __device__ __forceinline__ Vec make_vec(float x, float y, float z) { return {x, y, z}; }
static __device__ __forceinline__ Vec minus(Vec a, Vec b) { return {add(a.x, -b.x), add(a.y, -b.y), add(a.z, -b.z)}; }
// Returns a + t * b.
static __device__ __forceinline__ Vec along(Vec a, float t, Vec b) {
  return {add(a.x, mul(t, b.x)), add(a.y, mul(t, b.y)), add(a.z, mul(t, b.z))};
}
static __device__ __forceinline__ float dot(Vec a, Vec b) {
  return add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));
}
static __device__ __forceinline__ Vec unit(Vec a) {
  const float scale = __fdiv_rn(1.0f, __fsqrt_rn(dot(a, a)));
  return {mul(a.x, scale), mul(a.y, scale), mul(a.z, scale)};
}

constexpr float far_away = 1.0e30f;
constexpr float skin = 0.001f;

// Returns the distance to a sphere in front of `from`, or far_away if the ray misses the sphere.
static __device__ __forceinline__ float hit(const Sphere& s, Vec from, Vec direction) {
  const Vec offset = minus(s.centre, from);
  const float middle = dot(offset, direction);
  const float square = add(add(mul(middle, middle), mul(s.radius, s.radius)), -dot(offset, offset));
  if (square <= 0.0f) return far_away;
  const float root = __fsqrt_rn(square);
  const float near = add(middle, -root);
  if (near > skin) return near;
  const float beyond = add(middle, root);
  return beyond > skin ? beyond : far_away;
}

__global__ void ray_tracing(const Sphere* spheres, float* image, Scene scene) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= scene.width || py >= scene.height) return;
  Vec from = make_vec(0.0f, 1.0f, -4.0f);
  Vec direction = unit(make_vec(__fdiv_rn(2.0f * px - scene.width, (float)scene.width),
                                __fdiv_rn((float)scene.height - 2.0f * py, (float)scene.width), 1.5f));
  const Vec light = unit(make_vec(0.5f, 1.0f, -0.75f));
  float colour = 0.0f;
  float weight = 1.0f;
  for (int bounce = 0; bounce <= scene.bounces; ++bounce) {
    float distance = direction.y < 0.0f ? __fdiv_rn(-from.y, direction.y) : far_away;  // to the floor
    if (distance <= skin) distance = far_away;
    int nearest = -1;
    for (int i = 0; i < scene.spheres; ++i) {
      const float at = hit(spheres[i], from, direction);
      if (at < distance) {
        distance = at;
        nearest = i;
      }
    }
    if (distance == far_away) {  // the sky
      colour = add(colour, mul(weight, add(0.25f, mul(0.5f, direction.y > 0.0f ? direction.y : 0.0f))));
      break;
    }
    from = along(from, distance, direction);
    Vec normal = make_vec(0.0f, 1.0f, 0.0f);
    float own;
    float mirror = 0.25f;
    if (nearest < 0) {
      own = (((int)floorf(from.x) + (int)floorf(from.z)) & 1) != 0 ? 0.75f : 0.125f;
    } else {
      normal = unit(minus(from, spheres[nearest].centre));
      own = spheres[nearest].colour;
      mirror = spheres[nearest].mirror;
    }
    float bright = dot(normal, light);
    if (bright > 0.0f) {  // dark if an object is between this point and the light
      for (int i = 0; i < scene.spheres; ++i)
        if (hit(spheres[i], from, light) < far_away) {
          bright = 0.0f;
          break;
        }
    }
    if (bright < 0.0f) bright = 0.0f;
    colour = add(colour, mul(mul(weight, add(1.0f, -mirror)), mul(own, add(0.2f, mul(0.8f, bright)))));
    weight = mul(weight, mirror);
    if (weight < 0.05f) break;
    direction = along(direction, mul(-2.0f, dot(direction, normal)), normal);
  }
  image[py * scene.width + px] = colour;
}
