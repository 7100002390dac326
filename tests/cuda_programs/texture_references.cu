// Tests texture and surface references, as in programs for CUDA 11 and older. They are bound to linear memory, pitched
// memory and an array, and bound again between launches.

#include "check.h"

constexpr int kWidth = 20, kHeight = 5, kCount = kWidth * kHeight;

texture<float4, cudaTextureType1D, cudaReadModeElementType> points;
texture<int> numbers;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
texture<float, 2, cudaReadModeElementType> field(0, cudaFilterModeLinear, cudaAddressModeClamp);
texture<float, 1, cudaReadModeElementType> row;  // of an array
surface<void, cudaSurfaceType2D> canvas;

__global__ void look(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  const float x = i % kWidth + 0.5f, y = i / kWidth + 0.5f;
  const float4 point = tex1Dfetch(points, i);
  out[4 * i] = point.x + point.w;
  out[4 * i + 1] = tex1Dfetch(numbers, i - 1);
  out[4 * i + 2] = tex2D(picture, x / kWidth, y / kHeight);
  out[4 * i + 3] = tex2D(field, x + 0.5f, y) + tex1D(row, x);
}

__global__ void draw() {
  const int x = threadIdx.x, y = blockIdx.x;
  int before;
  surf2Dread(&before, canvas, 4 * x, y);
  surf2Dwrite(before + 1000 * y + x, canvas, 4 * x, y);
}

int main() {
  static float4 places[kCount];
  static int counts[kCount], painted[kCount];
  static unsigned char bytes[kCount];
  static float heights[kCount], seen[4 * kCount];
  for (int i = 0; i < kCount; ++i) {
    places[i] = make_float4(i, 0, 0, 0.5f);
    counts[i] = 3 * i;
    bytes[i] = static_cast<unsigned char>(11 * i);
    heights[i] = i * 0.5f;
  }
  float4* places_there;
  int* counts_there;
  unsigned char* bytes_there;
  float* out;
  size_t pitch, offset = 1;
  MUST(cudaMalloc(&places_there, sizeof places));
  MUST(cudaMalloc(&counts_there, sizeof counts));
  MUST(cudaMallocPitch(&bytes_there, &pitch, kWidth, kHeight));
  MUST(cudaMalloc(&out, sizeof seen));
  MUST(cudaMemcpy(places_there, places, sizeof places, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(counts_there, counts, sizeof counts, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy2D(bytes_there, pitch, bytes, kWidth, kWidth, kHeight, cudaMemcpyHostToDevice));

  MUST(cudaBindTexture(&offset, points, places_there, sizeof places));
  MUST(cudaBindTexture(nullptr, numbers, counts_there));
  picture.normalized = true;
  picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeWrap;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  MUST(cudaBindTexture2D(nullptr, &picture, bytes_there, &byte, kWidth, kHeight, pitch));
  const cudaChannelFormatDesc height = cudaCreateChannelDesc<float>();
  cudaArray_t field_there;
  MUST(cudaMallocArray(&field_there, &height, kWidth, kHeight));
  MUST(cudaMemcpyToArray(field_there, 0, 0, heights, sizeof heights, cudaMemcpyHostToDevice));
  MUST(cudaBindTextureToArray(field, field_there));

  cudaArray_t row_there;
  MUST(cudaMallocArray(&row_there, &row.channelDesc, kWidth, 1));
  MUST(cudaMemcpyToArray(row_there, 0, 0, heights, kWidth * sizeof(float), cudaMemcpyHostToDevice));
  MUST(cudaBindTextureToArray(row, row_there, row.channelDesc));

  long wrong = offset != 0;
  for (int round = 0; round < 2; ++round) {
    look<<<(kCount + 63) / 64, 64>>>(out);
    MUST(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i) {
      const int right = i % kWidth + 1 < kWidth ? i + 1 : i;
      wrong += seen[4 * i] != i + 0.5f;
      // The new binding begins one element later.
      const int number = i - 1 + round;
      wrong += seen[4 * i + 1] != (number < round ? 0.0f : counts[number]);
      wrong += seen[4 * i + 2] != bytes[i] / 255.0f;
      wrong += seen[4 * i + 3] != (heights[i] + heights[right]) / 2 + heights[i % kWidth];
    }
    MUST(cudaUnbindTexture(numbers));
    MUST(cudaBindTexture(nullptr, numbers, counts_there + 1, cudaCreateChannelDesc<int>(), sizeof counts - 4));
  }

  cudaArray_t canvas_there;
  const cudaChannelFormatDesc word = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  MUST(cudaMallocArray(&canvas_there, &word, kWidth, kHeight, cudaArraySurfaceLoadStore));
  MUST(cudaMemcpy2DToArrayAsync(canvas_there, 0, 0, counts, 4 * kWidth, 4 * kWidth, kHeight, cudaMemcpyHostToDevice));
  MUST(cudaBindSurfaceToArray(canvas, canvas_there));
  draw<<<kHeight, kWidth>>>();
  MUST(cudaMemcpyFromArray(painted, canvas_there, 0, 0, sizeof painted, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) wrong += painted[i] != counts[i] + 1000 * (i / kWidth) + i % kWidth;
  // A pointer that does not point to device memory is refused.
  wrong += cudaBindTexture(nullptr, points, places, sizeof places) != cudaErrorInvalidValue;
  return report(wrong, 9 * kCount + 2);
}
