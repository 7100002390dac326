#include "../shim.h"

constexpr int template_side = 11;
constexpr int template_size = template_side * template_side;
constexpr int most_radius = 10;
constexpr int window_side = template_side + 2 * most_radius;
constexpr int most_threads = 512;

// A sum of template_size products of pixels is an integer below 2^24, so float sums are exact in any order.

// Makes an ultrasound image of the heart: speckle, zoomed about the middle by zoom / 256 as the heart beats.
__global__ void heart_wall_frame(const uchar* speckle, float* frame, int width, int height, int zoom) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int from_x = (width * 128 + (x - width / 2) * zoom) >> 9;
  const int from_y = (height * 128 + (y - height / 2) * zoom) >> 9;
  frame[y * width + x] = speckle[from_y * width + from_x];
}

// Copies the template of each point: template_side pixels around the point in both directions.
__global__ void heart_wall_templates(const float* frame, const int* points, float* templates, int width) {
  const int corner_x = points[2 * blockIdx.x] - template_side / 2;
  const int corner_y = points[2 * blockIdx.x + 1] - template_side / 2;
  for (int i = threadIdx.x; i < template_size; i += blockDim.x)
    templates[blockIdx.x * template_size + i] =
        frame[(corner_y + i / template_side) * width + corner_x + i % template_side];
}

// Follows every point of the heart's walls into the next frame, one point per CTA. The new position, at most `radius`
// pixels away, is where the frame correlates best with the point's template. Each template pixel then becomes three
// quarters of its old value plus a quarter of the frame's pixel at the new position.
__global__ void heart_wall_track(const float* frame, int* points, float* templates, float* scores, int width,
                                 int height, int radius) {
  __shared__ float wanted[template_size];
  __shared__ float window[window_side * window_side];
  __shared__ float best_score[most_threads];
  __shared__ int best_place[most_threads];
  const int thread = threadIdx.x;
  const int point_x = points[2 * blockIdx.x];
  const int point_y = points[2 * blockIdx.x + 1];
  float* own = templates + blockIdx.x * template_size;
  const int side = template_side + 2 * radius;
  for (int i = thread; i < template_size; i += blockDim.x) wanted[i] = own[i];
  for (int i = thread; i < side * side; i += blockDim.x) {
    const int x = point_x - side / 2 + i % side;
    const int y = point_y - side / 2 + i / side;
    window[i] = x >= 0 && x < width && y >= 0 && y < height ? frame[y * width + x] : 0.0f;
  }
  __syncthreads();

  const int places = 2 * radius + 1;
  float score = -1.0e30f;
  if (thread < places * places) {
    const float* corner = window + thread / places * side + thread % places;
    float products = 0.0f, sum = 0.0f, squares = 0.0f, wanted_sum = 0.0f;
    for (int row = 0; row < template_side; ++row)
#pragma unroll
      for (int column = 0; column < template_side; ++column) {
        const float pixel = corner[row * side + column];
        const float other = wanted[row * template_side + column];
        products += other * pixel;
        squares += pixel * pixel;
        sum += pixel;
        wanted_sum += other;
      }
    const float mean = __fdiv_rn(sum, (float)template_size);
    const float spread = __fadd_rn(squares, -__fmul_rn(mean, sum));
    score = spread > 0.0f ? __fdiv_rn(__fadd_rn(products, -__fmul_rn(mean, wanted_sum)), __fsqrt_rn(spread))
                          : 0.0f;
  }
  best_score[thread] = score;
  best_place[thread] = thread;
  __syncthreads();
  for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
    const int other = thread + (count + 1) / 2;
    if (other < count &&
        (best_score[other] > best_score[thread] ||
         (best_score[other] == best_score[thread] && best_place[other] < best_place[thread]))) {
      best_score[thread] = best_score[other];
      best_place[thread] = best_place[other];
    }
    __syncthreads();
  }

  const int row = best_place[0] / places;
  const int column = best_place[0] % places;
  for (int i = thread; i < template_size; i += blockDim.x) {
    const float found = window[(row + i / template_side) * side + column + i % template_side];
    own[i] = floorf(0.75f * wanted[i] + 0.25f * found);
  }
  if (thread == 0) {
    points[2 * blockIdx.x] = min(max(point_x + column - radius, template_side), width - template_side);
    points[2 * blockIdx.x + 1] = min(max(point_y + row - radius, template_side), height - template_side);
    scores[blockIdx.x] = best_score[0];
  }
}
