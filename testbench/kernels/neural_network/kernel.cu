#include "../shim.h"

constexpr int kernel_side = 5;
constexpr int stride = 2;

static __device__ __forceinline__ float activation(float x) {  // tanh
  return 1.0f - __fdividef(2.0f, 1.0f + __expf(2.0f * x));
}

// A convolutional layer for recognising digits. A CTA computes one feature map of one picture. A thread computes one
// cell of this map from `kernel_side` x `kernel_side` cells of every map of the layer below. The weights of a feature
// map are its bias, then one convolution kernel per map of the layer below.
__global__ void neural_network_convolve(const float* maps, const float* weights, float* features,
                                        int maps_below, int side_below) {
  const int side = blockDim.x;
  const int own = threadIdx.y * side + threadIdx.x;
  const float* kernel = weights + blockIdx.x * (1 + maps_below * kernel_side * kernel_side);
  const float* map = maps + blockIdx.y * maps_below * side_below * side_below +
                     threadIdx.y * stride * side_below + threadIdx.x * stride;
  float sum = *kernel++;
  for (int below = 0; below < maps_below; ++below) {
#pragma unroll
    for (int row = 0; row < kernel_side; ++row)
#pragma unroll
      for (int column = 0; column < kernel_side; ++column)
        sum += kernel[row * kernel_side + column] * map[row * side_below + column];
    kernel += kernel_side * kernel_side;
    map += side_below * side_below;
  }
  features[(blockIdx.y * gridDim.x + blockIdx.x) * side * side + own] = activation(sum);
}

// A fully connected layer: one picture per CTA, one neuron per thread. `weights` holds the biases, then the weights of
// all neurons for input 0, for input 1, and so on.
__global__ void neural_network_connect(const float* inputs, const float* weights, float* outputs, int count) {
  const float* input = inputs + blockIdx.x * count;
  float sum = weights[threadIdx.x];
  for (int i = 0; i < count; ++i) sum += weights[(i + 1) * blockDim.x + threadIdx.x] * input[i];
  outputs[blockIdx.x * blockDim.x + threadIdx.x] = activation(sum);
}
