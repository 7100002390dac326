#include "../shim.h"

// Counts the iterations of z = z^2 + c until |z| > 2. The kernel states which operations are fused, so that
// counts are the same everywhere. The threads of a warp leave the loop at different times.
__global__ void mandelbrot(unsigned short* counts, int width, int height, float left, float top, float step,
                           int limit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float c_real = __fmaf_rn((float)column, step, left);
  const float c_imaginary = __fmaf_rn((float)row, -step, top);
  float real = 0.0f;
  float imaginary = 0.0f;
  int count = 0;
  while (count < limit) {
    const float real_squared = __fmul_rn(real, real);
    const float imaginary_squared = __fmul_rn(imaginary, imaginary);
    if (__fadd_rn(real_squared, imaginary_squared) > 4.0f) break;
    imaginary = __fmaf_rn(__fmul_rn(2.0f, real), imaginary, c_imaginary);
    real = __fadd_rn(__fadd_rn(real_squared, -imaginary_squared), c_real);
    ++count;
  }
  counts[row * width + column] = (unsigned short)count;
}
