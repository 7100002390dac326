#include "../textures.h"

// Computes one time step of waves on a sheet from the two previous states. Beyond the edges, edge values repeat.
__global__ void wave(Surface before, Surface now, Surface next, int width, int height, float speed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float here = surface_read_clamped(now, 4 * x, y);
  const float left = surface_read_clamped(now, 4 * x - 4, y), right = surface_read_clamped(now, 4 * x + 4, y);
  const float above = surface_read_clamped(now, 4 * x, y - 1),
              below = surface_read_clamped(now, 4 * x, y + 1);
  const float around = __fadd_rn(__fadd_rn(left, right), __fadd_rn(above, below));
  const float bend = __fmaf_rn(-4.0f, here, around);
  const float old = surface_read_or_zero(before, 4 * x, y);
  surface_write(next, 4 * x, y, __fmaf_rn(speed, bend, __fmaf_rn(2.0f, here, -old)));
}

// Writes the sheet as grey values into a layer of a film, shifted to the left by `moved` pixels. Pixels
// outside of the picture are dropped. A texture reads the sheet, at points between its samples.
__global__ void picture(Texture sheet, Surface film, int layer, int width, int height, int moved) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float high = tex2d(sheet, (float)x + 1.0f, (float)y + 1.0f).x;
  const float grey = fminf(fmaxf(__fmaf_rn(high, 10000.0f, 30000.0f), 0.0f), 60000.0f);
  layer_write(film, layer, 2 * (x - moved), y, (ushort)grey);
}
