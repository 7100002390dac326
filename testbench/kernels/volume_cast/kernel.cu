#include "../textures.h"

// Casts one ray per thread through a volume, front to back. A three-dimensional texture gives the density at
// a point. A one-dimensional texture gives the colour and opacity for this density. A ray ends where it
// leaves the volume or its opacity is complete.
__global__ void volume_cast(Texture volume, Texture colours, float4* out, int width, int height, float step,
                            int most, float tilt) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float x = ((float)column + 0.5f) / (float)width, y = ((float)row + 0.5f) / (float)height, z = 0.0f;
  const float dx = __fmul_rn(__fmul_rn(__fadd_rn(0.5f, -x), tilt), step);
  const float dy = __fmul_rn(__fmul_rn(__fadd_rn(0.5f, -y), tilt), step);
  float red = 0.0f, green = 0.0f, blue = 0.0f, shown = 0.0f;
  for (int n = 0; n < most && z < 1.0f && shown < 0.95f; ++n) {
    const float density = tex3d(volume, x, y, z).x;
    const float4 c = tex1d(colours, density);
    const float share = __fmul_rn(c.w, __fadd_rn(1.0f, -shown));
    red = __fmaf_rn(share, c.x, red);
    green = __fmaf_rn(share, c.y, green);
    blue = __fmaf_rn(share, c.z, blue);
    shown = __fadd_rn(shown, share);
    x = __fadd_rn(x, dx);
    y = __fadd_rn(y, dy);
    z = __fadd_rn(z, step);
  }
  out[row * width + column] = {red, green, blue, shown};
}
