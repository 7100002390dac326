#include "../shim.h"

constexpr int threads = 256;

struct Moments {
  float sum;
  float squares;
};

// One iteration of speckle-reducing anisotropic diffusion: the image's mean and variance (two launches), the
// diffusion coefficients, and the update.
__global__ void srad_moments(const float* image, Moments* partial, int pixels) {
  __shared__ Moments moments[threads];
  const int t = threadIdx.x;
  Moments own = {0.0f, 0.0f};
  for (int i = blockIdx.x * threads + t; i < pixels; i += gridDim.x * threads) {
    const float value = image[i];
    own.sum += value;
    own.squares += value * value;
  }
  moments[t] = own;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (t < width) {
      moments[t].sum += moments[t + width].sum;
      moments[t].squares += moments[t + width].squares;
    }
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = moments[0];
}

// Computes the speckle scale q0^2 = variance / mean^2 from the CTAs' moments, in one thread.
__global__ void srad_scale(const Moments* partial, float* scale, int blocks, int pixels) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  float squares = 0.0f;
  for (int k = 0; k < blocks; ++k) {
    sum += partial[k].sum;
    squares += partial[k].squares;
  }
  const float mean = sum / (float)pixels;
  const float variance = squares / (float)pixels - mean * mean;
  *scale = variance / (mean * mean);
}

__global__ void srad_coefficients(const float* image, float* coefficient, const float* scale, int rows,
                                  int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  const float own = image[row * columns + column];
  const float north = image[max(row - 1, 0) * columns + column] - own;
  const float south = image[min(row + 1, rows - 1) * columns + column] - own;
  const float west = image[row * columns + max(column - 1, 0)] - own;
  const float east = image[row * columns + min(column + 1, columns - 1)] - own;
  const float gradient = (north * north + south * south + west * west + east * east) / (own * own);
  const float laplacian = (north + south + west + east) / own;
  const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  const float denominator = 1.0f + 0.25f * laplacian;
  const float q = numerator / (denominator * denominator);
  const float q0 = *scale;
  const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  coefficient[row * columns + column] = c < 0.0f ? 0.0f : (c > 1.0f ? 1.0f : c);
}

__global__ void srad_update(const float* image, float* next, const float* coefficient, int rows, int columns,
                            float lambda) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  const int at = row * columns + column;
  const int below = min(row + 1, rows - 1) * columns + column;
  const int beside = row * columns + min(column + 1, columns - 1);
  const float own = image[at];
  const float north = image[max(row - 1, 0) * columns + column] - own;
  const float south = image[below] - own;
  const float west = image[row * columns + max(column - 1, 0)] - own;
  const float east = image[beside] - own;
  const float c = coefficient[at];
  const float divergence = c * north + coefficient[below] * south + c * west + coefficient[beside] * east;
  next[at] = own + 0.25f * lambda * divergence;
}
