#include "../shim.h"

constexpr int side = 16;

__device__ __noinline__ float sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

// Computes partial sums of one layer. A CTA takes 16 inputs (y) and 16 hidden units (x), multiplies inputs by
// weights and adds over the inputs.
__global__ void layer_partial(const float* input, const float* weight, float* partial, int inputs,
                              int hidden) {
  __shared__ float values[side];
  __shared__ float products[side][side];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int in = blockIdx.y * side + y;
  const int unit = blockIdx.x * side + x;
  if (x == 0) values[y] = in < inputs ? input[in] : 0.0f;
  __syncthreads();
  products[y][x] = in < inputs && unit < hidden ? weight[in * hidden + unit] * values[y] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < side; stride *= 2) {
    if (y % (2 * stride) == 0) products[y][x] += products[y + stride][x];
    __syncthreads();
  }
  if (y == 0 && unit < hidden) partial[blockIdx.y * hidden + unit] = products[0][x];
}

// Adds the CTAs' partial sums and applies the activation. Keeps each unit's error term for backpropagation.
__global__ void layer_finish(const float* partial, const float* target, float* activation, float* delta,
                             int blocks, int hidden) {
  const int unit = blockIdx.x * blockDim.x + threadIdx.x;
  if (unit >= hidden) return;
  float sum = 0.0f;
  for (int k = 0; k < blocks; ++k) sum += partial[k * hidden + unit];
  const float out = sigmoid(sum);
  activation[unit] = out;
  delta[unit] = out * (1.0f - out) * (target[unit] - out);
}

// Moves the weights along the gradient, with momentum.
__global__ void adjust_weights(float* weight, float* old_change, const float* delta, const float* input,
                               int inputs, int hidden, float rate, float momentum) {
  const int unit = blockIdx.x * side + threadIdx.x;
  const int in = blockIdx.y * side + threadIdx.y;
  if (unit >= hidden || in >= inputs) return;
  const int at = in * hidden + unit;
  const float change = rate * delta[unit] * input[in] + momentum * old_change[at];
  weight[at] += change;
  old_change[at] = change;
}
