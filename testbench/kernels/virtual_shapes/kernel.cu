#include "../shim.h"

__device__ inline void* operator new(__SIZE_TYPE__, void* place) { return place; }

// One list holds objects of several classes. Calls of an object's virtual functions go through the table of the
// object's class.
struct Shape {
  float size, factor;
  __device__ Shape(float s, float f) : size(s), factor(f) {}
  __device__ virtual float area() const = 0;
  __device__ virtual float grown(int steps) const { return __fmul_rn(size, (float)(steps + 1)); }
};
struct Square : Shape {
  __device__ Square(float s, float f) : Shape(s, f) {}
  __device__ float area() const override { return __fmul_rn(size, size); }
};
struct Slab : Shape {
  __device__ Slab(float s, float f) : Shape(s, f) {}
  __device__ float area() const override { return __fmul_rn(size, factor); }
  __device__ float grown(int steps) const override {
    float length = size;
    for (int i = 0; i < steps; ++i) length = __fmaf_rn(length, factor, 0.25f);
    return length;
  }
};
struct Ring : Square {
  __device__ Ring(float s, float f) : Square(s, f) {}
  __device__ float area() const override {
    return __fmul_rn(__fadd_rn(Square::area(), -__fmul_rn(factor, factor)), 3.140625f);
  }
};

constexpr int kinds = 3;

__global__ void make(const int* kind, const float* size, const float* factor, Slab* objects, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (kind[i] % kinds == 0) new (objects + i) Square(size[i], factor[i]);
  if (kind[i] % kinds == 1) new (objects + i) Slab(size[i], factor[i]);
  if (kind[i] % kinds == 2) new (objects + i) Ring(size[i], factor[i]);
}

__global__ void measure(Slab* objects, float* area, float* grown, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Shape* const shape = objects + i;
  area[i] = shape->area();
  grown[i] = shape->grown(i % 4);
}
